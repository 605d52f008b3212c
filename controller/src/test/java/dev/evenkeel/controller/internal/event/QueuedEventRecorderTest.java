package dev.evenkeel.controller.internal.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Status;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.EventRecorder.Type;
import dev.evenkeel.controller.internal.event.QueuedEventRecorder.Api;
import dev.evenkeel.controller.schedule.BatonScheduler;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Namespace;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueuedEventRecorderTest {
    private static final Set<String> VERBS = Set.of("create", "patch");

    private final Engine engine = Engine.create();
    private final Client api = engine.partition(Engine.DEFAULT_PARTITION).client("test");
    private final BatonScheduler time = new BatonScheduler(7);
    private final List<String> calls = new ArrayList<>();
    private int failures;
    private int failureCode = 500;
    private String failureReason = "InternalError";
    private boolean broken;

    /** The API, which fails as often as wanted. */
    private final Client client = (Client) Proxy.newProxyInstance(
            Client.class.getClassLoader(), new Class<?>[] {Client.class}, (proxy, method, arguments) -> {
                if (VERBS.contains(method.getName()) && !method.isDefault()) {
                    calls.add(method.getName());
                    if (broken) {
                        broken = false;
                        throw new OutOfMemoryError("for a moment");
                    }
                    if (failures > 0) {
                        failures--;
                        throw ApiException.of(Status.of(failureCode, failureReason, "made up"));
                    }
                }
                try {
                    return method.invoke(api, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });

    private final ConfigMap object = api.create(new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("blog")
            .endMetadata()
            .build());

    @AfterEach
    void close() {
        engine.close();
    }

    private QueuedEventRecorder recorder(Api which) {
        return new QueuedEventRecorder(time, client, "example.com/websites", "host-1", which);
    }

    private void warn(EventRecorder recorder, String message) {
        recorder.record(object, Type.WARNING, "Failed", "Create", message);
    }

    private void settle() {
        time.advance(Duration.ofMillis(1));
    }

    private List<Event> events() {
        return api.list(Event.class, ListOptions.in("default")).items();
    }

    // --- core/v1

    @Test
    void theSameEventAgainIsCounted() {
        QueuedEventRecorder recorder = recorder(Api.CORE);
        for (int i = 0; i < 3; i++) {
            warn(recorder, "no quota");
            time.advance(Duration.ofSeconds(5));
        }

        assertThat(calls).containsExactly("create", "patch", "patch");
        Event event = events().getFirst();
        assertThat(events()).hasSize(1);
        assertThat(event.getCount()).isEqualTo(3);
        assertThat(event.getMessage()).isEqualTo("no quota");
        assertThat(event.getType()).isEqualTo("Warning");
        assertThat(event.getReason()).isEqualTo("Failed");
        assertThat(event.getInvolvedObject().getName()).isEqualTo("blog");
        assertThat(event.getInvolvedObject().getUid())
                .isEqualTo(object.getMetadata().getUid());
        assertThat(event.getSource().getComponent()).isEqualTo("example.com/websites");
        assertThat(event.getFirstTimestamp()).isLessThan(event.getLastTimestamp());
    }

    @Test
    void theEleventhSimilarOneIsCombined() {
        QueuedEventRecorder recorder = recorder(Api.CORE);
        for (int i = 1; i <= 13; i++) {
            warn(recorder, "no quota for " + i);
        }
        settle();

        assertThat(events()).hasSize(11);
        Event combined = events().stream()
                .filter(event -> event.getMessage().startsWith("(combined from similar events): "))
                .findFirst()
                .orElseThrow();
        assertThat(combined.getMessage()).endsWith("no quota for 13");
        assertThat(combined.getCount()).isEqualTo(3);
    }

    @Test
    void similarOnesThatAreFarApartAreNotCombined() {
        QueuedEventRecorder recorder = recorder(Api.CORE);
        for (int i = 1; i <= 12; i++) {
            warn(recorder, "no quota for " + i);
            time.advance(Duration.ofSeconds(i == 10 ? 601 : 1));
        }
        assertThat(events()).hasSize(12).noneMatch(event -> event.getMessage().startsWith("("));
    }

    @Test
    void ofOneObjectABurstIsWrittenAndThenOneEachFiveMinutes() {
        QueuedEventRecorder recorder = recorder(Api.CORE);
        for (int i = 0; i < 30; i++) {
            warn(recorder, "no quota");
        }
        settle();
        assertThat(calls).hasSize(25);
        assertThat(recorder.figures().filtered()).isEqualTo(5);

        time.advance(Duration.ofSeconds(299));
        warn(recorder, "no quota");
        settle();
        assertThat(calls).hasSize(25);
        time.advance(Duration.ofSeconds(2));
        warn(recorder, "no quota");
        settle();
        assertThat(calls).hasSize(26);
        assertThat(events().getFirst().getCount())
                .as("what was left out counts")
                .isEqualTo(32);
    }

    @Test
    void anEventThatHasExpiredIsCreatedAgain() {
        QueuedEventRecorder recorder = recorder(Api.CORE);
        warn(recorder, "no quota");
        settle();
        api.delete(Event.class, ObjectKey.of(events().getFirst()));

        warn(recorder, "no quota");
        settle();

        assertThat(calls).containsExactly("create", "patch", "create");
        assertThat(events().getFirst().getCount()).isEqualTo(2);
    }

    // --- trouble

    @Test
    void troubleOfTheApiIsTriedTwelveTimesInTwoMinutes() {
        failures = Integer.MAX_VALUE;
        QueuedEventRecorder recorder = recorder(Api.CORE);
        warn(recorder, "no quota");
        settle();
        assertThat(calls).hasSize(1);
        time.advance(Duration.ofSeconds(10));
        assertThat(calls.size()).isBetween(2, 2);
        time.advance(Duration.ofSeconds(100));
        assertThat(calls).hasSize(12);
        time.advance(Duration.ofMinutes(10));
        assertThat(calls).hasSize(12);
        assertThat(recorder.figures().failed()).isEqualTo(1);
    }

    @Test
    void eventsKeepTheirOrderThroughTrouble() {
        failures = 2;
        QueuedEventRecorder recorder = recorder(Api.CORE);
        warn(recorder, "first");
        warn(recorder, "second");
        time.advance(Duration.ofSeconds(30));
        assertThat(calls).containsExactly("create", "create", "create", "create");
        assertThat(events()).extracting(Event::getMessage).containsExactlyInAnyOrder("first", "second");
        assertThat(recorder.figures().written()).isEqualTo(2);
    }

    @Test
    void aForbiddenEventIsDroppedAtOnce() {
        failures = 1;
        failureCode = 403;
        failureReason = "Forbidden";
        QueuedEventRecorder recorder = recorder(Api.CORE);
        warn(recorder, "no quota");
        time.advance(Duration.ofMinutes(5));
        assertThat(calls).hasSize(1);
        assertThat(recorder.figures().failed()).isEqualTo(1);
    }

    @Test
    void tooManyAreDroppedAndRecordingNeverWaits() {
        failures = Integer.MAX_VALUE;
        QueuedEventRecorder recorder = recorder(Api.CORE);
        for (int i = 0; i < 1500; i++) {
            warn(recorder, "message " + i);
        }
        assertThat(recorder.figures().dropped()).isEqualTo(500);
    }

    @Test
    void stoppingWritesQueuedEventsOnce() {
        failures = 1;
        QueuedEventRecorder recorder = recorder(Api.CORE);
        warn(recorder, "first");
        settle();
        warn(recorder, "second");

        CompletableFuture<Void> stopped = recorder.stop();
        settle();

        assertThat(stopped).isDone();
        assertThat(events()).hasSize(2);
        warn(recorder, "late");
        settle();
        assertThat(events()).hasSize(2);
        assertThat(recorder.figures().dropped()).isEqualTo(1);
    }

    @Test
    void stoppingWhileTheApiIsAwayEnds() {
        failures = Integer.MAX_VALUE;
        QueuedEventRecorder recorder = recorder(Api.ANY);
        warn(recorder, "first");
        warn(recorder, "second");
        settle();
        CompletableFuture<Void> stopped = recorder.stop();
        settle();
        assertThat(stopped).isDone();
        assertThat(recorder.figures().failed()).isEqualTo(2);
    }

    // --- events.k8s.io/v1

    private List<io.fabric8.kubernetes.api.model.events.v1.Event> series() {
        return api.list(io.fabric8.kubernetes.api.model.events.v1.Event.class, ListOptions.in("default"))
                .items();
    }

    @Test
    void theSecondMakesASeriesAndFurtherOnesAreWrittenWhenItIsOver() {
        QueuedEventRecorder recorder = recorder(Api.ANY);
        for (int i = 0; i < 5; i++) {
            warn(recorder, "no quota " + i);
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(calls).containsExactly("create", "patch");
        var event = series().getFirst();
        assertThat(series()).hasSize(1);
        assertThat(event.getNote()).isEqualTo("no quota 0");
        assertThat(event.getAction()).isEqualTo("Create");
        assertThat(event.getReportingController()).isEqualTo("example.com/websites");
        assertThat(event.getSeries().getCount()).isEqualTo(2);

        time.advance(Duration.ofMinutes(13));

        assertThat(calls).containsExactly("create", "patch", "patch");
        assertThat(series().getFirst().getSeries().getCount()).isEqualTo(5);
        warn(recorder, "again");
        settle();
        assertThat(series()).hasSize(2);
    }

    @Test
    void aLongSeriesIsWrittenEachHalfHour() {
        QueuedEventRecorder recorder = recorder(Api.EVENTS);
        for (int i = 0; i < 120; i++) {
            warn(recorder, "no quota");
            time.advance(Duration.ofMinutes(1));
        }
        assertThat(calls.size()).isBetween(5, 6);
    }

    @Test
    void stoppingWritesTheCountsOfSeries() {
        QueuedEventRecorder recorder = recorder(Api.EVENTS);
        for (int i = 0; i < 5; i++) {
            warn(recorder, "no quota");
        }
        CompletableFuture<Void> stopped = recorder.stop();
        settle();
        assertThat(stopped).isDone();
        assertThat(series().getFirst().getSeries().getCount()).isEqualTo(5);
    }

    @Test
    void withoutThatApiCoreEventsAreWritten() {
        failures = 1;
        failureCode = 404;
        failureReason = "NotFound";
        QueuedEventRecorder recorder = recorder(Api.ANY);
        warn(recorder, "no quota");
        warn(recorder, "no quota");
        settle();
        assertThat(calls).containsExactly("create", "create", "patch");
        assertThat(events().getFirst().getCount()).isEqualTo(2);
        assertThat(recorder.figures().failed()).isZero();
    }

    @Test
    void aMissingNamespaceDoesNotChangeTheApi() {
        QueuedEventRecorder recorder = recorder(Api.ANY);
        ConfigMap elsewhere = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("gone")
                .withName("x")
                .endMetadata()
                .build();
        recorder.record(elsewhere, Type.NORMAL, "Seen", "", "x");
        warn(recorder, "no quota");
        warn(recorder, "no quota");
        settle();
        assertThat(recorder.figures().failed()).isEqualTo(1);
        assertThat(series().getFirst().getSeries().getCount()).isEqualTo(2);
    }

    // --- both

    @Test
    void eventsOfClusterScopedObjectsAreInTheDefaultNamespace() {
        Namespace namespace = api.get(Namespace.class, ObjectKey.cluster("kube-system"));
        for (Api which : Api.values()) {
            QueuedEventRecorder recorder = recorder(which);
            recorder.record(namespace, Type.NORMAL, "Seen", "", "seen by " + which);
            settle();
            assertThat(recorder.figures().written()).as("%s", which).isEqualTo(1);
        }
        assertThat(events())
                .hasSize(3)
                .allMatch(event -> event.getInvolvedObject().getKind().equals("Namespace"));
    }

    @Test
    void longTextsAreCut() {
        for (Api which : Api.values()) {
            QueuedEventRecorder recorder = recorder(which);
            recorder.record(object, Type.NORMAL, "R".repeat(300), "A".repeat(300), "ü😀".repeat(2000));
            settle();
            assertThat(recorder.figures().written()).as("%s", which).isEqualTo(1);
        }
        assertThat(events()).allMatch(event -> event.getMessage().endsWith("..."));
    }

    @Test
    void namesThatTheApiWouldRefuseAreRefusedAtOnce() {
        assertThatThrownBy(() -> new QueuedEventRecorder(time, client, "", "i", Api.ANY))
                .hasMessageStartingWith("controller");
        assertThatThrownBy(() -> new QueuedEventRecorder(time, client, "c", "i".repeat(129), Api.ANY))
                .hasMessageStartingWith("instance");
    }

    @Test
    void withThreadsItIsTheSame() throws Exception {
        try (SystemScheduler scheduler = new SystemScheduler()) {
            QueuedEventRecorder recorder =
                    new QueuedEventRecorder(scheduler, client, "example.com/websites", "host-1", Api.CORE);
            for (int i = 0; i < 3; i++) {
                warn(recorder, "no quota");
            }
            recorder.stop().get(120, TimeUnit.SECONDS);
        }
        assertThat(events().getFirst().getCount()).isEqualTo(3);
    }

    /** Else nothing is ever written again, and the recorder never stops. */
    @Test
    void anErrorWhileOneEventIsWrittenIsTriedAgainAndEndsNothing() {
        QueuedEventRecorder recorder = recorder(Api.CORE);
        broken = true;
        warn(recorder, "first");
        warn(recorder, "second");
        time.advance(Duration.ofSeconds(11));

        assertThat(events()).extracting(Event::getMessage).containsExactlyInAnyOrder("first", "second");
        CompletableFuture<Void> stopped = recorder.stop();
        settle();
        assertThat(stopped).isDone();
    }
}
