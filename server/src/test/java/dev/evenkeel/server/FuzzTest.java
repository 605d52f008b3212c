package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.builtin.ProtobufFormat;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.server.replay.Answer;
import dev.evenkeel.server.replay.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Broken, odd and hostile bodies over HTTP: never a 5xx without a Status, never a request that hangs, and stored
 * objects can be read, listed and written again.
 *
 * <p>{@code -Dfuzz.count} mutations; {@code -Dfuzz.seed} replaces the fixed seed, which keeps builds reproducible;
 * {@code -Dfuzz.type=yaml} mutates only bodies whose media type has this word.
 */
class FuzzTest {
    private static final int THREADS = 4;
    private static final String MAPS = "/api/v1/namespaces/fuzz/configmaps";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/fuzz/deployments";
    private static final String WIDGETS = "/apis/fuzz.example.com/v1/namespaces/fuzz/widgets";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String DEFINITION = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"PLURAL.fuzz.example.com"},
             "spec":{"group":"fuzz.example.com","scope":"Namespaced",
              "names":{"plural":"PLURAL","singular":"SINGULAR","kind":"KIND","listKind":"KINDList"},
              "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
               "schema":{"openAPIV3Schema":{"type":"object","properties":{
                "spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{
                 "size":{"type":"integer","minimum":1,"default":3},"name":{"type":"string","pattern":"^[a-z]*$"},
                 "port":{"x-kubernetes-int-or-string":true},
                 "parts":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["id"],
                  "items":{"type":"object","required":["id"],"properties":{"id":{"type":"string"},
                   "n":{"type":"number","multipleOf":0.5}}}},
                 "set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}}},
                "status":{"type":"object","additionalProperties":{"type":"string","nullable":true}}}}}}]}}""";
    private static final String MAP = """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"NAME","labels":{"a":"b"},
             "annotations":{"n":"1"},"finalizers":[]},"data":{"k":"v","l":"w"},"binaryData":{"b":"aGk="}}""";
    private static final String DEPLOYMENT = """
            {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"NAME"},"spec":{"replicas":2,
             "selector":{"matchLabels":{"app":"d"}},"strategy":{"rollingUpdate":{"maxSurge":"25%"}},
             "template":{"metadata":{"labels":{"app":"d"}},"spec":{"containers":[{"name":"c","image":"i:1",
              "ports":[{"containerPort":80}],"env":[{"name":"A","value":"1"}],
              "resources":{"limits":{"cpu":"100m"}}}]}}}}""";
    private static final String WIDGET = """
            {"apiVersion":"fuzz.example.com/v1","kind":"Widget","metadata":{"name":"NAME","labels":{"a":"b"}},
             "spec":{"size":2,"name":"abc","port":"http","parts":[{"id":"a","n":1.5},{"id":"b"}],"set":["x","y"],
              "free":{"any":[1,2,{"deep":null}]}},"status":{"s":"t"}}""";
    private static final String YAML = """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: NAME
              labels: &l {a: b}
              annotations: *l
            data:
              k: |
                text
              "n": '1'
            """;
    private static final String JSON_PATCH = """
            [{"op":"add","path":"/metadata/labels/x","value":"1"},{"op":"test","path":"/kind","value":"ConfigMap"},
             {"op":"replace","path":"/metadata/labels","value":{"z":"1"}},{"op":"remove","path":"/metadata/labels/z"},
             {"op":"copy","from":"/metadata/name","path":"/metadata/annotations"},
             {"op":"move","from":"/metadata/annotations","path":"/metadata/labels/m"}]""";
    private static final String STRATEGIC = """
            {"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:2"},{"$patch":"delete","name":"d"}],
             "$setElementOrder/containers":[{"name":"c"}],"$retainKeys":["containers"]}}}}""";
    private static final String DELETE_OPTIONS = """
            {"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,"propagationPolicy":"Background",
             "preconditions":{"uid":"x","resourceVersion":"1"},"dryRun":["All"]}""";
    private static final String SCALE = """
            {"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"d0","namespace":"fuzz"},
             "spec":{"replicas":3}}""";
    /** A kind of request: its body is what is broken. */
    private record Target(String method, String path, String type, String body) {
        boolean protobuf() {
            return type.equals(ProtobufFormat.MEDIA_TYPE);
        }

        /** Returns the body, in its encoding, of an object of a name. */
        byte[] bytes(String name) {
            byte[] text = body.replace("NAME", name).getBytes(StandardCharsets.UTF_8);
            return protobuf() ? ProtobufFormat.encode(Json.parseObject(text, JsonLimits.DEFAULT)) : text;
        }
    }

    private static final List<Target> TARGETS = List.of(
            new Target("POST", MAPS, "application/json", MAP),
            new Target("POST", MAPS, ProtobufFormat.MEDIA_TYPE, MAP),
            new Target("PUT", MAPS + "/m0", ProtobufFormat.MEDIA_TYPE, MAP.replace("NAME", "m0")),
            new Target("POST", DEPLOYMENTS, ProtobufFormat.MEDIA_TYPE, DEPLOYMENT),
            new Target("PUT", DEPLOYMENTS + "/d0/scale", ProtobufFormat.MEDIA_TYPE, SCALE),
            new Target("DELETE", MAPS + "/m3", ProtobufFormat.MEDIA_TYPE, DELETE_OPTIONS),
            new Target("POST", DEFINITIONS + "?dryRun=All", ProtobufFormat.MEDIA_TYPE, definition("gadget", "Gadget")),
            new Target("POST", MAPS + "?fieldValidation=Strict", "application/json", MAP),
            new Target("POST", MAPS, "application/yaml", YAML),
            new Target("PUT", MAPS + "/m0", "application/json", MAP.replace("NAME", "m0")),
            new Target("PATCH", MAPS + "/m0", "application/merge-patch+json", MAP.replace("NAME", "m0")),
            new Target("PATCH", MAPS + "/m0", "application/json-patch+json", JSON_PATCH),
            new Target("PATCH", MAPS + "/m0", "application/strategic-merge-patch+json", MAP.replace("NAME", "m0")),
            new Target(
                    "PATCH",
                    MAPS + "/m1?fieldManager=f&force=true",
                    "application/apply-patch+yaml",
                    MAP.replace("NAME", "m1")),
            new Target(
                    "PATCH",
                    MAPS + "/m2?fieldManager=f&force=true",
                    "application/apply-patch+yaml",
                    YAML.replace("NAME", "m2")),
            new Target("DELETE", MAPS + "/m3", "application/json", DELETE_OPTIONS),
            new Target("DELETE", MAPS + "?labelSelector=a=none", "application/json", DELETE_OPTIONS),
            new Target("POST", DEPLOYMENTS, "application/json", DEPLOYMENT),
            new Target("PUT", DEPLOYMENTS + "/d0", "application/json", DEPLOYMENT.replace("NAME", "d0")),
            new Target("PATCH", DEPLOYMENTS + "/d0", "application/strategic-merge-patch+json", STRATEGIC),
            new Target(
                    "PATCH",
                    DEPLOYMENTS + "/d0?fieldManager=f&force=true",
                    "application/apply-patch+yaml",
                    DEPLOYMENT.replace("NAME", "d0")),
            new Target("PUT", DEPLOYMENTS + "/d0/scale", "application/json", SCALE),
            new Target("POST", WIDGETS, "application/json", WIDGET),
            new Target("PUT", WIDGETS + "/w0", "application/json", WIDGET.replace("NAME", "w0")),
            new Target("PUT", WIDGETS + "/w0/status", "application/json", WIDGET.replace("NAME", "w0")),
            new Target("PATCH", WIDGETS + "/w0", "application/merge-patch+json", WIDGET.replace("NAME", "w0")),
            new Target("PATCH", WIDGETS + "/w0", "application/json-patch+json", JSON_PATCH),
            new Target(
                    "PATCH",
                    WIDGETS + "/w1?fieldManager=f&force=true",
                    "application/apply-patch+yaml",
                    WIDGET.replace("NAME", "w1")),
            new Target("POST", DEFINITIONS + "?dryRun=All", "application/json", definition("gadget", "Gadget")),
            new Target(
                    "POST", "/api/v1/namespaces?dryRun=All", "application/json", "{\"metadata\":{\"name\":\"NAME\"}}"));

    @Test
    void neverBreaksTheServer() throws Exception {
        long seed = Long.getLong("fuzz.seed", 1);
        int count = Integer.getInteger("fuzz.count", 10_000);
        String type = System.getProperty("fuzz.type", "");
        List<Target> targets =
                TARGETS.stream().filter(target -> target.type().contains(type)).toList();
        System.out.println("fuzz: seed " + seed + ", " + count + " mutations");
        try (TestServer server = TestServer.start();
                Wire wire = new Wire(server.base(), server.token());
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            prepare(wire);
            long start = System.nanoTime();
            List<Future<List<String>>> results = new ArrayList<>();
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < THREADS; i++) {
                results.add(threads.submit(worker(server, targets, random.split(), count / THREADS, i)));
            }
            List<String> failures = new ArrayList<>();
            for (Future<List<String>> result : results) {
                failures.addAll(result.get());
            }
            System.out.printf("fuzz: %d ms%n", (System.nanoTime() - start) / 1_000_000);
            assertThat(failures.stream().limit(20)).as("seed " + seed).isEmpty();
            for (String collection : List.of(MAPS, DEPLOYMENTS, WIDGETS, DEFINITIONS, "/api/v1/namespaces")) {
                whole(wire, collection);
            }
        }
    }

    private static void prepare(Wire wire) throws InterruptedException {
        post(
                wire,
                "/api/v1/namespaces",
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"fuzz\"}}");
        post(wire, DEFINITIONS, definition("widget", "Widget"));
        for (int i = 0; i < 4; i++) {
            post(wire, MAPS, MAP.replace("NAME", "m" + i));
        }
        post(wire, DEPLOYMENTS, DEPLOYMENT.replace("NAME", "d0"));
        post(wire, WIDGETS, WIDGET.replace("NAME", "w0"));
    }

    private static String definition(String singular, String kind) {
        return DEFINITION
                .replace("PLURAL", singular + "s")
                .replace("SINGULAR", singular)
                .replace("KIND", kind);
    }

    private static void post(Wire wire, String path, String body) {
        Answer answer = wire.send(
                "POST",
                path,
                Map.of("Content-Type", "application/json"),
                Optional.of(body.getBytes(StandardCharsets.UTF_8)));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    }

    private static Callable<List<String>> worker(
            TestServer server, List<Target> targets, SplittableRandom random, int count, int number) {
        return () -> {
            List<String> failures = new ArrayList<>();
            Map<Integer, Integer> statuses = new LinkedHashMap<>();
            try (RawConnection connection = new RawConnection(server.base(), server.token())) {
                for (int i = 0; i < count; i++) {
                    Target target = targets.get(random.nextInt(targets.size()));
                    byte[] body = mutated(target, "f" + number + "-" + i % 50, random);
                    RawConnection.Reply reply = connection.send(target.method(), target.path(), target.type(), body);
                    statuses.merge(reply.status(), 1, Integer::sum);
                    Optional<String> failure = check(target, body, reply);
                    if (failures.size() < 20) {
                        failure.ifPresent(failures::add);
                    }
                }
            }
            System.out.println("fuzz: answers " + statuses);
            return failures;
        };
    }

    private static Optional<String> check(Target target, byte[] body, RawConnection.Reply reply) {
        String problem = "";
        if (reply.status() == 0) {
            problem = "no answer: " + reply.text();
        } else if (reply.status() >= 400) {
            try {
                JsonObject status = Json.parseObject(reply.body(), JsonLimits.DEFAULT);
                if (!"Status".equals(status.get("kind"))
                        || status.integer("code") != reply.status()
                        || status.string("message").isEmpty()) {
                    problem = "no proper Status";
                } else if (reply.status() >= 500
                        && (status.string("message").contains("Exception")
                                || status.string("reason").equals("InternalError")
                                || status.string("message").contains("Error:"))) {
                    problem = "internal error";
                }
            } catch (JsonException e) {
                problem = "no Status: " + e.getMessage();
            }
        }
        return problem.isEmpty()
                ? Optional.empty()
                : Optional.of(problem + "\n  " + target.method() + " " + target.path() + " " + target.type() + "\n  > "
                        + new String(body, StandardCharsets.UTF_8) + "\n  < " + reply.status() + " " + reply.text());
    }

    private static byte[] mutated(Target target, String name, SplittableRandom random) {
        byte[] body = target.bytes(name);
        return random.nextBoolean() && !target.protobuf()
                ? Mutations.ofValues(body, random)
                : Mutations.ofBytes(body, random);
    }

    /** Lists the collection, reads each object, and writes it as it is: it is still valid. */
    private static void whole(Wire wire, String collection) {
        Answer list = wire.send("GET", collection, Map.of(), Optional.empty());
        assertThat(list.status()).as(list.text()).isEqualTo(200);
        List<@Nullable Object> items = Json.parseObject(list.body(), new JsonLimits(1 << 28, 1000, 1 << 26, 1000, 50))
                .array("items");
        for (Object item : items) {
            String namespace = Json.string(item, "metadata", "namespace");
            String name = Json.string(item, "metadata", "name");
            String path = collection + "/" + name;
            assertThat(namespace).isIn("", "fuzz");
            Answer read = wire.send("GET", path, Map.of(), Optional.empty());
            assertThat(read.status()).as(path + read.text()).isEqualTo(200);
            JsonObject object = Json.parseObject(read.body(), JsonLimits.DEFAULT);
            JsonObject listed = Json.asObject(item).copy();
            listed.putIfAbsent("kind", object.get("kind"));
            listed.putIfAbsent("apiVersion", object.get("apiVersion"));
            assertThat(object).isEqualTo(listed);
            Answer written =
                    wire.send("PUT", path, Map.of("Content-Type", "application/json"), Optional.of(read.body()));
            assertThat(written.status())
                    .as(path + " " + read.text() + "\n" + written.text())
                    .isEqualTo(200);
        }
    }
}
