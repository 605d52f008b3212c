package dev.evenkeel.testing;

import static dev.evenkeel.testing.call.Calls.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.EventRecorder.Type;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.diff.Normalization;
import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each verb, expected: as it is, another, one too many, one too few. */
class ExpectationsTest {
    private static final Given<ConfigMap> MAP = Given.yaml(ConfigMap.class, """
            metadata: {namespace: shop, name: m}
            data: {a: b}
            """);
    private static final Given<ConfigMap> TWIN = MAP.name("twin");
    private static final Given<Deployment> APP = Given.yaml(Deployment.class, """
            metadata: {namespace: shop, name: app}
            spec:
              replicas: 1
              selector: {matchLabels: {a: b}}
              template:
                metadata: {labels: {a: b}}
                spec: {containers: [{name: c, image: i}]}
            """);
    private static final Given<GenericKubernetesResource> GENERIC = Given.yaml(GenericKubernetesResource.class, """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {namespace: shop, name: app}
            spec:
              replicas: 1
              selector: {matchLabels: {a: b}}
              template:
                metadata: {labels: {a: b}}
                spec: {containers: [{name: c, image: i}]}
            """);
    private static final Patch PATCH = Patch.merge("{\"metadata\": {\"labels\": {\"x\": \"y\", \"z\": \"\"}}}");
    private static final Patch STATUS = Patch.merge("{\"status\": {\"replicas\": 3}}");
    private static final WriteOptions MANAGER = WriteOptions.DEFAULT.fieldManager("m");
    private static final ListOptions SELECTED = ListOptions.in("shop").labels(LabelSelector.parse("a=b"));

    private interface Said extends Consumer<ReconcilerTests.Case<ConfigMap>> {}

    /**
     * A verb.
     *
     * @param call what the code under test does
     * @param expected the same
     * @param other another content, and what is told of it
     * @param elsewhere another object
     */
    private record Example(String name, Consumer<Client> call, Said expected, Said other, String told, Said elsewhere) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** As parts and managers do. */
    private static void finalizers(Client client, String list) {
        String version = client.get(ConfigMap.class, MAP.key()).getMetadata().getResourceVersion();
        merge(client, "{\"metadata\":{\"finalizers\":" + list + ",\"resourceVersion\":\"" + version + "\"}}");
    }

    private static void merge(Client client, String patch) {
        var unused = client.patch(Kind.of(ConfigMap.class), MAP.key(), Patch.merge(patch), WriteOptions.DEFAULT);
    }

    private static Deployment scaled(int replicas) {
        return APP.statusAt("replicas", replicas).object();
    }

