package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Broken, odd and hostile admission policies, and such answers of admission webhooks: the write that meets them is
 * answered, without a hang, and with a proper Status when it is refused.
 *
 * <p>{@code -Dfuzz.admission.count} mutations; {@code -Dfuzz.seed} replaces the fixed seed.
 */
class AdmissionFuzzTest {
    private static final int THREADS = 4;

    /** Of the largest Status: a hundred errors of each of three expressions are shown with their lines. */
    private static final JsonLimits LARGE = new JsonLimits(1 << 24, 1000, 1 << 24, 1000, 50);

    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
    private static final String POLICIES = GROUP + "validatingadmissionpolicies";
    private static final String WEBHOOKS = """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"KIND","metadata":{"name":"w"},"webhooks":[
             {"name":"w.fuzz.example.com","admissionReviewVersions":["v1"],"sideEffects":"None",
              "clientConfig":{"service":{"namespace":"default","name":"w","path":"/PATH"}},
              "rules":[{"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"],"operations":["*"]}]}]}""";
    private static final List<String> ANSWERS = List.of("""
            {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"UID","allowed":true,
             "patchType":"JSONPatch","patch":"PATCH","warnings":["w"],"auditAnnotations":{"a":"b"}}}""", """
            {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"UID","allowed":false,
             "status":{"code":403,"message":"m","reason":"Forbidden","status":"Failure","details":{"name":"n",
             "causes":[{"field":"f","message":"m","reason":"r"}]}},"warnings":["w"]}}""");
    private static final String CONVERTED = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":"UID",
             "result":{"status":"Success"},"convertedObjects":[{"apiVersion":"VERSION","kind":"Thing",
             "metadata":{"name":"NAME","namespace":"fuzz","uid":"OBJECT","creationTimestamp":"TIME",
              "labels":{"a":"b"},"annotations":{"c":"d"}},"spec":{"size":1,"list":[1,"a",null]}}]}}""";
    private static final String DEFINITION = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"things.fuzz.example.com"},"spec":{"group":"fuzz.example.com","scope":"Namespaced",
              "names":{"plural":"things","kind":"Thing"},"versions":[VERSIONS],
              "conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],
               "clientConfig":{"service":{"namespace":"default","name":"w","path":"/convert"}}}}}}""";
    private static final String VERSION = """
            {"name":"%s","served":true,"storage":%s,"schema":{"openAPIV3Schema":{"type":"object","properties":{
             "spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true,
              "properties":{"size":{"type":"integer","default":3}}}}}}}""";
    private static final String PATCH = """
            [{"op":"add","path":"/metadata/labels","value":{"x":"1"}},{"op":"replace","path":"/data/k","value":"w"},
             {"op":"test","path":"/kind","value":"ConfigMap"},{"op":"copy","from":"/data","path":"/binaryData"},
             {"op":"remove","path":"/binaryData"},{"op":"move","from":"/data/k","path":"/data/l"}]""";
    private static final String POLICY = """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy",
             "metadata":{"name":"NAME"},"spec":{"failurePolicy":"Fail","matchConstraints":{"resourceRules":[
              {"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["configmaps"]}]},
              "matchConditions":[{"name":"c","expression":"request.namespace == 'fuzz'"}],
              "variables":[{"name":"size","expression":"size(object.data)"}],
              "validations":[{"expression":"EXPRESSION","messageExpression":"'no: ' + string(variables.size)",
               "reason":"Invalid"}],
              "auditAnnotations":[{"key":"k","valueExpression":"string(object.metadata.name)"}]}}""";
    private static final String MUTATING_POLICY = """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicy",
             "metadata":{"name":"NAME"},"spec":{"failurePolicy":"Fail","reinvocationPolicy":"IfNeeded",
              "matchConstraints":{"resourceRules":[
               {"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["configmaps"]}]},
              "variables":[{"name":"size","expression":"size(object.data)"}],
              "mutations":[{"patchType":"TYPE","MEMBER":{"expression":"EXPRESSION"}}]}}""";
    private static final List<String> CONFIGURATIONS = List.of(
            "Object{data: {'x': 'y', 'size': string(variables.size)}}",
            "Object{metadata: Object.metadata{labels: Object.metadata.labels{a: 'b'}}}",
            "has(object.metadata.labels) ? Object{} : Object{metadata: Object.metadata{annotations: {'a': 'b'}}}");
    private static final List<String> PATCHES = List.of(
            "[JSONPatch{op: 'add', path: '/data/x', value: 'y'}, JSONPatch{op: 'remove', path: '/data/k'}]",
            "[JSONPatch{op: 'test', path: '/kind', value: 'ConfigMap'}, JSONPatch{op: 'move', from: '/data/k', path: '/data/l'}]",
            "[JSONPatch{op: 'add', path: '/metadata/labels', value: {jsonpatch.escapeKey('a/b'): 'c'}}]");
    private static final List<String> EXPRESSIONS = List.of(
            "object.data.all(k, object.data[k].matches('^[a-z]+$')) && variables.size < 10",
            "[1, 2, 3].map(x, x * 2).filter(x, x > 2).exists_one(x, x == 4) ? true : has(object.metadata.labels)",
            "object.metadata.?labels.orValue({}).size() + int('3') > -1 && !(object.data.k in ['a', 'b'])",
            "string(request.userInfo.username).startsWith('a') || timestamp('2020-01-01T00:00:00Z').getFullYear() > 1",
            "quantity('1Gi').isGreaterThan(quantity('1Mi')) && url('https://a/b').getHost() == 'a'",
            "duration('1h').getSeconds() / 60 == 60 && 'a-b-c'.split('-').join('+').replace('+', '').size() == 3u",
            "authorizer.group('').resource('pods').namespace('x').check('get').allowed()");
    private static final String[] TOKENS = {
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ".",
        ",",
        "?",
        ":",
        "&&",
        "||",
        "!",
        "-",
        "+",
        "*",
        "/",
        "%",
        "==",
        "in",
        "<",
        "object",
        "oldObject",
        "request",
        "params",
        "variables",
        "authorizer",
        "namespaceObject",
        "null",
        "true",
        "0",
        "1.5",
        "1u",
        "0x7fffffffffffffff",
        "9223372036854775807",
        "-9223372036854775808",
        "1e400",
        "'a'",
        "b'\\xff'",
        "r'\\'",
        "\"\\u00e9\"",
        "'\\U0010ffff'",
        "size(object)",
        ".all(x, true)",
        ".map(x, x)",
        ".matches('(a+)+$')",
        ".matches('(')",
        "has(object.a)",
        "dyn(1)",
        "type(1)",
        "int('x')",
        "duration('x')",
        "[[[[[[[[[[",
        "((((((((((",
        "!!!!!!!!!!",
        "----------",
        "object.data.map(a, object.data.map(b, object.data.map(c, [a, b, c])))",
        "'%s %d %f'.format([1, 'a', null])",
        "'x'.charAt(9)",
        "'a'.lastIndexOf('b', 7)",
        "[].max()",
        "[1, 'a'].sort()",
        "1 / 0",
        "1 % 0",
        "{}.a",
        "[][0]",
        "optional.none().value()",
        "base64.decode('%')",
        "//",
        "\n",
        "__type",
        "@x"
    };

    private final Map<String, byte[]> answers = new ConcurrentHashMap<>();

    /** The work of one thread: sends the request of a mutation, and returns what is wrong with its answer. */
    @FunctionalInterface
    private interface Attempt {
        Optional<String> run(RawConnection connection, SplittableRandom random, String name) throws Exception;
    }

    private byte[] answer(byte[] review) {
        JsonObject request = Json.parseObject(review, JsonLimits.DEFAULT).object("request");
        byte[] answer = answers.getOrDefault(request.string("name"), new byte[0]);
        return new String(answer, StandardCharsets.ISO_8859_1)
                .replace("UID", request.string("uid"))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void answersOfWebhooksNeverBreakTheServer() throws Exception {
        Engine engine = Engine.builder()
                .webhook("/mutate", this::answer)
                .webhook(
                        "/validate",
                        review -> ANSWERS.getFirst()
                                .replace(
                                        "UID",
                                        Json.parseObject(review, JsonLimits.DEFAULT)
                                                .string("request", "uid"))
                                .replace(",\n \"patchType\":\"JSONPatch\",\"patch\":\"PATCH\"", "")
                                .getBytes(StandardCharsets.UTF_8))
                .build();
        try (TestServer server = TestServer.start(engine);
                RawConnection connection = new RawConnection(server.base(), server.token())) {
            created(
                    connection,
                    GROUP + "mutatingwebhookconfigurations",
                    WEBHOOKS.replace("KIND", "MutatingWebhookConfiguration").replace("PATH", "mutate"));
            created(
                    connection,
                    GROUP + "validatingwebhookconfigurations",
                    WEBHOOKS.replace("KIND", "ValidatingWebhookConfiguration").replace("PATH", "validate"));
            run(server, (wire, random, name) -> {
                byte[] patch = PATCH.getBytes(StandardCharsets.UTF_8);
                boolean patches = random.nextBoolean();
                String text = ANSWERS.get(patches ? 0 : random.nextInt(2))
                        .replace("PATCH", Base64.getEncoder().encodeToString(patches ? mutated(patch, random) : patch));
                byte[] answer = text.getBytes(StandardCharsets.UTF_8);
                answers.put(name, patches ? answer : mutated(answer, random));
                return check(
                        create(wire, name),
                        () -> new String(answers.get(name), StandardCharsets.UTF_8) + "\n"
                                + (patches ? new String(patch, StandardCharsets.UTF_8) : ""));
            });
        }
    }

    private byte[] converted(byte[] review) {
        JsonObject request = Json.parseObject(review, JsonLimits.DEFAULT).object("request");
        JsonObject metadata = request.objects("objects").getFirst().object("metadata");
        byte[] answer = answers.getOrDefault(metadata.string("name"), CONVERTED.getBytes(StandardCharsets.UTF_8));
        return new String(answer, StandardCharsets.ISO_8859_1)
                .replace("UID", request.string("uid"))
                .replace("VERSION", request.string("desiredAPIVersion"))
                .replace("NAME", metadata.string("name"))
                .replace("OBJECT", metadata.string("uid"))
                .replace("TIME", metadata.string("creationTimestamp"))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void answersOfConversionsNeverBreakTheServer() throws Exception {
        String things = "/apis/fuzz.example.com/v1/namespaces/fuzz/things";
        Engine engine = Engine.builder().webhook("/convert", this::converted).build();
        try (TestServer server = TestServer.start(engine);
                RawConnection connection = new RawConnection(server.base(), server.token())) {
            created(
                    connection,
                    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                    DEFINITION.replace(
                            "VERSIONS", VERSION.formatted("v1", true) + "," + VERSION.formatted("v2", false)));
            run(server, (wire, random, name) -> {
                String path = things.replace("v1", "v2") + "/" + name;
                if (!answers.containsKey(name)) {
                    created(wire, things, """
                            {"apiVersion":"fuzz.example.com/v1","kind":"Thing","metadata":{"name":"%s"},"spec":{}}""".formatted(name));
                    RawConnection.Reply read = wire.send("GET", path, "", new byte[0]);
                    assertThat(read.status()).as(read.text()).isEqualTo(200);
                }
                answers.put(name, mutated(CONVERTED.getBytes(StandardCharsets.UTF_8), random));
                byte[] patch = "{\"spec\":{\"size\":2}}".getBytes(StandardCharsets.UTF_8);
                RawConnection.Reply reply = random.nextBoolean()
                        ? wire.send("GET", path, "", new byte[0])
                        : wire.send("PATCH", path + "?dryRun=All", "application/merge-patch+json", patch);
                return check(reply, () -> new String(answers.get(name), StandardCharsets.UTF_8));
            });
        }
    }

    @Test
    void policiesNeverBreakTheServer() throws Exception {
        try (TestServer server = TestServer.start();
                RawConnection connection = new RawConnection(server.base(), server.token())) {
            for (int i = 0; i < THREADS; i++) {
                created(connection, GROUP + "validatingadmissionpolicybindings", """
                        {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding",
                         "metadata":{"name":"b%d"},"spec":{"policyName":"p%d","validationActions":["Deny"]}}""".formatted(i, i));
                created(connection, GROUP + "mutatingadmissionpolicybindings", """
                        {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicyBinding",
                         "metadata":{"name":"b%d"},"spec":{"policyName":"p%d"}}""".formatted(i, i));
            }
            run(server, (wire, random, name) -> {
                String policy = "p" + name.charAt(1);
                boolean validates = random.nextBoolean();
                String collection = validates ? POLICIES : GROUP + "mutatingadmissionpolicies";
                boolean expression = random.nextInt(4) > 0;
                byte[] plain = (validates ? validating(expression, random) : mutating(expression, random))
                        .replace("NAME", policy)
                        .getBytes(StandardCharsets.UTF_8);
                byte[] sent = expression ? plain : mutated(plain, random);
                Optional<String> made = check(
                        wire.send("POST", collection, "application/json", sent),
                        () -> new String(sent, StandardCharsets.UTF_8));
                Optional<String> written = check(create(wire, name), () -> new String(sent, StandardCharsets.UTF_8));
                RawConnection.Reply gone = wire.send("DELETE", collection + "/" + policy, "", new byte[0]);
                assertThat(gone.status()).as(gone.text()).isIn(200, 404);
                return made.isPresent() ? made : written;
            });
        }
    }

    private static String validating(boolean changed, SplittableRandom random) {
        return withExpression(POLICY, EXPRESSIONS, changed, random);
    }

    private static String mutating(boolean changed, SplittableRandom random) {
        boolean patches = random.nextBoolean();
        String policy = MUTATING_POLICY
                .replace("TYPE", patches ? "JSONPatch" : "ApplyConfiguration")
                .replace("MEMBER", patches ? "jsonPatch" : "applyConfiguration");
        return withExpression(policy, patches ? PATCHES : CONFIGURATIONS, changed, random);
    }

    private static String withExpression(
            String policy, List<String> expressions, boolean changed, SplittableRandom random) {
        String chosen = expressions.get(random.nextInt(expressions.size()));
        return policy.replace("\"EXPRESSION\"", Json.text(changed ? mutatedExpression(chosen, random) : chosen));
    }

    private static RawConnection.Reply create(RawConnection wire, String name) throws Exception {
        byte[] body = """
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"},"data":{"k":"v","l":"w"}}""".formatted(name).getBytes(StandardCharsets.UTF_8);
        return wire.send("POST", "/api/v1/namespaces/fuzz/configmaps?dryRun=All", "application/json", body);
    }

    private static void created(RawConnection connection, String path, String body) throws Exception {
        RawConnection.Reply reply =
                connection.send("POST", path, "application/json", body.getBytes(StandardCharsets.UTF_8));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    @Test
    void policiesTakeEffectWithoutMutations() throws Exception {
        try (TestServer server = TestServer.start();
                RawConnection connection = new RawConnection(server.base(), server.token())) {
            created(connection, "/api/v1/namespaces", "{\"metadata\":{\"name\":\"fuzz\"}}");
            created(
                    connection,
                    GROUP + "mutatingadmissionpolicies",
                    MUTATING_POLICY
                            .replace("NAME", "p")
                            .replace("TYPE", "JSONPatch")
                            .replace("MEMBER", "jsonPatch")
                            .replace("EXPRESSION", PATCHES.getFirst()));
            created(connection, GROUP + "mutatingadmissionpolicybindings", """
                    {"metadata":{"name":"b"},"spec":{"policyName":"p"}}""");
            created(
                    connection,
                    POLICIES,
                    POLICY.replace("NAME", "p").replace("EXPRESSION", "object.data.x == 'y' && variables.size == 1"));
            created(connection, GROUP + "validatingadmissionpolicybindings", """
                    {"metadata":{"name":"b"},"spec":{"policyName":"p","validationActions":["Deny"]}}""");
            assertThat(create(connection, "m").text())
                    .contains("is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no: 2");
        }
    }

    private static void run(TestServer server, Attempt attempt) throws Exception {
        long seed = Long.getLong("fuzz.seed", 1);
        int count = Integer.getInteger("fuzz.admission.count", 800);
        try (RawConnection connection = new RawConnection(server.base(), server.token())) {
            created(connection, "/api/v1/namespaces", """
                    {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"fuzz"}}""");
        }
        System.out.println("fuzz: seed " + seed + ", " + count + " mutations");
        SplittableRandom random = new SplittableRandom(seed);
        List<Future<List<String>>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom own = random.split();
                String name = "m" + i;
                results.add(threads.submit(() -> {
                    List<String> failures = new ArrayList<>();
                    try (RawConnection connection = new RawConnection(server.base(), server.token())) {
                        for (int n = 0; n < count / THREADS && failures.size() < 5; n++) {
                            attempt.run(connection, own, name).ifPresent(failures::add);
                        }
                    }
                    return failures;
                }));
            }
        }
        List<String> failures = new ArrayList<>();
        for (Future<List<String>> result : results) {
            failures.addAll(result.get());
        }
        assertThat(failures).as("seed " + seed).isEmpty();
    }

    private static byte[] mutated(byte[] body, SplittableRandom random) {
        return random.nextBoolean() ? Mutations.ofValues(body, random) : Mutations.ofBytes(body, random);
    }

    /** One to three words of the language, in place of some characters or between them, once or many times. */
    private static String mutatedExpression(String expression, SplittableRandom random) {
        StringBuilder changed = new StringBuilder(expression);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(changed.length() + 1);
            int end = random.nextBoolean() ? at : Math.min(changed.length(), at + random.nextInt(20));
            String token = TOKENS[random.nextInt(TOKENS.length)];
            changed.replace(at, end, token.repeat(random.nextInt(20) == 0 ? 1 + random.nextInt(2000) : 1));
        }
        return changed.toString();
    }

    private static Optional<String> check(RawConnection.Reply reply, java.util.function.Supplier<String> cause) {
        String problem = "";
        if (reply.status() == 0) {
            problem = "no answer";
        } else if (reply.status() < 200 || reply.status() > 599) {
            problem = "no status of HTTP";
        } else if (reply.status() >= 300) {
            try {
                JsonObject status = Json.parseObject(reply.body(), LARGE);
                String message = status.string("message");
                if (!"Status".equals(status.get("kind"))) {
                    problem = "no proper Status";
                } else if (message.contains("Exception")
                        || message.contains("java.")
                        || message.contains("StackOverflow")
                        || message.contains("OutOfMemory")) {
                    problem = "an error of the server";
                }
            } catch (JsonException e) {
                problem = "no Status: " + e.getMessage();
            }
        }
        return problem.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        problem + "\n  > " + cut(cause.get()) + "\n  < " + reply.status() + " " + cut(reply.text()));
    }

    private static String cut(String text) {
        return text.length() < 1_000 ? text : text.substring(0, 1_000) + " ...";
    }
}
