package dev.evenkeel.simulation.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KnownRunsTest {
    private final KnownRuns<Fault> runs = new KnownRuns<>();

    private void add(String schedule, int writes) {
        runs.add(faults(schedule), new Reach(writes, 0, Map.of(1, 2))::includes);
    }

    private boolean has(String schedule) {
        return runs.has(faults(schedule));
    }

    private static List<Fault> faults(String schedule) {
        return Schedule.parse(schedule).faults();
    }

    @Test
    void aRunIsTheSameAgain() {
        add("crash after write 1", 4);

        assertThat(has("crash after write 1")).isTrue();
        assertThat(has("crash after write 2")).isFalse();
        assertThat(has("")).isFalse();
    }

    @Test
    void faultsThatARunDoesNotReachChangeNothing() {
        add("crash after write 1", 4);

        assertThat(has("crash after write 1; crash before write 5; refuse at call 1"))
                .isTrue();
        assertThat(has("crash before write 5; crash after write 1")).isTrue();
        assertThat(has("crash after write 1; crash before write 4")).isFalse();
        assertThat(has("crash after write 1; crash before write 4; crash before write 5"))
                .isFalse();
    }

    @Test
    void readsAfterAWriteAreReachedByTheirNumber() {
        add("", 4);

        assertThat(has("overtake 2 reads after write 1")).isFalse();
        assertThat(has("overtake 3 reads after write 1")).isTrue();
        assertThat(has("overtake 0 reads after write 4")).isFalse();
    }

    /** What a cache has later is kept before the process crashes. */
    @Test
    void aCacheThatIsBehindIsReachedWhereItStops() {
        add("", 4);

        assertThat(has("restart behind configmaps by 1 after write 5")).isTrue();
        assertThat(has("restart behind configmaps by 2 after write 5")).isFalse();
    }
}