    static Stream<Example> verbs() {
        Given<ConfigMap> made = MAP.name("made");
        return Stream.of(
                new Example(
                        "create",
                        client -> client.create(made.object()),
                        t -> t.expectCreate(made),
                        t -> t.expectCreate(made.at("data.a", "c")),
                        "a: c",
                        t -> t.expectCreate(made.name("n"))),
                new Example(
                        "update",
                        client -> client.update(MAP.at("data.a", "c").object()),
                        t -> t.expectUpdate(MAP.at("data.a", "c")),
                        t -> t.expectUpdate(MAP.at("data.a", "d")),
                        "a: d",
                        t -> t.expectUpdate(TWIN.at("data.a", "c"))),
                new Example(
                        "apply",
                        client -> client.apply(made.object(), MANAGER),
                        t -> t.expectApply(made),
                        t -> t.expectApply(made.at("data.a", "c")),
                        "a: c",
                        t -> t.expectApply(made.name("n"))),
                new Example(
                        "patch",
                        client -> client.patch(Kind.of(ConfigMap.class), MAP.key(), PATCH, WriteOptions.DEFAULT),
                        // whatever its blanks are
                        t -> t.expectPatch(MAP, Patch.merge("{\"metadata\":{\"labels\":{\"z\":\"\",\"x\":\"y\"}}}")),
                        t -> t.expectPatch(MAP, Patch.strategic(PATCH.text())),
                        "STRATEGIC",
                        t -> t.expectPatch(ConfigMap.class, "shop", "twin", PATCH)),
                new Example(
                        "finalizers",
                        client -> finalizers(client, "[\"x/a\",\"x/b\"]"),
                        t -> t.expectFinalizers(MAP, "x/a", "x/b"),
                        t -> t.expectFinalizers(MAP, "x/b"),
                        "MERGE",
                        t -> t.expectFinalizers(ConfigMap.class, "shop", "twin", "x/a", "x/b")),
                new Example(
                        "delete",
                        client -> client.delete(MAP.object()),
                        t -> t.expectDelete(MAP),
                        t -> t.expectDelete(
                                MAP,
                                DeleteOptions.DEFAULT.propagation(
                                        dev.evenkeel.client.DeleteOptions.Propagation.FOREGROUND)),
                        "FOREGROUND",
                        t -> t.expectDelete(TWIN)),
                new Example(
                        "deleteAll",
                        client -> client.deleteAll(Kind.of(ConfigMap.class), SELECTED, DeleteOptions.DEFAULT),
                        t -> t.expectDeleteAll(ConfigMap.class, SELECTED),
                        t -> t.expectDeleteAll(ConfigMap.class, SELECTED.labels(LabelSelector.parse("a=c"))),
                        "a=c",
                        t -> t.expectDeleteAll(
                                ConfigMap.class, ListOptions.in("mall").labels(LabelSelector.parse("a=b")))),
                new Example(
                        "updateStatus",
                        client -> client.updateStatus(scaled(3)),
                        t -> t.expectStatusUpdate(APP.statusAt("replicas", 3)),
                        t -> t.expectStatusUpdate(APP.statusAt("replicas", 4)),
                        "replicas: 4",
                        t -> t.expectStatusUpdate(APP.name("n").statusAt("replicas", 3))),
                new Example(
                        "patchStatus",
                        client ->
                                client.patchStatus(Kind.of(Deployment.class), APP.key(), STATUS, WriteOptions.DEFAULT),
                        t -> t.expectStatusPatch(APP, STATUS),
                        t -> t.expectStatusPatch(APP, Patch.merge("{\"status\": {\"replicas\": 4}}")),
                        "\"replicas\": 4",
                        t -> t.expectStatusPatch(Deployment.class, "shop", "n", STATUS)),
                new Example(
                        "applyStatus",
                        client -> client.applyStatus(Kind.of(Deployment.class), scaled(3), MANAGER),
                        t -> t.expectStatusApply(APP.statusAt("replicas", 3)),
                        t -> t.expectStatusApply(APP.statusAt("replicas", 4)),
                        "replicas: 4",
                        t -> t.expectStatusApply(APP.name("n").statusAt("replicas", 3))),
                new Example(
                        "scale",
                        client -> client.scale(Kind.of(Deployment.class), APP.key(), 5, WriteOptions.DEFAULT),
                        t -> t.expectScale(Deployment.class, "shop", "app", 5),
                        t -> t.expectScale(Deployment.class, "shop", "app", 6),
                        "should be to 6",
                        t -> t.expectScale(Deployment.class, "shop", "n", 5)));
    }

    private static void run(Consumer<Client> call, Said specification) {
        Tables.run(table(call, specification).stream());
    }

