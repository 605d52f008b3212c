package dev.evenkeel.simulation.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShrinkerTest {
    @Test
    void leavesOutUnnecessaryFaults() {
        Shrinker shrinker = new Shrinker(schedule -> schedule.toString().contains("crash after write 7")
                && schedule.toString().contains("undo after write 4"));

        assertThat(shrinker.shrink(Schedule.parse("edit 1 before write 1; crash after write 7; refuse at write 2;"
                        + " undo after write 4; crash before write 9")))
                .hasToString("crash after write 7; undo after write 4");
    }

    @Test
    void movesToTheFirstSufficientWrite() {
        Shrinker shrinker =
                new Shrinker(schedule -> schedule.faults().getFirst().place().number() >= 3);

        assertThat(shrinker.shrink(Schedule.parse("crash after write 9"))).hasToString("crash after write 3");
    }
}
