package dev.evenkeel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VirtualSchedulerTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final VirtualScheduler scheduler = new VirtualScheduler(1, NOON);
    private final List<String> seen = new ArrayList<>();

    private void note(String what) {
        seen.add(what + " at "
                + Duration.between(NOON, scheduler.clock().instant()).toMillis());
    }

    @Test
    @DisplayName("Nothing runs before time is moved; timers run in the order in which they are due, each at its time")
    void timers() {
        scheduler.schedule(Duration.ofMillis(30), () -> note("late"));
        scheduler.schedule(Duration.ofMillis(10), () -> {
            note("early");
            scheduler.schedule(Duration.ofMillis(5), () -> note("next"));
        });
        scheduler.schedule(Duration.ofMillis(20), () -> note("never")).cancel();
        scheduler.execute("task", () -> note("task"));
        assertThat(seen).isEmpty();
        scheduler.advance(Duration.ofMillis(25));
        assertThat(seen).containsExactly("task at 0", "early at 10", "next at 15");
        scheduler.advance(Duration.ofMillis(25));
        assertThat(seen).endsWith("late at 30");
        assertThat(scheduler.clock().instant()).isEqualTo(NOON.plusMillis(50));
    }

    @Test
    @DisplayName("A failing task does not block other tasks, and its end is reported")
    void failures() throws InterruptedException {
        Scheduler.Job job = scheduler.execute("fails", () -> {
            throw new IllegalStateException("on purpose");
        });
        scheduler.execute("runs", () -> note("runs"));
        CompletableFuture<Void> ended = job.ended();
        assertThat(scheduler.await(ended, Duration.ZERO)).isTrue();
        scheduler.settle();
        assertThat(seen).containsExactly("runs at 0");
    }

    @Test
    @DisplayName("A task that settles does not run other tasks within itself")
    void nested() {
        scheduler.execute("outer", () -> {
            scheduler.execute("inner", () -> note("inner"));
            scheduler.settle();
            note("outer");
        });
        scheduler.settle();
        assertThat(seen).containsExactly("outer at 0", "inner at 0");
    }
}
