package dev.evenkeel.testing.call;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Calls.onAny;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.RecordedCall.Body.sets;
import static dev.evenkeel.testing.call.RecordedCall.Body.touches;
import static dev.evenkeel.testing.call.RecordedCall.Verb.CREATE;
import static dev.evenkeel.testing.call.RecordedCall.Verb.DELETE;
import static dev.evenkeel.testing.call.RecordedCall.Verb.GET;
import static dev.evenkeel.testing.call.RecordedCall.Verb.PATCH;
import static dev.evenkeel.testing.call.RecordedCall.Verb.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** On the journal of: finalizer patched, child created, secret created, status looked at, all by their parts. */
class JournalTest {
    private static final ObjectKey PARENT = ObjectKey.of("default", "parent");

    private final Engine engine = Engine.builder().executor(Runnable::run).build();
    private final ReactiveClient client = ReactiveClient.of(engine.client());
    private final Journal journal = client.journal();

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("a", "1")
                .build();
    }

    @BeforeEach
    void reconcile() {
        engine.client().create(map("parent"));
        client.as("finalizer")
                .patch(
                        Kind.of(ConfigMap.class),
                        PARENT,
                        Patch.merge("{\"metadata\":{\"finalizers\":[\"example.com/x\"]}}"),
                        WriteOptions.DEFAULT);
        client.as("child").create(map("child"));
        client.as("child")
                .create(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("key")
                        .endMetadata()
                        .build());
        client.find(ConfigMap.class, PARENT);
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    private static String failure(Runnable claim) {
        try {
            claim.run();
        } catch (AssertionFailedError e) {
            return e.getMessage();
        }
        throw new AssertionError("it did not fail");
    }

    @Test
    void views() {
        assertThat(journal.calls()).hasSize(4);
        assertThat(journal.calls(CREATE)).hasSize(2);
        assertThat(journal.calls(GET, PATCH)).hasSize(2);
        assertThat(journal.calls(on(CREATE).kind(Secret.class))).hasSize(1);
        assertThat(journal.calls(on(CREATE).nth(2)))
                .singleElement()
                .extracting(RecordedCall::number)
                .isEqualTo(3);
        assertThat(journal.calls(on(CREATE).after(2))).isEmpty();
        assertThat(journal.writes()).hasSize(3);
        assertThat(journal.of(Secret.class).calls()).hasSize(1);
        assertThat(journal.by("child").of(ConfigMap.class).calls()).hasSize(1);
    }

    @Test
    void aSecondRunWritesNothing() {
        int mark = journal.mark();
        client.find(ConfigMap.class, PARENT);
        Journal second = journal.since(mark);
        second.assertNoWrites();
        assertThat(second.calls()).hasSize(1);
        client.delete(map("child"));
        assertThat(failure(second::assertNoWrites)).isEqualTo("""
                        no write was expected, but there were 1:
                          6 delete configmaps default/child -> gone
                        The calls:
                        5  get configmaps default/parent    -> version %s
                        6  delete configmaps default/child  -> gone""".formatted(
                        client.get(ConfigMap.class, PARENT).getMetadata().getResourceVersion()));
    }

    @Test
    void aMarkBeforeTheFirstCallIsBeforeAll() {
        assertThat(ReactiveClient.of(engine.client()).journal().mark()).isZero();
        assertThat(journal.since(0).calls()).hasSize(4);
    }

    @Test
    void orderAcrossVerbsWithOthersBetween() {
        journal.assertOrder(
                on(PATCH).body(touches("metadata.finalizers")), on(CREATE).kind(Secret.class), on(GET).name("parent"));
        journal.assertOrder(on(CREATE), on(CREATE));
        journal.assertOrder(on(CREATE).nth(2), onAny());
        assertThat(failure(() -> journal.assertOrder(on(CREATE), on(PATCH))))
                .startsWith("not in order, at 2: patch came only before: 2 create configmaps default/child -> version ")
                .contains(
                        "\nThe calls:\n1  finalizer  patch configmaps default/parent  metadata.finalizers  -> version");
        assertThat(failure(() -> journal.assertOrder(on(CREATE), on(CREATE), on(CREATE))))
                .startsWith("not in order, at 3: create came only before: 3 create secrets default/key");
        assertThat(failure(() -> journal.assertOrder(on(DELETE)))).startsWith("not in order, at 1: delete is missing");
        assertThatThrownBy(
                        () -> journal.assertOrder(on(CREATE).nth(2), on(CREATE).nth(1)))
                .isInstanceOf(AssertionFailedError.class);
    }

    @Test
    void exactlyTheseOfAVerb() {
        journal.assertExactly(
                CREATE, onAny().named("default", "child").body(sets("data.a", "1")), onAny().kind("secrets"));
        journal.assertExactly(UPDATE);
        journal.assertExactly(onAny().by("finalizer"), on(PATCH));
        assertThat(failure(() -> journal.assertExactly(
                        CREATE, onAny().kind(Secret.class), onAny().kind(Secret.class), onAny().name("third"))))
                .startsWith("""
                        not exactly, of create:
                          expected: any call secrets, but was: 2 create configmaps default/child -> version""")
                .contains("\n  missing: any call named third\nThe calls:\n");
        assertThat(failure(() -> journal.assertExactly(CREATE, onAny())))
                .contains("\n  unexpected: 3 create secrets default/key -> version");
    }

    @Test
    void counts() {
        journal.assertCount(2, on(CREATE));
        assertThat(failure(() ->
                        journal.assertCount(1, on(CREATE).kind(Secret.class).name("other"))))
                .startsWith("expected 1 of: create secrets named other; actual: 0");
    }

    @Test
    void itPrintsInColumnsWithWhatWasWrittenAndReadsThatRepeatOnce() {
        client.react(on(CREATE).name("big").fails(forbidden("quota")));
        ConfigMap big = map("big");
        for (char c = 'b'; c < 'i'; c++) {
            big.getData().put(String.valueOf(c), "x");
        }
        assertThatThrownBy(() -> client.create(big)).isInstanceOf(ForbiddenException.class);
        for (int i = 0; i < 3; i++) {
            client.find(ConfigMap.class, ObjectKey.of("default", "none"));
        }
        ConfigMap child = client.as("child").get(ConfigMap.class, ObjectKey.of("default", "child"));
        client.as("child").update(child);
        assertThat(journal.print().replaceAll("version \\d+", "version N")).isEqualTo("""
                         1  finalizer  patch configmaps default/parent  metadata.finalizers             -> version N
                         2  child      create configmaps default/child  data.a                          -> version N
                         3  child      create secrets default/key                                       -> version N
                         4             get configmaps default/parent                                    -> version N
                         5             create configmaps default/big    data.a data.b data.c data.d +4  -> 403 Forbidden: \
                        configmaps "big" is forbidden: quota
                         6             get configmaps default/none                                      -> none (3 times)
                         9  child      get configmaps default/child                                     -> version N
                        10  child      update configmaps default/child  no difference                   -> version N""");
        assertThat(journal).hasToString(journal.print());
        assertThat(journal.since(journal.mark()).print()).isEqualTo("(none)");
    }
}
