package dev.evenkeel.load.internal.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.load.internal.proxy.Requests.Figures;
import dev.evenkeel.load.internal.proxy.Requests.Labels;
import dev.evenkeel.load.result.RequestCounts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestsTest {
    private static final Labels GET = new Labels("a", "get", "pods", "x", 200);
    private static final Labels UPDATE = new Labels("a", "update", "pods/status", "y", 409);

    private final RequestCounters counters = new RequestCounters(3);

    @Test
    void aDifferenceHasWhatWasCountedBetween() {
        counters.count(GET).sent.add(10);
        Requests before = counters.snapshot(5);
        counters.count(UPDATE).received.add(7);
        counters.count(GET).sent.add(20);

        Requests between = counters.snapshot(2).minus(before);

        assertThat(between.figures()).isEqualTo(Map.of(GET, new Figures(1, 0, 20, 0), UPDATE, new Figures(1, 7, 0, 0)));
        assertThat(between.openWatches()).isEqualTo(2);
        assertThat(counters.snapshot(0).minus(counters.snapshot(0)).figures()).isEmpty();
    }

    /** The events of a watch that began before count, though its request does not. */
    @Test
    void aDifferenceHasTheEventsOfOlderWatches() {
        var watch = counters.count(GET);
        Requests before = counters.snapshot(1);
        watch.events.add(3);

        Requests between = counters.snapshot(1).minus(before);

        assertThat(between.total()).isEqualTo(new Figures(0, 0, 0, 3));
        assertThat(between.by(Labels::verb)).isEmpty();
    }

    @Test
    void aSnapshotDoesNotChange() {
        counters.count(GET);
        Requests snapshot = counters.snapshot(0);
        counters.count(GET);

        assertThat(snapshot.count()).isEqualTo(1);
        assertThat(counters.snapshot(0).count()).isEqualTo(2);
    }

    @Test
    void groupsAndFilters() {
        for (Labels labels : List.of(GET, GET, UPDATE)) {
            counters.count(labels);
        }
        Requests all = counters.snapshot(0);

        assertThat(all.byVerbAndResource()).isEqualTo(Map.of("get pods", 2L, "update pods/status", 1L));
        assertThat(all.by(Labels::namespace)).isEqualTo(Map.of("x", 2L, "y", 1L));
        assertThat(all.writes()).isEqualTo(1);
        assertThat(all.filter(labels -> labels.status() == 409).byVerbAndResource())
                .containsOnlyKeys("update pods/status");
        assertThat(all.count("get", "pods")).isEqualTo(2);
    }

    @Test
    void countsHaveConflictsAndThrottledRequests() {
        counters.count(UPDATE).sent.add(30);
        counters.count(new Labels("b", "update", "pods/status", "x", 200)).sent.add(50);
        counters.count(new Labels("a", "list", "pods", "", 429));

        assertThat(counters.snapshot(0).counts())
                .isEqualTo(Map.of(
                        "update pods/status", new RequestCounts(2, 1, 0, 80),
                        "list pods", new RequestCounts(1, 0, 1, 0)));
        assertThat(RequestCounts.writes(counters.snapshot(0).counts())).isEqualTo(2);
    }

    /** Else a client that puts a number into its user agent fills the memory. */
    @Test
    void theNumberOfLabelsIsLimitedAndTheNumberOfRequestsIsNot() {
        for (int i = 0; i < 100; i++) {
            counters.count(new Labels("agent-" + i, "get", "pods", "x", 200));
        }

        Requests all = counters.snapshot(0);
        assertThat(all.count()).isEqualTo(100);
        assertThat(all.figures()).hasSize(4).containsKey(new Labels("", "get", "other", "", 200));
    }
}
