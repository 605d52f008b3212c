package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.contract.Sample;
import dev.evenkeel.server.replay.Answer;
import dev.evenkeel.server.replay.Wire;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The oldest and the newest kubectl of the machine, unmodified, work with the server: each aspect is tested with one of
 * them, and with {@code -Dkubectl.all=true} with every kubectl.
 */
class KubectlTest {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: widgets.kubectl.example.com
            spec:
              group: kubectl.example.com
              scope: Namespaced
              names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all]}
              versions:
              - name: v1
                served: true
                storage: true
                subresources:
                  status: {}
                  scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
                additionalPrinterColumns:
                - {name: Color, type: string, jsonPath: .spec.color}
                - {name: Replicas, type: integer, jsonPath: .spec.replicas}
                - {name: Note, type: string, jsonPath: .spec.note, priority: 1}
                schema:
                  openAPIV3Schema:
                    type: object
                    description: A thing that has a color.
                    properties:
                      spec:
                        type: object
                        description: What is wanted.
                        required: [color]
                        properties:
                          color: {type: string, description: The color of the widget.}
                          replicas: {type: integer, minimum: 0}
                          note: {type: string}
                      status:
                        type: object
                        properties:
                          replicas: {type: integer}
                          conditions:
                            type: array
                            items:
                              type: object
                              properties:
                                type: {type: string}
                                status: {type: string}
            """;
    private static final String WIDGET = """
            apiVersion: kubectl.example.com/v1
            kind: Widget
            metadata:
              name: w1
              labels: {app: x}
            spec: {color: red, replicas: 1, note: first}
            """;
    private static final String MAP = """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: m
            data: {a: "1"}
            """;
    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: d
            spec:
              replicas: 2
              selector: {matchLabels: {app: d}}
              template:
                metadata: {labels: {app: d}}
                spec:
                  containers:
                  - {name: c, image: "img:1"}
            """;

    @TempDir
    private Path temporary;

    private final Sample sample = Sample.of("kubectl");
    private final Map<String, Kubectl> chosen = new HashMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    @TestFactory
    Stream<DynamicNode> worksUnmodified() throws IOException {
        List<Kubectl> found = sample.all() ? Kubectl.all(temporary) : Kubectl.found(temporary);
        Assumptions.assumeFalse(found.isEmpty(), "no kubectl on the PATH or in EVENKEEL_KUBECTL");
        List<DynamicNode> nodes = new ArrayList<>();
        for (Kubectl kubectl : found) {
            nodes.add(DynamicContainer.dynamicContainer(kubectl.toString(), tests(kubectl, found)));
        }
        return nodes.stream();
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
    }

    private Stream<DynamicTest> tests(Kubectl found, List<Kubectl> all) throws IOException {
        TestServer server = TestServer.startWithTls();
        open.add(server);
        Wire wire = new Wire(server.base(), server.token());
        open.add(wire);
        Path directory = Files.createDirectories(temporary.resolve("1." + found.minor()));
        Kubectl kubectl = new Kubectl(found.binary(), found.minor(), directory, "default");
        kubectl.file("kubeconfig", server.kubeconfig());
        kubectl.file("crd.yaml", DEFINITION);
        kubectl.file("w.yaml", WIDGET);
        kubectl.file("m.yaml", MAP);
        kubectl.file("d.yaml", DEPLOYMENT);

        Map<String, Consumer<Kubectl>> aspects = new LinkedHashMap<>();
        aspects.put("api-resources", this::apiResources);
        aspects.put("explain", this::explain);
        aspects.put("apply", this::apply);
        aspects.put("create-and-replace", this::createAndReplace);
        aspects.put("create-without-files", this::createWithoutFiles);
        aspects.put("get", this::get);
        aspects.put("watch", this::watch);
        aspects.put("describe", this::describe);
        aspects.put("patch", this::patch);
        aspects.put("edit", this::edit);
        aspects.put("label-and-annotate", this::labelAndAnnotate);
        aspects.put("scale", this::scale);
        aspects.put("wait", session -> waits(session, wire));
        aspects.put("delete", this::delete);
        aspects.put("cascade", session -> cascade(session, wire));
        aspects.put("server-side-apply", this::serverSideApply);
        aspects.put("diff", this::diff);
        aspects.put("dry-run", this::dryRun);
        aspects.put("validation", this::validation);
        aspects.put("chunks", this::chunks);
        aspects.put("proxy", this::proxy);

        DynamicTest first = DynamicTest.dynamicTest("definition", () -> {
            Kubectl.Result applied = done(kubectl.run("apply", "-f", "crd.yaml"));
            assertThat(applied.out())
                    .isEqualTo("customresourcedefinition.apiextensions.k8s.io/widgets.kubectl.example.com created\n");
            Kubectl.Result waited = done(kubectl.run(
                    "wait", "--for=condition=Established", "crd/widgets.kubectl.example.com", "--timeout=20s"));
            assertThat(waited.out())
                    .isEqualTo(
                            "customresourcedefinition.apiextensions.k8s.io/widgets.kubectl.example.com condition met\n");
        });
        return Stream.concat(
                Stream.of(first),
                aspects.entrySet().stream()
                        .filter(aspect -> isTested(aspect.getKey(), found, all))
                        .map(aspect -> DynamicTest.dynamicTest(aspect.getKey(), () -> {
                            Kubectl session = kubectl.in("ns-" + aspect.getKey());
                            session.file(
                                    aspect.getKey() + "-ns.yaml",
                                    "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: " + session.namespace()
                                            + "\n");
                            done(kubectl.run("create", "-f", aspect.getKey() + "-ns.yaml"));
                            aspect.getValue().accept(session);
                        })));
    }

    private boolean isTested(String aspect, Kubectl kubectl, List<Kubectl> all) {
        return sample.all()
                || chosen.computeIfAbsent(aspect, name -> sample.of(all, 1).getFirst())
                        .equals(kubectl);
    }

    private void apiResources(Kubectl kubectl) {
        String out = done(kubectl.run("api-resources")).out();
        assertThat(out).containsPattern("(?m)^configmaps +cm +v1 +true +ConfigMap$");
        assertThat(out).containsPattern("(?m)^deployments +deploy +apps/v1 +true +Deployment$");
        assertThat(out).containsPattern("(?m)^widgets +wd +kubectl.example.com/v1 +true +Widget$");
        assertThat(done(kubectl.run("api-versions")).out()).contains("kubectl.example.com/v1\n", "apps/v1\n", "v1\n");
        assertThat(done(kubectl.run("version")).out()).contains("Server Version");
    }

    private void explain(Kubectl kubectl) {
        assertThat(done(kubectl.run("explain", "widgets.spec")).out())
                .contains("What is wanted.", "The color of the widget.", "replicas");
        assertThat(done(kubectl.run("explain", "widgets.spec.color")).out()).contains("<string>");
    }

    private void apply(Kubectl kubectl) {
        assertThat(done(kubectl.run("apply", "-f", "w.yaml")).out())
                .isEqualTo("widget.kubectl.example.com/w1 created\n");
        assertThat(done(kubectl.run("apply", "-f", "w.yaml")).out())
                .isEqualTo("widget.kubectl.example.com/w1 unchanged\n");
        kubectl.file("w-blue.yaml", WIDGET.replace("red", "blue").replace(", note: first", ""));
        assertThat(done(kubectl.run("apply", "-f", "w-blue.yaml")).out())
                .isEqualTo("widget.kubectl.example.com/w1 configured\n");
        assertThat(done(kubectl.run("get", "wd", "w1", "-o", "jsonpath={.spec}"))
                        .out())
                .contains("blue")
                .doesNotContain("first");
        kubectl.file("w-bad.yaml", WIDGET.replace("replicas: 1", "replicas: -1"));
        Kubectl.Result refused = kubectl.run("apply", "-f", "w-bad.yaml");
        assertThat(refused.exit()).as(refused.toString()).isEqualTo(1);
        assertThat(refused.err()).contains("spec.replicas in body should be greater than or equal to 0");

        assertThat(done(kubectl.run("apply", "-f", "m.yaml")).out()).isEqualTo("configmap/m created\n");
        assertThat(done(kubectl.run("apply", "-f", "m.yaml")).out()).isEqualTo("configmap/m unchanged\n");
        kubectl.file("m2.yaml", MAP.replace("a: \"1\"", "b: \"2\""));
        assertThat(done(kubectl.run("apply", "-f", "m2.yaml")).out()).isEqualTo("configmap/m configured\n");
        assertThat(done(kubectl.run("get", "cm", "m", "-o", "jsonpath={.data}")).out())
                .isEqualTo("{\"b\":\"2\"}");

        assertThat(done(kubectl.run("apply", "-f", "d.yaml")).out()).isEqualTo("deployment.apps/d created\n");
        kubectl.file("d2.yaml", DEPLOYMENT.replace("img:1", "img:2"));
        assertThat(done(kubectl.run("apply", "-f", "d2.yaml")).out()).isEqualTo("deployment.apps/d configured\n");
        assertThat(done(kubectl.run("get", "deploy", "d", "-o", "jsonpath={.spec.template.spec.containers[*].image}"))
                        .out())
                .isEqualTo("img:2");
    }

    private void createAndReplace(Kubectl kubectl) {
        assertThat(done(kubectl.run("create", "-f", "m.yaml")).out()).isEqualTo("configmap/m created\n");
        Kubectl.Result again = kubectl.run("create", "-f", "m.yaml");
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.err())
                .isEqualTo("Error from server (AlreadyExists): error when creating \"m.yaml\": configmaps \"m\" already"
                        + " exists\n");
        kubectl.file("m3.yaml", MAP.replace("\"1\"", "\"3\""));
        assertThat(done(kubectl.run("replace", "-f", "m3.yaml")).out()).isEqualTo("configmap/m replaced\n");
        assertThat(done(kubectl.run("get", "cm", "m", "-o", "jsonpath={.data.a}"))
                        .out())
                .isEqualTo("3");
    }

    /** Since 1.32 these are sent and answered in protobuf. */
    private void createWithoutFiles(Kubectl kubectl) {
        assertThat(done(kubectl.run("create", "namespace", "made-1-" + kubectl.minor()))
                        .out())
                .isEqualTo("namespace/made-1-" + kubectl.minor() + " created\n");
        assertThat(done(kubectl.run("create", "configmap", "c", "--from-literal=a=b"))
                        .out())
                .isEqualTo("configmap/c created\n");
        assertThat(done(kubectl.run("get", "cm", "c", "-o", "jsonpath={.data}")).out())
                .isEqualTo("{\"a\":\"b\"}");
        assertThat(done(kubectl.run("create", "secret", "generic", "s", "--from-literal=a=b"))
                        .out())
                .isEqualTo("secret/s created\n");
        assertThat(done(kubectl.run("get", "secret", "s", "-o", "jsonpath={.data.a}"))
                        .out())
                .isEqualTo("Yg==");
        assertThat(done(kubectl.run("create", "serviceaccount", "sa")).out()).isEqualTo("serviceaccount/sa created\n");
        assertThat(done(kubectl.run("create", "deployment", "d", "--image=img:1", "--replicas=2"))
                        .out())
                .isEqualTo("deployment.apps/d created\n");
        assertThat(done(kubectl.run("get", "deploy", "d", "-o", "jsonpath={.spec.replicas}"))
                        .out())
                .isEqualTo("2");
        assertThat(done(kubectl.run("create", "service", "clusterip", "svc", "--tcp=80:web"))
                        .out())
                .isEqualTo("service/svc created\n");
        assertThat(done(kubectl.run("get", "svc", "svc", "-o", "jsonpath={.spec.ports[0].targetPort}"))
                        .out())
                .isEqualTo("web");
        assertThat(done(kubectl.run("auth", "can-i", "get", "pods")).out()).isEqualTo("yes\n");
        if (kubectl.minor() >= 24) {
            assertThat(done(kubectl.run("create", "token", "sa")).out()).isNotBlank();
        }
        if (kubectl.minor() >= 28) {
            assertThat(done(kubectl.run("auth", "whoami")).out()).contains("system:masters");
        }
        Kubectl.Result again = kubectl.run("create", "configmap", "c");
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.err()).contains("configmaps \"c\" already exists\n");
    }

    private void get(Kubectl kubectl) {
        assertThat(done(kubectl.run("get", "widgets")).err())
                .isEqualTo("No resources found in " + kubectl.namespace() + " namespace.\n");
        Kubectl.Result missing = kubectl.run("get", "widgets", "none");
        assertThat(missing.exit()).isEqualTo(1);
        assertThat(missing.err())
                .isEqualTo("Error from server (NotFound): widgets.kubectl.example.com \"none\" not found\n");
        done(kubectl.run("apply", "-f", "w.yaml"));
        assertThat(done(kubectl.run("get", "widgets")).out()).matches("NAME +COLOR +REPLICAS\nw1 +red +1\n");
        assertThat(done(kubectl.run("get", "wd", "-o", "wide")).out())
                .matches("NAME +COLOR +REPLICAS +NOTE\nw1 +red +1 +first\n");
        assertThat(done(kubectl.run("get", "widget.v1.kubectl.example.com", "w1", "-o", "yaml"))
                        .out())
                .startsWith("apiVersion: kubectl.example.com/v1\nkind: Widget\n")
                .contains("\nspec:\n  color: red\n  note: first\n  replicas: 1\n");
        assertThat(done(kubectl.run("get", "widgets", "-o", "jsonpath={.items[*].spec.color}"))
                        .out())
                .isEqualTo("red");
        assertThat(done(kubectl.run("get", "widgets", "-l", "app=x", "-o", "name"))
                        .out())
                .isEqualTo("widget.kubectl.example.com/w1\n");
        assertThat(done(kubectl.run("get", "widgets", "-l", "app=y", "-o", "name"))
                        .out())
                .isEmpty();
        assertThat(done(kubectl.run("get", "widgets", "--field-selector", "metadata.name=w1", "-o", "name"))
                        .out())
                .isEqualTo("widget.kubectl.example.com/w1\n");
        assertThat(done(kubectl.run("get", "all")).out()).contains("widget.kubectl.example.com/w1");
        done(kubectl.run("apply", "-f", "d.yaml"));
        assertThat(done(kubectl.run("get", "deployments")).out())
                .matches("NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nd +0/2 +0 +0 +\\d+s\n");
    }

    private void watch(Kubectl kubectl) {
        done(kubectl.run("apply", "-f", "w.yaml"));
        Path output = kubectl.directory().resolve("watch.out");
        Process watching = kubectl.start(output, "get", "widgets", "-w");
        try {
            awaitText(output, "red");
            done(kubectl.run("patch", "widget", "w1", "--type=merge", "-p", "{\"spec\":{\"color\":\"green\"}}"));
            awaitText(output, "green");
            done(kubectl.run("patch", "widget", "w1", "--type=merge", "-p", "{\"spec\":{\"color\":\"blue\"}}"));
            awaitText(output, "blue");
        } finally {
            watching.destroy();
        }
        assertThat(text(output)).matches("NAME +COLOR +REPLICAS\nw1 +red +1\nw1 +green +1\nw1 +blue +1\n");
    }

    private void describe(Kubectl kubectl) {
        done(kubectl.run("apply", "-f", "w.yaml"));
        assertThat(done(kubectl.run("describe", "widget", "w1")).out())
                .startsWith("Name:         w1\nNamespace:    ns-describe\nLabels:       app=x\n")
                .contains("API Version:  kubectl.example.com/v1\nKind:         Widget\n", "Color:", "red", "Events:");
        done(kubectl.run("apply", "-f", "m.yaml"));
        assertThat(done(kubectl.run("describe", "cm", "m")).out())
                .startsWith("Name:         m\nNamespace:    ns-describe\nLabels:       <none>\n")
                .contains("Data\n====\na:\n----\n1\n");
    }

    private void patch(Kubectl kubectl) {
        done(kubectl.run("apply", "-f", "w.yaml"));
        done(kubectl.run("apply", "-f", "m.yaml"));
        done(kubectl.run("apply", "-f", "d.yaml"));
        assertThat(done(kubectl.run("patch", "widget", "w1", "--type=merge", "-p", "{\"spec\":{\"replicas\":5}}"))
                        .out())
                .isEqualTo("widget.kubectl.example.com/w1 patched\n");
        assertThat(done(kubectl.run("patch", "widget", "w1", "--type=merge", "-p", "{\"spec\":{\"replicas\":5}}"))
                        .out())
                .isEqualTo("widget.kubectl.example.com/w1 patched (no change)\n");
        done(kubectl.run(
                "patch",
                "widget",
                "w1",
                "--type=json",
                "-p",
                "[{\"op\":\"replace\",\"path\":\"/spec/color\",\"value\":\"pink\"}]"));
        assertThat(done(kubectl.run("get", "wd", "w1", "-o", "jsonpath={.spec.color}{.spec.replicas}"))
                        .out())
                .isEqualTo("pink5");
        done(kubectl.run("patch", "cm", "m", "-p", "{\"data\":{\"b\":\"2\"}}"));
        assertThat(done(kubectl.run("get", "cm", "m", "-o", "jsonpath={.data.a}{.data.b}"))
                        .out())
                .isEqualTo("12");
        done(kubectl.run(
                "patch",
                "deployment",
                "d",
                "-p",
                "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"side\",\"image\":\"s:1\"}]}}}}"));
        assertThat(done(kubectl.run("get", "deploy", "d", "-o", "jsonpath={.spec.template.spec.containers[*].name}"))
                        .out())
                .isEqualTo("side c");
        Kubectl.Result strategic = kubectl.run("patch", "widget", "w1", "-p", "{\"spec\":{\"replicas\":6}}");
        assertThat(strategic.exit()).isEqualTo(1);
    }

    private void edit(Kubectl kubectl) {
        done(kubectl.run("apply", "-f", "w.yaml"));
        assertThat(done(kubectl.run(Map.of("KUBE_EDITOR", "sed -i s/nothing/nothing/"), "edit", "widget", "w1"))
                        .err())
                .contains("Edit cancelled, no changes made.");
        assertThat(done(kubectl.run(Map.of("KUBE_EDITOR", "sed -i s/red/violet/"), "edit", "widget", "w1"))
                        .out())
                .isEqualTo("widget.kubectl.example.com/w1 edited\n");
        assertThat(done(kubectl.run("get", "wd", "w1", "-o", "jsonpath={.spec.color}"))
                        .out())
                .isEqualTo("violet");
        done(kubectl.run("apply", "-f", "m.yaml"));
        done(kubectl.run(Map.of("KUBE_EDITOR", "sed -i 's/  a: \"1\"/  a: \"9\"/'"), "edit", "cm", "m"));
        assertThat(done(kubectl.run("get", "cm", "m", "-o", "jsonpath={.data.a}"))
                        .out())
                .isEqualTo("9");
    }

    private void labelAndAnnotate(Kubectl kubectl) {
        done(kubectl.run("apply", "-f", "w.yaml"));
        assertThat(done(kubectl.run("label", "widget", "w1", "z=1")).out())
                .isEqualTo("widget.kubectl.example.com/w1 labeled\n");
        assertThat(done(kubectl.run("get", "wd", "-l", "z=1", "-o", "name")).out())
                .isEqualTo("widget.kubectl.example.com/w1\n");
        Kubectl.Result again = kubectl.run("label", "widget", "w1", "z=2");
        assertThat(again.exit()).isEqualTo(1);
        done(kubectl.run("label", "widget", "w1", "z-"));
        assertThat(done(kubectl.run("get", "wd", "-l", "z", "-o", "name")).out())
                .isEmpty();
        assertThat(done(kubectl.run("annotate", "widget", "w1", "zz=1")).out())
                // 1.27 leaves the d off
                .matches("widget.kubectl.example.com/w1 annotated?\n");
        assertThat(done(kubectl.run("get", "wd", "w1", "-o", "jsonpath={.metadata.annotations.zz}"))
                        .out())
                .isEqualTo("1");
    }

    private void scale(Kubectl kubectl) {
        done(kubectl.run("apply", "-f", "w.yaml"));
        assertThat(done(kubectl.run("scale", "widget", "w1", "--replicas=4")).out())
                .isEqualTo("widget.kubectl.example.com/w1 scaled\n");
        assertThat(done(kubectl.run("get", "wd", "w1", "-o", "jsonpath={.spec.replicas}"))
                        .out())
                .isEqualTo("4");
        done(kubectl.run("apply", "-f", "d.yaml"));
        assertThat(done(kubectl.run("scale", "deployment", "d", "--current-replicas=2", "--replicas=3"))
                        .out())
                .isEqualTo("deployment.apps/d scaled\n");
        assertThat(done(kubectl.run("get", "deploy", "d", "-o", "jsonpath={.spec.replicas}"))
                        .out())
                .isEqualTo("3");
        Kubectl.Result refused = kubectl.run("scale", "deployment", "d", "--current-replicas=2", "--replicas=5");
        assertThat(refused.exit()).isEqualTo(1);
    }

    private void waits(Kubectl kubectl, Wire wire) {
        done(kubectl.run("apply", "-f", "w.yaml"));
        Path ready = kubectl.directory().resolve("wait-ready.out");
        Process waiting = kubectl.start(ready, "wait", "--for=condition=Ready", "widget/w1", "--timeout=30s");
        Answer status = wire.send(
                "PATCH",
                "/apis/kubectl.example.com/v1/namespaces/" + kubectl.namespace() + "/widgets/w1/status",
                Map.of("Content-Type", "application/merge-patch+json"),
                Optional.of("{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}"
                        .getBytes(StandardCharsets.UTF_8)));
        assertThat(status.status()).as(status.text()).isEqualTo(200);
        assertThat(ended(waiting)).isZero();
        assertThat(text(ready)).isEqualTo("widget.kubectl.example.com/w1 condition met\n");

        await(() -> !watchesWidgets(wire), "the end of the first wait's watch");
        Path gone = kubectl.directory().resolve("wait-gone.out");
        Process deletion = kubectl.start(gone, "wait", "--for=delete", "widget/w1", "--timeout=30s");
        await(() -> watchesWidgets(wire), "a watch of widgets");
        done(kubectl.run("delete", "widget", "w1", "--wait=false"));
        assertThat(ended(deletion)).as(text(gone)).isZero();

        done(kubectl.run("apply", "-f", "w.yaml"));
        Kubectl.Result never = kubectl.run("wait", "--for=condition=Ready", "widget/w1", "--timeout=1s");
        assertThat(never.exit()).isEqualTo(1);
        assertThat(never.err()).contains("timed out waiting for the condition");
    }

    private static boolean watchesWidgets(Wire wire) {
        return wire.send("GET", "/metrics", Map.of("Accept", "text/plain"), Optional.empty())
                .text()
                .lines()
                .anyMatch(line -> line.startsWith("apiserver_longrunning_requests")
                        && line.contains("\"widgets\"")
                        && !line.endsWith(" 0.0")
                        && !line.endsWith(" 0"));
    }

    private void delete(Kubectl kubectl) {
        done(kubectl.run("apply", "-f", "w.yaml"));
        done(kubectl.run("apply", "-f", "m.yaml"));
        assertThat(done(kubectl.run("delete", "widget", "w1")).out())
                .startsWith("widget.kubectl.example.com \"w1\" deleted");
        assertThat(done(kubectl.run("delete", "cm", "m", "--wait=false")).out()).startsWith("configmap \"m\" deleted");
        Kubectl.Result missing = kubectl.run("delete", "cm", "m");
        assertThat(missing.exit()).isEqualTo(1);
        assertThat(missing.err()).isEqualTo("Error from server (NotFound): configmaps \"m\" not found\n");
        assertThat(done(kubectl.run("delete", "-f", "m.yaml", "--ignore-not-found"))
                        .out())
                .isEmpty();
        done(kubectl.run("apply", "-f", "m.yaml"));
        done(kubectl.run("delete", "cm", "--all"));
        done(kubectl.run("delete", "namespace", kubectl.namespace()));
        assertThat(kubectl.run("get", "namespace", kubectl.namespace()).exit()).isEqualTo(1);
    }

    private void cascade(Kubectl kubectl, Wire wire) {
        for (String cascade : List.of("background", "foreground", "orphan")) {
            done(kubectl.run("apply", "-f", "w.yaml"));
            String uid = done(kubectl.run("get", "wd", "w1", "-o", "jsonpath={.metadata.uid}"))
                    .out();
            kubectl.file("dependent.yaml", """
                    apiVersion: v1
                    kind: ConfigMap
                    metadata:
                      name: dependent-%s
                      ownerReferences:
                      - {apiVersion: kubectl.example.com/v1, kind: Widget, name: w1, uid: %s, blockOwnerDeletion: true}
                    """.formatted(cascade, uid));
            done(kubectl.run("create", "-f", "dependent.yaml"));
            done(kubectl.run("delete", "widget", "w1", "--cascade=" + cascade));
            assertThat(kubectl.run("get", "widget", "w1").exit()).isEqualTo(1);
            String dependent = "dependent-" + cascade;
            if (cascade.equals("orphan")) {
                assertThat(done(kubectl.run("get", "cm", dependent, "-o", "jsonpath={.metadata.ownerReferences}"))
                                .out())
                        .isEmpty();
            } else {
                String path = "/api/v1/namespaces/" + kubectl.namespace() + "/configmaps/" + dependent;
                await(() -> wire.send("GET", path, Map.of(), Optional.empty()).status() == 404, dependent + " is gone");
            }
        }
    }

    private void serverSideApply(Kubectl kubectl) {
        assertThat(done(kubectl.run("apply", "--server-side", "--field-manager=one", "-f", "w.yaml"))
                        .out())
                .isEqualTo("widget.kubectl.example.com/w1 serverside-applied\n");
        kubectl.file("w-two.yaml", WIDGET.replace("red", "blue"));
        Kubectl.Result conflict = kubectl.run("apply", "--server-side", "--field-manager=two", "-f", "w-two.yaml");
        assertThat(conflict.exit()).isEqualTo(1);
        assertThat(conflict.err())
                .contains("Apply failed with 1 conflict: conflict with \"one\": .spec.color", "--force-conflicts");
        assertThat(done(kubectl.run(
                                "apply",
                                "--server-side",
                                "--field-manager=two",
                                "--force-conflicts",
                                "-f",
                                "w-two.yaml"))
                        .out())
                .isEqualTo("widget.kubectl.example.com/w1 serverside-applied\n");
        assertThat(done(kubectl.run("get", "wd", "w1", "-o", "jsonpath={.spec.color}"))
                        .out())
                .isEqualTo("blue");
        // from client-side apply to server-side apply
        done(kubectl.run("apply", "-f", "m.yaml"));
        assertThat(done(kubectl.run("apply", "--server-side", "--force-conflicts", "-f", "m.yaml"))
                        .out())
                .isEqualTo("configmap/m serverside-applied\n");
    }

    private void diff(Kubectl kubectl) {
        done(kubectl.run("apply", "-f", "w.yaml"));
        done(kubectl.run("diff", "-f", "w.yaml"));
        kubectl.file("w-diff.yaml", WIDGET.replace("red", "blue"));
        Kubectl.Result different = kubectl.run("diff", "-f", "w-diff.yaml");
        assertThat(different.exit()).as(different.toString()).isEqualTo(1);
        assertThat(different.out()).contains("-  color: red\n+  color: blue\n");
        assertThat(done(kubectl.run("get", "wd", "w1", "-o", "jsonpath={.spec.color}"))
                        .out())
                .isEqualTo("red");
    }

    private void dryRun(Kubectl kubectl) {
        assertThat(done(kubectl.run("apply", "-f", "w.yaml", "--dry-run=server"))
                        .out())
                .isEqualTo("widget.kubectl.example.com/w1 created (server dry run)\n");
        assertThat(kubectl.run("get", "widget", "w1").exit()).isEqualTo(1);
        done(kubectl.run("apply", "-f", "m.yaml"));
        assertThat(done(kubectl.run("delete", "cm", "m", "--dry-run=server")).out())
                .startsWith("configmap \"m\" deleted");
        done(kubectl.run("get", "cm", "m"));
    }

    private void validation(Kubectl kubectl) {
        kubectl.file("w-extra.yaml", WIDGET.replace("color: red", "color: red, bogus: 1"));
        boolean server = kubectl.minor() >= 27;
        Kubectl.Result refused =
                kubectl.run("apply", "-f", "w-extra.yaml", server ? "--validate=strict" : "--validate=true");
        assertThat(refused.exit()).as(refused.toString()).isEqualTo(1);
        assertThat(refused.err()).contains(server ? "strict decoding error: unknown field \"spec.bogus\"" : "bogus");
        if (server) {
            Kubectl.Result warned = done(kubectl.run("apply", "-f", "w-extra.yaml", "--validate=warn"));
            assertThat(warned.err()).contains("Warning: unknown field \"spec.bogus\"");
        }
        done(kubectl.run("apply", "-f", "w-extra.yaml", "--validate=false"));
        assertThat(done(kubectl.run("get", "wd", "w1", "-o", "jsonpath={.spec.bogus}"))
                        .out())
                .isEmpty();
    }

    private void chunks(Kubectl kubectl) {
        StringBuilder maps = new StringBuilder();
        for (int i = 0; i < 7; i++) {
            maps.append("---\n").append(MAP.replace("name: m", "name: m" + i));
        }
        kubectl.file("maps.yaml", maps.toString());
        done(kubectl.run("create", "-f", "maps.yaml"));
        String all =
                done(kubectl.run("get", "cm", "--chunk-size=2", "-o", "name")).out();
        assertThat(all)
                .isEqualTo("configmap/m0\nconfigmap/m1\nconfigmap/m2\nconfigmap/m3\nconfigmap/m4\nconfigmap/m5\n"
                        + "configmap/m6\n");
        assertThat(done(kubectl.run("get", "cm", "--chunk-size=3")).out().lines())
                .hasSize(8);
    }

    private void proxy(Kubectl kubectl) {
        Path output = kubectl.directory().resolve("proxy.out");
        Process proxy = kubectl.start(output, "proxy", "--port=0");
        try {
            awaitText(output, "Starting to serve on ");
            String address =
                    text(output).replaceAll("(?s).*Starting to serve on ", "").strip();
            try (Wire wire = new Wire(URI.create("http://" + address), "")) {
                assertThat(wire.send("GET", "/version", Map.of(), Optional.empty())
                                .text())
                        .contains("gitVersion");
            }
        } finally {
            proxy.destroy();
        }
    }

    private static Kubectl.Result done(Kubectl.Result result) {
        assertThat(result.exit()).as(result.toString()).isZero();
        return result;
    }

    private static int ended(Process process) {
        try {
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return -1;
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitText(Path file, String text) {
        await(() -> text(file).contains(text), text + " in " + file.getFileName());
    }

    /** Polls until a condition holds, since another process cannot notify this one. */
    private static void await(java.util.function.BooleanSupplier condition, String what) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting for: " + what).isLessThan(end);
            java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
