package dev.evenkeel.testing.call;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Calls.onAny;
import static dev.evenkeel.testing.call.Calls.onWrites;
import static dev.evenkeel.testing.call.Reactor.Failure.alreadyExists;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.expired;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.Reactor.Failure.internal;
import static dev.evenkeel.testing.call.Reactor.Failure.notFound;
import static dev.evenkeel.testing.call.Reactor.Failure.unavailable;
import static dev.evenkeel.testing.call.RecordedCall.Body.contains;
import static dev.evenkeel.testing.call.RecordedCall.Body.sets;
import static dev.evenkeel.testing.call.RecordedCall.Body.touches;
import static dev.evenkeel.testing.call.RecordedCall.Verb.APPLY;
import static dev.evenkeel.testing.call.RecordedCall.Verb.CREATE;
import static dev.evenkeel.testing.call.RecordedCall.Verb.DELETE;
import static dev.evenkeel.testing.call.RecordedCall.Verb.DELETE_COLLECTION;
import static dev.evenkeel.testing.call.RecordedCall.Verb.GET;
import static dev.evenkeel.testing.call.RecordedCall.Verb.LIST;
import static dev.evenkeel.testing.call.RecordedCall.Verb.PATCH;
import static dev.evenkeel.testing.call.RecordedCall.Verb.UPDATE;
import static dev.evenkeel.testing.call.RecordedCall.Verb.WATCH;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The contract of a {@link ReactiveClient} over any client. */
abstract class ReactiveClientContract {
    private static final ObjectKey CHILD = ObjectKey.of("default", "child");
    private static final ObjectKey WEB = ObjectKey.of("default", "web");
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Kind<Deployment> DEPLOYMENTS = Kind.of(Deployment.class);
    private static final WriteOptions BY_ME = WriteOptions.DEFAULT.fieldManager("me");

    private final Engine engine = Engine.builder().executor(Runnable::run).build();
    private final Client server = engine.client();
    private ReactiveClient client = ReactiveClient.of(server);

    /** The client behind. */
    abstract Client behind(Client engine);

    @BeforeEach
    void start() {
        client = ReactiveClient.of(behind(server));
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("a", value)
                .build();
    }