    private static ReconcilerTests<ConfigMap> table(Consumer<Client> call, Said specification) {
        return ReconcilerTests.of(() -> Controller.of(ConfigMap.class, reconciliation -> {
                    call.accept(reconciliation.client());
                    return Result.done();
                }))
                .rendering(Rendering.plain())
                .test("case", t -> {
                    t.request(MAP).given(MAP, TWIN).given(APP);
                    specification.accept(t);
                });
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> failing(Consumer<Client> call, Said specification) {
        return Tables.failing(table(call, specification).stream());
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void expectedIsFine(Example example) {
        run(example.call(), example.expected());
    }

    @Test
    @DisplayName("Expected objects are copied, whatever the code under test does to them later")
    void expectedObjectsAreCopied() {
        Secret shared = new SecretBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("shared")
                .endMetadata()
                .addToData("a", "MQ==")
                .build();
        failing(
                        client -> {
                            shared.getData().put("b", "Mg==");
                            var unused = client.create(shared);
                        },
                        t -> t.expectCreate(Given.of(shared)))
                .hasMessageContainingAll("create", "b: Mg==");
    }

    @Test
    @DisplayName("That an update is bound to a version can be expected")
    void versionsThatAreSent() {
        Consumer<Client> unbound = client -> {
            ConfigMap map = client.get(ConfigMap.class, MAP.key());
            map.getMetadata().setResourceVersion(null);
            map.setData(java.util.Map.of("a", "c"));
            var unused = client.update(map);
        };
        failing(
                        unbound,
                        t -> t.comparing(Normalization.written().comparing("metadata.resourceVersion"))
                                .expectUpdate(MAP.at("data.a", "c").resourceVersion("7")))
                .hasMessageContaining("resourceVersion: \"7\"");
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void reportsDifferences(Example example) {
        failing(example.call(), example.other()).hasMessageContaining(example.told());
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void reportsAnotherObject(Example example) {
        failing(example.call(), example.elsewhere()).hasMessageContainingAll("should be", "and is");
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void reportsUnexpectedEffects(Example example) {
        failing(example.call(), t -> {}).hasMessageContaining("Unexpected: ");
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void reportsMissingEffects(Example example) {
        failing(client -> {}, example.expected()).hasMessageContaining("Expected but not seen: ");
    }

    @Test
    @DisplayName("The order counts within a verb, and between verbs only on request")
    void order() {
        Consumer<Client> calls = client -> {
            var unused = client.update(MAP.at("data.a", "1").object());
            var unused2 = client.create(MAP.name("n").object());
            var unused3 = client.update(TWIN.at("data.a", "2").object());
        };
        run(
                calls,
                t -> t.expectCreate(MAP.name("n"))
                        .expectUpdate(MAP.at("data.a", "1"))
                        .expectUpdate(TWIN.at("data.a", "2"))
                        .expectOrder(
                                on(RecordedCall.Verb.UPDATE).name("m"),
                                on(RecordedCall.Verb.CREATE),
                                on(RecordedCall.Verb.UPDATE).name("twin")));
        failing(
                        calls,
                        t -> t.expectCreate(MAP.name("n"))
                                .expectUpdate(TWIN.at("data.a", "2"))
                                .expectUpdate(MAP.at("data.a", "1")))
                .hasMessageContainingAll("update 1 of 2", "update 2 of 2");
        failing(
                        calls,
                        t -> t.expectCreate(MAP.name("n"))
                                .expectUpdate(MAP.at("data.a", "1"))
                                .expectUpdate(TWIN.at("data.a", "2"))
                                .expectOrder(
                                        on(RecordedCall.Verb.CREATE),
                                        on(RecordedCall.Verb.UPDATE).name("m")))
                .hasMessageContaining("not in order, at 2");
    }

    @Test
    @DisplayName("Finalizers are the whole list, bound to the version that was read, and can be pasted")
    void finalizers() {
        Consumer<Client> clear = client -> finalizers(client, "null");
        run(clear, t -> t.expectFinalizers(MAP));
        failing(clear, t -> {}).hasMessageContaining(".expectFinalizers(ConfigMap.class, \"shop\", \"m\")");
        // what is sent otherwise is pasted as it is
        failing(client -> finalizers(client, "[]"), t -> {}).hasMessageContaining(".expectPatch(ConfigMap.class");
        failing(client -> merge(client, "{"), t -> t.expectError(RuntimeException.class))
                .hasMessageContaining(".expectPatch(ConfigMap.class");
        failing(clear, t -> t.expectFinalizers(MAP, "x/a"))
                .hasMessageContaining("{\"metadata\":{\"finalizers\":[\"x/a\"],\"resourceVersion\":");
        Consumer<Client> unbound = client -> merge(client, "{\"metadata\":{\"finalizers\":[\"x/a\"]}}");
        failing(unbound, t -> t.expectFinalizers(MAP, "x/a"))
                .hasMessageContaining("(that of the object that was read)");
        Consumer<Client> operations = client -> client.patch(
                Kind.of(ConfigMap.class),
                MAP.key(),
                Patch.json("[{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"x/a\"]}]"),
                WriteOptions.DEFAULT);
        failing(operations, t -> t.expectFinalizers(MAP, "x/a")).hasMessageContainingAll("MERGE", "JSON");
    }

    @Test
    @DisplayName("A generated name is compared as requested, typed and generic")
    void generatedNames() {
        Given<Deployment> typed = APP.without("metadata.name").at("metadata.generateName", "app-");
        Given<GenericKubernetesResource> generic =
                GENERIC.without("metadata.name").at("metadata.generateName", "app-");
        for (HasMetadata sent : new HasMetadata[] {typed.object(), generic.object()}) {
            Consumer<Client> call = client -> {
                HasMetadata made = sent instanceof GenericKubernetesResource object
                        ? client.create(
                                Kind.generic("apps", "v1", "Deployment", "deployments", true),
                                object,
                                WriteOptions.DEFAULT)
                        : client.create((Deployment) sent);
                assertThat(made.getMetadata().getName()).startsWith("app-");
            };
            run(call, t -> t.expectCreate(typed));
            run(call, t -> t.expectCreate(generic));
            // with defaults that the server gives, and without a name to give them by
            run(call, t -> t.expectCreate(typed.at("spec.revisionHistoryLimit", 10)));
            failing(call, t -> t.expectCreate(typed.at("metadata.generateName", "b-")))
                    .hasMessageContaining("generateName");
            failing(call, t -> t.expectCreate(typed.at("spec.replicas", 2))).hasMessageContaining("replicas");
        }
    }

    @Test
    @DisplayName("Writes of generic kinds by key or selection are expected as those of classes")
    void genericKinds() {
        Kind<GenericKubernetesResource> kind = Kind.generic("apps", "v1", "Deployment", "deployments", true);
        ListOptions selection = ListOptions.in("shop").labels(LabelSelector.parse("a=b"));
        Consumer<Client> all = client -> client.deleteAll(kind, selection, DeleteOptions.DEFAULT);
        Consumer<Client> scale = client -> client.scale(kind, APP.key(), 5, WriteOptions.DEFAULT);
        Consumer<Client> patch = client -> client.patch(kind, APP.key(), PATCH, WriteOptions.DEFAULT);

        run(all, t -> t.expectDeleteAll(kind, selection));
        run(all, t -> t.expectDeleteAll(Deployment.class, selection));
        failing(all, t -> t.expectDeleteAll(kind, ListOptions.in("mall"))).hasMessageContaining("mall");
        run(scale, t -> t.expectScale(GENERIC, 5));
        failing(scale, t -> t.expectScale(GENERIC, 6)).hasMessageContaining("should be to 6");
        run(patch, t -> t.expectPatch(GENERIC, PATCH));
        failing(patch, t -> t.expectPatch(GENERIC.name("n"), PATCH)).hasMessageContaining("shop/n");
    }

    @Test
    @DisplayName("Statuses of generic objects are compared (D4), and their keys, and nothing else of them")
    void genericStatuses() {
        Kind<GenericKubernetesResource> kind = Kind.generic("apps", "v1", "Deployment", "deployments", true);
        Consumer<Client> call = client -> {
            GenericKubernetesResource live = client.get(kind, APP.key());
            live.setAdditionalProperty("status", java.util.Map.of("replicas", 3));
            var unused = client.updateStatus(kind, live, WriteOptions.DEFAULT);
        };
        run(call, t -> t.expectStatusUpdate(GENERIC.at("status.replicas", 3)));
        run(call, t -> t.expectStatusUpdate(APP.statusAt("replicas", 3)));
        run(call, t -> t.expectStatusUpdate(APP.statusAt("replicas", 3).label("not", "compared")));
        failing(call, t -> t.expectStatusUpdate(GENERIC.at("status.replicas", 4)))
                .hasMessageContainingAll("update of the status", "replicas: 4");
        failing(call, t -> t.expectStatusUpdate(GENERIC)).hasMessageContaining("replicas: 3");
        failing(call, t -> t.expectStatusUpdate(GENERIC.name("n").at("status.replicas", 3)))
                .hasMessageContaining("shop/n");
    }

    @Test
    @DisplayName("The normalization can be set: nothing counts, or everything")
    void normalizations() {
        Consumer<Client> call = client ->
                client.update(MAP.at("data.a", "c").resourceVersion("").object());
        run(call, t -> t.comparing(Normalization.written().ignoring("**")).expectUpdate(MAP));
        failing(
                        call,
                        t -> t.comparing(Normalization.exact())
                                .expectUpdate(MAP.at("data.a", "c").uid("u")))
                .hasMessageContaining("uid");
        Consumer<Client> status = client -> client.updateStatus(scaled(3));
        run(
                status,
                t -> t.comparingStatus(Normalization.written().ignoring("**")).expectStatusUpdate(APP));
        failing(
                        status,
                        t -> t.comparingStatus(Normalization.exact())
                                .expectStatusUpdate(APP.statusAt("replicas", 3).label("now", "compared")))
                .hasMessageContaining("compared");
    }

    @Test
    @DisplayName("Secrets are compared as stored, whether data or stringData was given")
    void defaultsAreTheSame() {
        Given<Secret> one = Given.yaml(Secret.class, "{metadata: {namespace: shop, name: s}, stringData: {a: b}}");
        Given<Secret> other =
                Given.yaml(Secret.class, "{metadata: {namespace: shop, name: s}, type: Opaque, data: {a: Yg==}}");
        run(client -> client.create(one.object()), t -> t.expectCreate(other));
        run(client -> client.create(other.object()), t -> t.expectCreate(one));
    }

    @Test
    @DisplayName("An event is expected with any action, or with an exact one")
    void actions() {
        Supplier<ReconcilerTests<ConfigMap>> table =
                () -> ReconcilerTests.of(() -> Controller.of(ConfigMap.class, reconciliation -> {
                            ConfigMap map = reconciliation.resource().orElseThrow();
                            reconciliation.events().record(map, Type.NORMAL, "Made", "Making", "it is made");
                            return Result.done();
                        }))
                        .rendering(Rendering.plain());
        Tables.run(table
                .get()
                .test("any", t -> t.given(MAP).expectEvent(MAP, "Normal", "Made", "it is made"))
                .test(
                        "any by name",
                        t -> t.given(MAP).expectEvent(ConfigMap.class, "shop", "m", "Normal", "Made", "it is made"))
                .test(
                        "exact by name",
                        t -> t.given(MAP)
                                .expectEvent(ConfigMap.class, "shop", "m", "Normal", "Made", "Making", "it is made"))
                .test("exact", t -> t.given(MAP).expectEvent(MAP, "Normal", "Made", "Making", "it is made"))
                .stream());
        for (String action : List.of("", "Breaking")) {
            Tables.failing(table
                            .get()
                            .test(
                                    "other \"" + action + "\"",
                                    t -> t.given(MAP).expectEvent(MAP, "Normal", "Made", action, "it is made"))
                            .stream())
                    .hasMessageContainingAll("The event 1 differs", "\"Making\"");
        }
    }

    @Test
    @DisplayName("An apply is expected with any field manager, or with an exact one")
    void fieldManagers() {
        Given<ConfigMap> made = MAP.name("made");
        Consumer<Client> call = client -> client.apply(made.object(), MANAGER);
        run(call, t -> t.expectApply(made));
        run(call, t -> t.expectApply(made, "m"));
        run(call, t -> t.expectApply(made, "m"));
        failing(call, t -> t.expectApply(made, "other"))
                .hasMessageContainingAll("should have the field manager \"other\": \"m\"", ", \"m\")");

        Given<Deployment> status = APP.statusAt("replicas", 3);
        Consumer<Client> second = client -> client.applyStatus(status.object(), MANAGER);
        run(second, t -> t.given(APP).expectStatusApply(status, "m"));
        failing(second, t -> t.given(APP).expectStatusApply(status, "other"))
                .hasMessageContaining("should have the field manager");
    }

    @Test
    @DisplayName("Each problem is expected, and each expected error is one of the problems")
    void problems() {
        Supplier<ReconcilerTests<ConfigMap>> table = () -> ReconcilerTests.of(() -> Controller.of(
                        ConfigMap.class,
                        reconciliation -> Result.quiet(new IllegalStateException("first"))
                                .plus(Result.failed(new IllegalArgumentException("second")))))
                .rendering(Rendering.plain());
        Tables.run(table
                .get()
                .test(
                        "both",
                        t -> t.given(MAP)
                                .expectError(IllegalArgumentException.class, "second")
                                .expectError(IllegalStateException.class))
                .test("whatever", t -> t.given(MAP).expectError())
                .stream());
        Tables.failing(
                        table
                                .get()
                                .test("the second only", t -> t.given(MAP).expectError(IllegalArgumentException.class))
                                .stream())
                .hasMessageContaining("did with: java.lang.IllegalStateException: first");
        Tables.failing(
                        table
                                .get()
                                .test("the first only", t -> t.given(MAP).expectError(IllegalStateException.class))
                                .stream())
                .hasMessageContaining("did with: java.lang.IllegalArgumentException: second");
        Tables.failing(table
                        .get()
                        .test(
                                "a third",
                                t -> t.given(MAP).expectError().expectError(UnsupportedOperationException.class))
                        .stream())
                .hasMessageContaining("It should fail, with UnsupportedOperationException");
    }

    @Test
    @DisplayName("A metric is the one of exactly this name and these tags")
    void metrics() {
        Supplier<ReconcilerTests<ConfigMap>> table =
                () -> ReconcilerTests.<ConfigMap>in(cluster -> Controller.of(ConfigMap.class, reconciliation -> {
                            cluster.meters()
                                    .counter("looks", "kind", "small", "zone", "a")
                                    .increment();
                            cluster.meters()
                                    .counter("looks", "kind", "small", "zone", "b")
                                    .increment(2);
                            return Result.done();
                        }))
                        .rendering(Rendering.plain());
        Tables.run(table
                .get()
                .test(
                        "exact",
                        t -> t.given(MAP)
                                .expectMetric("looks", 2, "zone", "b", "kind", "small")
                                .expectMetric("looks", 1, "kind", "small", "zone", "a"))
                .stream());
        Tables.failing(table.get().test("any tags", t -> t.given(MAP).expectMetric("looks", 1)).stream())
                .hasMessageContaining("there is none: looks []; there are [looks[");
        Tables.failing(
                        table
                                .get()
                                .test("some tags", t -> t.given(MAP).expectMetric("looks", 1, "kind", "small"))
                                .stream())
                .hasMessageContaining("there is none: looks");
    }

    @Test
    @DisplayName("Events are one list, with actions and without, in their order")
    void events() {
        ReconcilerTests<ConfigMap> table = ReconcilerTests.of(() -> Controller.of(ConfigMap.class, reconciliation -> {
                    ConfigMap map = reconciliation.resource().orElseThrow();
                    reconciliation.events().record(map, Type.NORMAL, "Made", "Making", "it is made");
                    reconciliation.events().record(map, Type.WARNING, "Worn", "", "it is worn");
                    return Result.done();
                }))
                .rendering(Rendering.plain());
        Tables.run(table
                .test(
                        "both",
                        t -> t.given(MAP)
                                .expectEvent(MAP, "Normal", "Made", "Making", "it is made")
                                .expectEvent(MAP, "Warning", "Worn", "it is worn"))
                .stream());
        Tables.failing(table
                        .test(
                                "other order",
                                t -> t.given(MAP)
                                        .expectEvent(MAP, "Warning", "Worn", "it is worn")
                                        .expectEvent(MAP, "Normal", "Made", "Making", "it is made"))
                        .stream())
                .hasMessageContainingAll("The event 1 differs", "The event 2 differs", "Normal Made (Making)");
        Tables.failing(table.test("none", t -> t.given(MAP)).stream());
    }
}