    private static Deployment deployment() {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
                .withNewSelector()
                .addToMatchLabels("app", "web")
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "web")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("web:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    /** Makes one call of a verb: of the configmap default/child, or of those in the namespace. */
    private static void ask(RecordedCall.Verb verb, Client client) {
        switch (verb) {
            case GET -> client.find(MAPS, CHILD);
            case LIST -> client.list(MAPS, ListOptions.in("default"));
            case WATCH -> client.watch(MAPS, ListOptions.in("default")).close();
            case CREATE -> client.create(map("child", "1"));
            case UPDATE -> client.update(map("child", "2"));
            case APPLY -> client.apply(map("child", "3"), BY_ME.force(true));
            case PATCH -> client.patch(MAPS, CHILD, Patch.merge("{\"data\":{\"a\":\"4\"}}"), WriteOptions.DEFAULT);
            case DELETE -> client.delete(ConfigMap.class, CHILD);
            case DELETE_COLLECTION -> client.deleteAll(MAPS, ListOptions.in("default"), DeleteOptions.DEFAULT);
        }
    }

    /** So that a call of the verb succeeds. */
    private void prepare(RecordedCall.Verb verb) {
        if (verb != CREATE) {
            server.create(map("child", "0"));
        }
    }

    private Stream<DynamicTest> eachVerb(Consumer<RecordedCall.Verb> test) {
        return Stream.of(RecordedCall.Verb.values())
                .map(verb -> dynamicTest(verb.toString(), () -> {
                    server.deleteAll(MAPS, ListOptions.in("default"), DeleteOptions.DEFAULT);
                    start();
                    prepare(verb);
                    test.accept(verb);
                }));
    }

    private static Object textOf(HasMetadata object) {
        return ModelCodec.convert(object, GenericKubernetesResource.class);
    }

    // going through

    @TestFactory
    Stream<DynamicTest> every_call_is_kept_with_what_was_asked_and_answered() {
        return eachVerb(verb -> {
            ask(verb, client);
            RecordedCall call = client.journal().calls().getLast();
            assertThat(client.journal().calls()).hasSize(1);
            assertThat(call.number()).isEqualTo(1);
            assertThat(call.verb()).isEqualTo(verb);
            assertThat(call.kind()).isEqualTo(MAPS);
            assertThat(call.subresource()).isEmpty();
            assertThat(call.key()).isEqualTo(verb.selects() ? ObjectKey.of("default", "") : CHILD);
            assertThat(call.caller()).isEmpty();
            assertThat(call.failed()).isFalse();
            assertThat(call.isWrite()).isEqualTo(verb.writes());
            assertThat(call.body().text().isEmpty())
                    .isEqualTo(!EnumSet.of(CREATE, UPDATE, APPLY, PATCH).contains(verb));
        });
    }

    @Test
    void answersAreThoseOfTheServer() {
        ConfigMap created = client.create(map("child", "1"));
        assertThat(created.getMetadata().getUid()).isNotEmpty();
        assertThat(created.getMetadata().getResourceVersion()).isNotEmpty();
        assertThat(created.getMetadata().getCreationTimestamp()).isNotEmpty();
        assertThat(textOf(created)).isEqualTo(textOf(server.get(ConfigMap.class, CHILD)));
        assertThat(client.get(ConfigMap.class, CHILD)).isEqualTo(created);
        assertThat(client.list(MAPS, ListOptions.in("default")).items()).contains(created);
        Deletion<ConfigMap> deletion = client.delete(created);
        assertThat(deletion.uid()).isEqualTo(created.getMetadata().getUid());
        assertThat(deletion.remaining()).isEmpty();
        assertThat(client.find(ConfigMap.class, CHILD)).isEmpty();
        assertThatThrownBy(() -> client.get(ConfigMap.class, CHILD)).isInstanceOf(NotFoundException.class);
    }

    @Test
    void anUpdateWithTheAnswerOfTheCreateHasNoConflict() {
        ConfigMap created = client.create(map("child", "1"));
        created.getData().put("a", "2");
        ConfigMap updated = client.update(created);
        updated.getData().put("a", "3");
        client.update(updated);
        assertThat(server.get(ConfigMap.class, CHILD).getData()).containsEntry("a", "3");
        assertThatThrownBy(() -> client.update(created)).isInstanceOf(ConflictException.class);
        assertThat(client.journal().calls(UPDATE).getLast().answer().text()).isEqualTo("409 Conflict");
    }

    @Test
    void aDeleteThatFinalizersHoldTellsWhatStays() {
        ConfigMap held = map("child", "1");
        held.getMetadata().setFinalizers(List.of("example.com/held"));
        Deletion<ConfigMap> deletion = client.delete(client.create(held));
        assertThat(deletion.remaining()).isPresent();
        assertThat(client.journal().calls(DELETE))
                .singleElement()
                .hasToString("2 delete configmaps default/child -> marked for deletion");
    }

    @Test
    void applyMakesWhatIsMissingAlsoAsAPatch() {
        ConfigMap applied = client.apply(map("child", "1"), BY_ME);
        assertThat(applied.getMetadata().getUid()).isNotEmpty();
        client.patch(
                MAPS,
                ObjectKey.of("default", "other"),
                Patch.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: other}, data: {a: b}}"),
                BY_ME);
        assertThat(server.find(MAPS, ObjectKey.of("default", "other"))).isPresent();
        client.journal()
                .assertExactly(
                        APPLY, onAny().name("child"), onAny().name("other").body(sets("data.a", "b")));
    }

    @Test
    void subResourcesWork() {
        Deployment created = client.create(deployment());
        assertThat(client.scale(DEPLOYMENTS, WEB).desired()).isEqualTo(1);
        assertThat(client.scale(DEPLOYMENTS, WEB, 3, WriteOptions.DEFAULT).desired())
                .isEqualTo(3);
        Deployment scaled = client.get(Deployment.class, WEB);
        assertThat(scaled.getSpec().getReplicas()).isEqualTo(3);
        assertThat(scaled.getMetadata().getGeneration())
                .isGreaterThan(created.getMetadata().getGeneration());

        scaled.setStatus(deploymentStatus(2));
        scaled.getSpec().setReplicas(7);
        Deployment answered = client.updateStatus(scaled);
        assertThat(answered.getStatus().getReplicas()).isEqualTo(2);
        assertThat(answered.getSpec().getReplicas()).isEqualTo(3);
        client.patchStatus(DEPLOYMENTS, WEB, Patch.merge("{\"status\":{\"replicas\":4}}"), WriteOptions.DEFAULT);
        assertThat(server.get(Deployment.class, WEB).getStatus().getReplicas()).isEqualTo(4);

        assertThat(client.journal().calls().stream().map(RecordedCall::question))
                .containsExactly(
                        "create deployments.apps default/web",
                        "get deployments.apps/scale default/web",
                        "update deployments.apps/scale default/web",
                        "get deployments.apps default/web",
                        "update deployments.apps/status default/web",
                        "patch deployments.apps/status default/web");
    }

    private static DeploymentStatus deploymentStatus(int replicas) {
        return new DeploymentStatusBuilder().withReplicas(replicas).build();
    }

    @Test
    void watchesGoThrough() throws InterruptedException {
        try (Watch<ConfigMap> watch =
                client.watch(MAPS, ListOptions.in("default").resourceVersion("0"))) {
            client.create(map("child", "1"));
            Optional<Watch.Event<ConfigMap>> event;
            do {
                event = watch.next();
            } while (!"child".equals(event.orElseThrow().object().getMetadata().getName()));
            assertThat(event.get().object().getData()).containsEntry("a", "1");
        }
    }

    @Test
    void aCreateForWhichTheServerFindsTheNameIsKeptWithoutOne() {
        ConfigMap nameless = map("", "1");
        nameless.getMetadata().setName(null);
        nameless.getMetadata().setGenerateName("child-");
        ConfigMap created = client.create(nameless);
        assertThat(created.getMetadata().getName()).startsWith("child-");
        RecordedCall call = client.journal().calls(CREATE).getFirst();
        assertThat(call.key()).isEqualTo(ObjectKey.of("default", ""));
        assertThat(call.question()).isEqualTo("create configmaps default/*");
        assertThat(client.journal().count(on(CREATE).name(""))).isEqualTo(1);
    }

    @Test
    void theJournalHasWhatWasSentWhateverBecomesOfTheObject() {
        ConfigMap sent = map("child", "1");
        ConfigMap created = client.create(sent);
        sent.getData().put("a", "changed");
        created.getData().put("a", "changed too");
        RecordedCall call = client.journal().calls(CREATE).getFirst();
        assertThat(call.body().object(ConfigMap.class).orElseThrow().getData()).containsEntry("a", "1");
        assertThat(call.answer())
                .isInstanceOfSatisfying(
                        RecordedCall.Answer.Found.class,
                        found -> assertThat(
                                        found.object().decode(ConfigMap.class).getData())
                                .containsEntry("a", "1"));
        assertThat(call.body().text()).doesNotContain("uid");
    }

    @Test
    void aDryRunIsNoWrite() {
        client.create(MAPS, map("child", "1"), WriteOptions.DEFAULT.dryRun(true));
        client.journal().assertNoWrites();
        assertThat(client.journal().calls(CREATE)).singleElement().asString().contains("(dry run)");
        assertThat(server.find(MAPS, CHILD)).isEmpty();
    }

    // which calls

    @TestFactory
    Stream<DynamicTest> each_verb_is_told_from_the_others() {
        return eachVerb(verb -> {
            client.react(on(verb).fails(internal()));
            assertThatThrownBy(() -> ask(verb, client)).isInstanceOf(ApiException.class);
            for (RecordedCall.Verb other : EnumSet.complementOf(EnumSet.of(verb))) {
                try {
                    ask(other, client);
                } catch (ApiException e) {
                    assertThat(e.code()).as("%s", other).isNotEqualTo(500);
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> each_dimension_matches_and_does_not_match_for_each_verb() {
        return eachVerb(verb -> {
            List<Calls> fitting = new ArrayList<>(List.of(
                    on(verb),
                    onAny(),
                    on(RecordedCall.Verb.GET, RecordedCall.Verb.values()),
                    on(verb).kind(ConfigMap.class),
                    on(verb).kind(MAPS),
                    on(verb).kind(MAPS.encoded()),
                    on(verb).kind("configmaps"),
                    on(verb).namespace("default"),
                    on(verb).by("part"),
                    on(verb).subresource(""),
                    on(verb).anySubresource(),
                    on(verb).when(call -> call.key().namespace().equals("default")),
                    on(verb).kind(ConfigMap.class)
                            .namespace("default")
                            .by("part")
                            .nth(1)));
            List<Calls> others = new ArrayList<>(List.of(
                    on(verb).kind(Secret.class),
                    on(verb).kind("configmap"),
                    on(verb).kind(Kind.generic("example.com", "v1", "ConfigMap", "configmaps", true)),
                    on(verb).namespace("other"),
                    on(verb).namespace(""),
                    on(verb).by("par"),
                    on(verb).by("part/inner"),
                    on(verb).by(RecordedCall.REACTOR),
                    on(verb).status(),
                    on(verb).subresource("scale"),
                    on(verb).when(call -> false),
                    on(verb).body(touches("data.b")),
                    on(verb).nth(2),
                    on(verb).after(1)));
            if (!verb.selects()) {
                fitting.addAll(
                        List.of(on(verb).name("child"), on(verb).named(CHILD), onAny().named("default", "child")));
                others.addAll(List.of(
                        on(verb).name("chil"), on(verb).named("other", "child"), on(verb).named("default", "other")));
            } else {
                others.add(onAny().name(""));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> on(verb).name("child"))
                        .withMessageContaining("has no name");
            }
            for (Calls calls : fitting) {
                List<RecordedCall> seen = new ArrayList<>();
                Reactor reactor = calls.answers(call -> {
                    seen.add(call);
                    throw new IllegalCallerException("reacted");
                });
                client.react(reactor);
                assertThatThrownBy(() -> ask(verb, client.as("part")))
                        .as("%s", calls)
                        .isInstanceOf(IllegalCallerException.class);
                assertThat(seen).hasSize(1);
                client.remove(reactor);
            }
            for (Calls calls : others) {
                client.react(calls.fails(internal()));
            }
            ask(verb, client.as("part"));
            assertThat(client.unused()).hasSameSizeAs(others);
        });
    }

    @Test
    void aGetIsMatchedByTheNameThatItAsksFor() {
        client.react(on(GET).kind(ConfigMap.class).named("default", "child").fails(internal()));
        assertThat(client.find(MAPS, ObjectKey.of("default", "other"))).isEmpty();
        assertThatThrownBy(() -> client.find(MAPS, CHILD)).isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> client.get(MAPS, CHILD)).isInstanceOf(ApiException.class);
        assertThat(client.unused()).isEmpty();
    }

    @Test
    void aGroupMayBeSaidOrNot() {
        client.create(deployment());
        assertThat(client.journal().count(onAny().kind("deployments"))).isEqualTo(1);
        assertThat(client.journal().count(onAny().kind("deployments.apps"))).isEqualTo(1);
        assertThat(client.journal().count(onAny().kind("deployments.extensions")))
                .isZero();
    }

    @Test
    void writesOfStatusAndScaleAreOtherResourcesUnlessAnyIsMeant() {
        Deployment created = client.create(deployment());
        client.react(on(UPDATE, PATCH, APPLY).fails(conflict()));
        created.setStatus(deploymentStatus(1));
        Deployment updated = client.updateStatus(created);
        client.scale(DEPLOYMENTS, WEB, 2, WriteOptions.DEFAULT);
        assertThat(client.unused()).hasSize(1);

        client.react(on(UPDATE).status().fails(conflict()).once());
        assertThatThrownBy(() -> client.updateStatus(updated)).isInstanceOf(ConflictException.class);
        client.react(on(UPDATE, GET).subresource("scale").fails(conflict()).times(2));
        assertThatThrownBy(() -> client.scale(DEPLOYMENTS, WEB, 5, WriteOptions.DEFAULT))
                .isInstanceOf(ConflictException.class);
        assertThatThrownBy(() -> client.scale(DEPLOYMENTS, WEB)).isInstanceOf(ConflictException.class);
        client.react(onAny().fails(unavailable()).times(2));
        assertThatThrownBy(() -> client.updateStatus(updated)).hasMessageContaining("unable to handle");
        assertThatThrownBy(() -> client.scale(DEPLOYMENTS, WEB)).hasMessageContaining("unable to handle");
    }

    @Test
    void failThePatchThatTouchesFinalizers() {
        client.create(map("child", "1"));
        client.react(on(PATCH).body(touches("metadata.finalizers")).fails(notFound()));
        client.patch(MAPS, CHILD, Patch.merge("{\"data\":{\"a\":\"2\"}}"), WriteOptions.DEFAULT);
        assertThatThrownBy(() -> client.patch(
                        MAPS,
                        CHILD,
                        Patch.merge("{\"metadata\":{\"finalizers\":[\"example.com/x\"]}}"),
                        WriteOptions.DEFAULT))
                .isInstanceOf(NotFoundException.class);
    }

    @Test
    void anUpdateTouchesWhatDiffersFromWhatTheServerHas() {
        ConfigMap created = client.create(map("child", "1"));
        client.react(on(UPDATE).body(touches("data")).fails(forbidden("data are closed")));
        created.getMetadata().setLabels(Map.of("example.com/team", "a"));
        ConfigMap updated = client.update(created);
        assertThat(client.journal().count(on(UPDATE).body(touches("metadata.labels[example.com/team]"))))
                .isEqualTo(1);
        assertThat(client.journal().count(on(UPDATE).body(touches("metadata.resourceVersion"))))
                .isZero();
        updated.getData().remove("a");
        assertThatThrownBy(() -> client.update(updated))
                .isInstanceOf(ForbiddenException.class)
                .hasMessage("configmaps \"child\" is forbidden: data are closed");
    }

    @Test
    void aStatusUpdateTouchesNothingButTheStatus() {
        Deployment created = client.create(deployment());
        created.setStatus(deploymentStatus(1));
        created.getSpec().setReplicas(9);
        client.updateStatus(created);
        Calls status = on(UPDATE).status();
        assertThat(client.journal().count(status.body(touches("spec")))).isZero();
        assertThat(client.journal().count(status.body(touches("status.replicas"))))
                .isEqualTo(1);
        assertThat(client.journal().count(status.body(sets("status.replicas", 1))))
                .isEqualTo(1);
    }

    @Test
    void countsAreThoseOfTheMatcher() {
        client.create(map("child", "1"));
        client.create(map("other", "1"));
        client.find(MAPS, CHILD);
        client.list(MAPS, ListOptions.ALL);
        Journal journal = client.journal();
        assertThat(journal.count(on(CREATE))).isEqualTo(2);
        assertThat(journal.count(on(CREATE).name("other"))).isEqualTo(1);
        assertThat(journal.count(on(LIST).kind(ConfigMap.class))).isEqualTo(1);
        assertThat(journal.count(on(LIST).kind(Secret.class))).isZero();
        assertThat(journal.count(on(GET, LIST))).isEqualTo(2);
        assertThat(journal.count(onWrites())).isEqualTo(2);
        assertThat(journal.count(onAny().body(contains("other")))).isEqualTo(1);
    }

    // how often

    @Test
    void nthOnceTimesAndAfterCountWhatFits() {
        server.create(map("child", "1"));
        client.react(
                on(GET).name("child").nth(2).fails(internal()),
                on(GET).name("child").after(3).fails(unavailable()).times(2),
                on(GET).name("other").fails(expired()).once());
        assertThat(codes(8, () -> client.find(MAPS, CHILD))).containsExactly(0, 500, 0, 0, 503, 503, 0, 0);
        assertThat(codes(3, () -> client.find(MAPS, ObjectKey.of("default", "other"))))
                .containsExactly(410, 0, 0);
        assertThat(client.unused()).isEmpty();
    }

    private static List<Integer> codes(int times, Runnable call) {
        List<Integer> codes = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            try {
                call.run();
                codes.add(0);
            } catch (ApiException e) {
                codes.add(e.code());
            }
        }
        return codes;
    }

    @Test
    void aReactorIsAValueThatServesManyClients() {
        Reactor once = on(GET).fails(internal()).once();
        ReactiveClient another = ReactiveClient.of(behind(server)).react(once);
        client.react(once);
        assertThat(codes(2, () -> client.find(MAPS, CHILD))).containsExactly(500, 0);
        assertThat(codes(2, () -> another.find(MAPS, CHILD))).containsExactly(500, 0);
    }

    @Test
    void itReactsUntilItIsRemoved() {
        Reactor reactor = on(GET).fails(internal());
        client.react(reactor);
        assertThat(codes(3, () -> client.find(MAPS, CHILD))).containsExactly(500, 500, 500);
        client.remove(reactor);
        assertThat(codes(1, () -> client.find(MAPS, CHILD))).containsExactly(0);
    }

    // what happens

    @TestFactory
    Stream<DynamicTest> a_refused_call_has_no_effect_and_is_kept() {
        return eachVerb(verb -> {
            List<ConfigMap> before =
                    server.list(MAPS, ListOptions.in("default")).items();
            client.react(on(verb).kind(ConfigMap.class).fails(forbidden("quota")));
            assertThatThrownBy(() -> ask(verb, client))
                    .isInstanceOf(ForbiddenException.class)
                    .hasMessageEndingWith("is forbidden: quota");
            assertThat(server.list(MAPS, ListOptions.in("default")).items()).isEqualTo(before);
            assertThat(client.journal().calls(verb)).singleElement().asString().endsWith("-> 403 Forbidden");
        });
    }

    @TestFactory
    Stream<DynamicTest> a_lost_answer_took_effect_and_a_lost_connection_did_not() {
        return eachVerb(verb -> {
            Map<String, String> before = state();
            client.react(on(verb).losesConnection().once());
            assertThatThrownBy(() -> ask(verb, client)).isInstanceOf(UncheckedIOException.class);
            assertThat(state()).isEqualTo(before);
            client.react(on(verb).losesAnswer());
            assertThatThrownBy(() -> ask(verb, client))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("the connection is lost: " + verb + " configmaps");
            assertThat(state().equals(before)).isEqualTo(!verb.writes());
        });
    }

    private Map<String, String> state() {
        Map<String, String> state = new TreeMap<>();
        server.list(MAPS, ListOptions.in("default"))
                .items()
                .forEach(map ->
                        state.put(map.getMetadata().getName(), map.getMetadata().getResourceVersion()));
        return state;
    }

    @TestFactory
    Stream<DynamicTest> an_ignored_write_is_answered_and_not_done() {
        return eachVerb(verb -> {
            if (!verb.writes()) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> on(verb).isIgnored())
                        .withMessageContaining("only writes can be ignored");
                return;
            }
            Map<String, String> before = state();
            client.react(on(verb).isIgnored());
            ask(verb, client);
            assertThat(state()).isEqualTo(before);
            assertThat(client.journal().writes()).hasSize(1);
            assertThat(client.unused()).isEmpty();
        });
    }

    @Test
    void whatAnIgnoredWriteAnswers() {
        client.create(map("child", "1"));
        client.create(deployment());
        client.react(onAny().isIgnored());
        ConfigMap sent = map("child", "2");
        assertThat(client.update(sent)).isEqualTo(sent).isNotSameAs(sent);
        assertThat(client.create(map("x", "2")).getMetadata().getUid()).isNull();
        assertThat(client.apply(sent, BY_ME)).isEqualTo(sent);
        assertThat(client.patch(MAPS, CHILD, Patch.merge("{\"data\":null}"), WriteOptions.DEFAULT)
                        .getData())
                .containsEntry("a", "1");
        assertThat(client.scale(DEPLOYMENTS, WEB, 8, WriteOptions.DEFAULT).desired())
                .isEqualTo(8);
        assertThat(client.delete(ConfigMap.class, CHILD).uid())
                .isEqualTo(server.get(MAPS, CHILD).getMetadata().getUid());
        assertThat(client.deleteAll(DEPLOYMENTS, ListOptions.ALL, DeleteOptions.DEFAULT))
                .hasSize(1);
        assertThatThrownBy(() -> client.delete(ConfigMap.class, ObjectKey.of("default", "none")))
                .isInstanceOf(NotFoundException.class);
        assertThat(client.get(MAPS, CHILD).getData()).containsEntry("a", "1");
        assertThat(client.scale(DEPLOYMENTS, WEB).desired()).isEqualTo(1);
    }

    @Test
    void answersTakeThePlaceOfTheServers() {
        ConfigMap other = map("child", "other");
        client.react(on(GET).kind(ConfigMap.class).answers(other));
        assertThat(client.get(MAPS, CHILD)).isEqualTo(other).isNotSameAs(other);

        client.react(on(CREATE).kind(ConfigMap.class).answers(call -> {
            ConfigMap answer = call.body().object(ConfigMap.class).orElseThrow();
            answer.getMetadata().setUid("u-1");
            return answer;
        }));
        assertThat(client.create(map("x", "1")).getMetadata().getUid()).isEqualTo("u-1");
        assertThat(server.find(MAPS, ObjectKey.of("default", "x"))).isEmpty();

        client.react(on(LIST, DELETE_COLLECTION).answers(List.of(other)));
        assertThat(client.list(MAPS, ListOptions.ALL).items()).containsExactly(other);
        assertThat(client.deleteAll(MAPS, ListOptions.ALL, DeleteOptions.DEFAULT))
                .containsExactly(other);

        client.react(on(GET, UPDATE).subresource("scale").answers(new Client.Replicas(1, 2, "")));
        assertThat(client.scale(DEPLOYMENTS, WEB).observed()).isEqualTo(2);
        assertThat(client.scale(DEPLOYMENTS, WEB, 9, WriteOptions.DEFAULT).desired())
                .isEqualTo(1);

        ConfigMap marked = map("child", "x");
        marked.getMetadata().setUid("u-2");
        client.react(on(DELETE).answers(marked));
        assertThat(client.delete(ConfigMap.class, CHILD)).isEqualTo(new Deletion<ConfigMap>("u-2", Optional.empty()));
    }

    @Test
    void anAnswerThatDoesNotSuitSaysSo() {
        client.react(
                on(GET, LIST).answers(new SecretBuilder().build()), on(WATCH).answers(map("x", "1")));
        assertThatIllegalStateException()
                .isThrownBy(() -> client.find(MAPS, CHILD))
                .withMessage(
                        "a reactor answers with a Secret, which is not an answer to: get configmaps default/child");
        assertThatIllegalStateException()
                .isThrownBy(() -> client.watch(MAPS, ListOptions.ALL))
                .withMessageContaining("not an answer to: watch configmaps");
        client.react(on(GET).answers(List.of(map("x", "1"))));
        assertThatIllegalStateException()
                .isThrownBy(() -> client.find(MAPS, CHILD))
                .withMessageContaining("a reactor answers with a list");
    }

    @Test
    void nothingIsFound() {
        server.create(map("child", "1"));
        client.react(onAny().kind(ConfigMap.class).findsNothing());
        assertThat(client.find(MAPS, CHILD)).isEmpty();
        assertThat(client.list(MAPS, ListOptions.ALL).items()).isEmpty();
        client.delete(ConfigMap.class, CHILD);
        assertThat(client.journal().calls(GET)).singleElement().asString().endsWith("-> none");
        assertThatIllegalArgumentException().isThrownBy(() -> on(CREATE).findsNothing());
    }

    @Test
    void aFindThatFailsWithNotFoundFindsNothingAsWithAnyClient() {
        server.create(map("child", "1"));
        client.react(on(GET).fails(notFound()));
        assertThat(client.find(MAPS, CHILD)).isEmpty();
        assertThatThrownBy(() -> client.get(MAPS, CHILD))
                .isInstanceOf(NotFoundException.class)
                .hasMessage("configmaps \"child\" not found");
    }

    @Test
    void aWatchIsRefused() {
        client.react(on(WATCH).kind(ConfigMap.class).fails(expired()).once());
        assertThatThrownBy(() -> client.watch(MAPS, ListOptions.ALL.resourceVersion("1")))
                .isInstanceOf(ExpiredException.class);
        client.watch(MAPS, ListOptions.ALL).close();
        assertThat(client.journal().calls(WATCH).stream().map(RecordedCall::toString))
                .containsExactly("1 watch configmaps -> 410 Expired", "2 watch configmaps -> watching");
    }

    @Test
    void watchesAndListsAreSeenWithTheirSelectors() {
        AtomicReference<ListOptions> seen = new AtomicReference<>(ListOptions.ALL);
        client.react(on(WATCH, LIST).observes(call -> seen.set(call.selection())));
        ListOptions mine = ListOptions.in("default").labels(LabelSelector.parse("app=web"));
        client.watch(MAPS, mine).close();
        assertThat(seen.get()).isEqualTo(mine);
        client.list(MAPS, ListOptions.ALL.limit(5));
        assertThat(seen.get().limit()).isEqualTo(5);
    }

    @Test
    void collectionDeletesAreMatchedByNamespace() {
        server.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName("other")
                .endMetadata()
                .build());
        ConfigMap there = map("child", "1");
        there.getMetadata().setNamespace("other");
        server.create(there);
        server.create(map("child", "1"));
        client.react(on(DELETE_COLLECTION).namespace("other").fails(forbidden("not yours")));
        assertThatThrownBy(() -> client.deleteAll(MAPS, ListOptions.in("other"), DeleteOptions.DEFAULT))
                .isInstanceOf(ForbiddenException.class);
        List<ConfigMap> deleted = client.deleteAll(MAPS, ListOptions.in("default"), DeleteOptions.DEFAULT);
        assertThat(deleted).extracting(map -> map.getMetadata().getName()).contains("child");
        assertThat(server.find(MAPS, CHILD)).isEmpty();
        assertThat(server.find(MAPS, ObjectKey.of("other", "child"))).isPresent();
        assertThat(client.journal().calls().getFirst())
                .hasToString("1 delete collection configmaps in other -> 403 Forbidden");
    }

    @Test
    void aDelayMovesTheClockItIsGiven() {
        AtomicReference<Instant> clock = new AtomicReference<>(Instant.EPOCH);
        ReactiveClient slow = ReactiveClient.builder(behind(server))
                .clock(clock::get)
                .delays(duration -> clock.updateAndGet(now -> now.plus(duration)))
                .build()
                .react(on(CREATE).delays(Duration.ofSeconds(30)));
        slow.create(map("child", "1"));
        slow.find(MAPS, CHILD);
        assertThat(slow.journal().calls().stream().map(RecordedCall::time))
                .containsExactly(Instant.EPOCH, Instant.EPOCH.plusSeconds(30));
        client.react(on(GET).delays(Duration.ofSeconds(1)));
        assertThatIllegalStateException()
                .isThrownBy(() -> client.find(MAPS, CHILD))
                .withMessageContaining("ReactiveClient.builder(client).delays");
    }

    @Test
    void whatIsSentIsChangedAsByAWebhook() {
        client.react(on(CREATE, UPDATE, APPLY).changes(ConfigMap.class, map -> {
            map.getData().put("injected", "yes");
            return map;
        }));
        ConfigMap sent = map("child", "1");
        ConfigMap created = client.create(sent);
        assertThat(sent.getData()).doesNotContainKey("injected");
        assertThat(created.getData()).containsEntry("injected", "yes");
        assertThat(client.update(map("child", "2")).getData()).containsEntry("injected", "yes");
        client.react(on(PATCH)
                .changes(unused -> new RecordedCall.Body.Change(Patch.merge("{\"data\":{\"a\":\"patched\"}}"))));
        client.patch(MAPS, CHILD, Patch.merge("{}"), WriteOptions.DEFAULT);
        assertThat(server.get(MAPS, CHILD).getData()).containsEntry("a", "patched");
        // what was sent, not what became of it
        assertThat(client.journal().count(onAny().body(contains("injected")))).isZero();
    }

    @Test
    void reactorsAreChainedLaterOnesFirst() {
        List<String> order = new ArrayList<>();
        client.react(on(CREATE).fails(alreadyExists()));
        client.react(
                on(CREATE).observes(call -> order.add("first")),
                on(CREATE).changes(ConfigMap.class, map -> {
                    map.getData().put("b", "2");
                    return map;
                }),
                on(CREATE).body(sets("data.b", "2")).observes(call -> order.add("changed")));
        client.react(on(CREATE).name("mine").observes(call -> order.add("latest")));
        assertThatThrownBy(() -> client.create(map("mine", "1"))).isInstanceOf(AlreadyExistsException.class);
        assertThat(order).containsExactly("latest", "first", "changed");
        client.react(on(CREATE).isIgnored());
        client.create(map("mine", "1"));
        assertThat(order).hasSize(3);
        assertThat(client.unused()).isEmpty();
    }

    @Test
    void errorsComeAsTheyAreGiven() {
        ApiException mine = ApiException.of(Status.of(418, "", "a teapot"));
        client.react(on(GET).fails(mine), on(LIST).fails(() -> new IllegalCallerException("mine too")));
        assertThatThrownBy(() -> client.find(MAPS, CHILD)).isSameAs(mine);
        assertThatThrownBy(() -> client.list(MAPS, ListOptions.ALL)).isInstanceOf(IllegalCallerException.class);
        assertThat(client.journal().calls().stream().map(RecordedCall::toString))
                .containsExactly(
                        "1 get configmaps default/child -> 418", "2 list configmaps -> IllegalCallerException");
    }

    @Test
    void anObserverMayFailTheTest() {
        client.react(on(CREATE).observes(call -> assertThat(call.key().name()).isEqualTo("right")));
        assertThatThrownBy(() -> client.create(map("wrong", "1"))).isInstanceOf(AssertionError.class);
        assertThat(client.journal().calls().getFirst().failed()).isTrue();
    }

    // who asks

    @Test
    void aReactorMayCallTheClient() {
        client.create(map("child", "1"));
        // someone else is faster
        client.react(on(UPDATE)
                .observes(call ->
                        client.patch(MAPS, CHILD, Patch.merge("{\"data\":{\"a\":\"theirs\"}}"), WriteOptions.DEFAULT))
                .once());
        ConfigMap mine = client.get(MAPS, CHILD);
        mine.getData().put("a", "mine");
        assertThatThrownBy(() -> client.update(mine)).isInstanceOf(ConflictException.class);
        ConfigMap again = client.get(MAPS, CHILD);
        assertThat(again.getData()).containsEntry("a", "theirs");
        again.getData().put("a", "mine");
        client.update(again);
        assertThat(client.journal().by(RecordedCall.REACTOR).calls())
                .singleElement()
                .hasToString("4 patch configmaps default/child -> version "
                        + again.getMetadata().getResourceVersion());
        assertThat(client.journal().count(on(PATCH))).isZero();
        assertThat(client.journal().writes()).hasSize(3);
    }

    @Test
    void reactorsLeaveTheCallsOfReactorsAlone() {
        client.react(
                on(CREATE).observes(call -> client.create(map("more", "1"))).once());
        client.react(on(CREATE).observes(call -> client.find(MAPS, call.key())));
        client.create(map("child", "1"));
        assertThat(client.journal().calls().stream().map(call -> call.caller() + " " + call.question()))
                .containsExactly(
                        " create configmaps default/child",
                        "reactor get configmaps default/child",
                        "reactor create configmaps default/more");
    }

    @Test
    void aCallThatGoesOnIsNotTheReactorsOwn() {
        AtomicReference<String> caller = new AtomicReference<>("");
        client.react(on(CREATE).by("part").losesAnswer(), on(CREATE).observes(call -> caller.set(call.caller())));
        assertThatThrownBy(() -> client.as("part").create(map("child", "1"))).isInstanceOf(UncheckedIOException.class);
        assertThat(caller.get()).isEqualTo("part");
    }

    @Test
    void partsOfPartsAreNamedByTheirWay() {
        ReactiveClient website = client.as("website");
        ReactiveClient child = website.as("deployment");
        client.find(MAPS, CHILD);
        website.find(MAPS, CHILD);
        child.find(MAPS, CHILD);
        client.as("website2").find(MAPS, CHILD);
        assertThat(client.journal().calls().stream().map(RecordedCall::caller))
                .containsExactly("", "website", "website/deployment", "website2");
        assertThat(client.journal().count(onAny().by("website"))).isEqualTo(2);
        assertThat(client.journal().count(onAny().by("website/deployment"))).isEqualTo(1);
        assertThat(child.journal().calls()).hasSize(4);
        client.react(onAny().by("website/deployment").fails(internal()));
        website.find(MAPS, CHILD);
        assertThatThrownBy(() -> child.find(MAPS, CHILD)).isInstanceOf(ApiException.class);
    }

    @Test
    void callsOfManyThreadsAreAllKept() throws InterruptedException {
        client.react(on(CREATE).nth(50).fails(internal()));
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failed = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 8; i++) {
            int number = i;
            threads.add(Thread.startVirtualThread(() -> {
                for (int j = 0; j < 25; j++) {
                    try {
                        client.as("t" + number).create(map("m-" + number + "-" + j, "1"));
                    } catch (ApiException e) {
                        failed.add(e);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failed).hasSize(1);
        List<RecordedCall> calls = client.journal().calls();
        assertThat(calls).hasSize(200);
        assertThat(calls.stream().filter(RecordedCall::failed)).hasSize(1);
        for (int i = 0; i < calls.size(); i++) {
            assertThat(calls.get(i).number()).isEqualTo(i + 1);
            assertThat(calls.get(i).answer()).isNotInstanceOf(RecordedCall.Answer.Pending.class);
        }
    }

    // what was never needed

    @Test
    void aReactorThatNeverFiredIsToldWithTheCallsThereWere() {
        client.react(
                on(CREATE).kind(ConfigMap.class).named("default", "x").fails(conflict()),
                on(DELETE).kind("configmap").fails(conflict()).once(),
                on(CREATE).nth(2).losesAnswer(),
                on(UPDATE).body(touches("metadata.finalizers")).isIgnored().optional(),
                on(CREATE).observes(call -> {}));
        client.create(map("child", "1"));
        String version = requireNonNull(server.get(MAPS, CHILD).getMetadata().getResourceVersion());
        assertThat(client.unused())
                .containsExactly(
                        """
                        this reactor never fired: on create configmaps named default/x: fails with 409 Conflict; calls \
                        of the verb:
                          1 create configmaps default/child -> version %s""".formatted(version),
                        "this reactor never fired: on delete configmap: fails with 409 Conflict, once;"
                                + " there were no calls of the verb",
                        """
                        this reactor never fired: on create, the 2nd: loses the answer; matching calls: 1; \
                        calls of the verb:
                          1 create configmaps default/child -> version %s""".formatted(version));
    }

    @Test
    void everyVerbAndReactionIsToldInWords() {
        assertThat(Stream.of(
                                on(CREATE, UPDATE)
                                        .kind(ConfigMap.class)
                                        .namespace("a")
                                        .fails(conflict()),
                                on(PATCH)
                                        .status()
                                        .body(touches("status.ready"))
                                        .nth(3)
                                        .losesAnswer(),
                                on(DELETE).by("website").after(1).isIgnored().times(2),
                                onAny().when("of the afternoon", call -> true).delays(Duration.ofSeconds(3)),
                                on(LIST).when(call -> true).findsNothing().once())
                        .map(Reactor::toString))
                .containsExactly(
                        "create or update configmaps in a: fails with 409 Conflict",
                        "patch of status touching status.ready, the 3rd: loses the answer",
                        "delete by website, after the 1st: is ignored, 2 times",
                        "any call of the afternoon: takes PT3S",
                        "list with a condition: finds nothing, once");
        assertThat(Set.of(RecordedCall.Verb.values()).stream().map(RecordedCall.Verb::toString))
                .contains("delete collection", "get");
    }

    @Test
    void aListingKeepsItsVersionAndItsPages() {
        server.create(map("child", "1"));
        server.create(map("other", "1"));
        Listing<ConfigMap> page = client.list(MAPS, ListOptions.in("default").limit(1));
        assertThat(page.continueToken()).isNotEmpty();
        assertThat(page.resourceVersion()).isNotEmpty();
        assertThat(client.journal().calls().getFirst())
                .hasToString("1 list configmaps in default -> 1 object, and more");
    }
}
