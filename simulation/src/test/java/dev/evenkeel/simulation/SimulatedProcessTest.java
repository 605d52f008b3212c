package dev.evenkeel.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.simulation.fault.FaultRates;
import dev.evenkeel.simulation.internal.ProcessCrashed;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Actions of processes, and faults that affect them. */
class SimulatedProcessTest {
    private final Simulation simulation = new Simulation(1, FaultRates.NONE, InProcess::start);
    private final List<String> seen = new ArrayList<>();

    private void see(String what) {
        seen.add(what + " at " + simulation.now().toSeconds());
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("k", value)
                .build();
    }

    private int count(Client client) {
        return Integer.parseInt(client.get(ConfigMap.class, ObjectKey.of("default", "counter"))
                .getData()
                .get("k"));
    }

    @Test
    void timersRunInTheOrderInWhichTheyAreDueAndWaitingCostsNothing() {
        simulation.process("p", (client, scheduler) -> {
            scheduler.schedule(Duration.ofDays(300), () -> see("late"));
            scheduler.schedule(seconds(5), () -> see("five"));
            scheduler.schedule(seconds(1), () -> see("one"));
            scheduler.schedule(seconds(3), () -> see("three")).cancel();
            return () -> {};
        });

        simulation.runFor(Duration.ofDays(365));

        assertThat(seen).containsExactly("one at 1", "five at 5", "late at 25920000");
    }

    @Test
    void deadProcessesDoNothing() {
        SimulatedProcess process = simulation.process("p", (client, scheduler) -> {
            scheduler.schedule(seconds(5), () -> see("timer"));
            scheduler.schedule(
                    seconds(1),
                    () -> scheduler.execute("worker", () -> {
                        simulation.at(
                                Duration.ZERO,
                                "end",
                                () -> simulation.processNamed("p").crash());
                        try {
                            var unused = scheduler.await(new CompletableFuture<>(), seconds(100));
                            see("not dead");
                        } catch (InterruptedException e) {
                            see("interrupted");
                        } finally {
                            // what a careless handler does
                            var unused = scheduler.execute("more", () -> see("more"));
                            var unused2 = scheduler.schedule(Duration.ZERO, () -> see("more"));
                            assertThatThrownBy(() -> client.create(map("ghost", "")))
                                    .isInstanceOf(ProcessCrashed.class);
                        }
                    }));
            return () -> see("stopped");
        });

        simulation.runFor(seconds(200));

        assertThat(process.alive()).isFalse();
        assertThat(seen).isEmpty();
        assertThat(simulation.server().find(ConfigMap.class, ObjectKey.of("default", "ghost")))
                .isEmpty();
        process.start();
        assertThat(process.starts()).isEqualTo(2);
        assertThat(simulation.violations()).isEmpty();
    }

    @Test
    void aFrozenProcessContinuesAsIfNothingHadHappened() {
        SimulatedProcess process = simulation.process("p", (client, scheduler) -> {
            scheduler.schedule(seconds(5), () -> see("five"));
            scheduler.schedule(seconds(2), () -> see("two"));
            var unused = scheduler.execute("waits", () -> {
                try {
                    var unused2 = scheduler.await(new CompletableFuture<>(), seconds(3));
                    see("waited");
                } catch (InterruptedException e) {
                    see("interrupted");
                }
            });
            return () -> {};
        });
        simulation.at(seconds(1), "freeze", () -> process.freeze(seconds(30)));

        simulation.runFor(seconds(60));

        assertThat(seen).containsExactlyInAnyOrder("two at 31", "five at 31", "waited at 31");
        assertThat(seen.indexOf("two at 31")).isLessThan(seen.indexOf("five at 31"));
    }

    @Test
    void aStopIsCleanAndARestartStartsAgain() {
        SimulatedProcess process = simulation.process("p", (client, scheduler) -> {
            see("start");
            return () -> {
                var unused = scheduler.await(new CompletableFuture<>(), seconds(2));
                see("stop");
            };
        });
        simulation.runFor(seconds(1));

        process.restart(seconds(10));
        simulation.runFor(seconds(60));

        assertThat(seen).containsExactly("start at 0", "stop at 3", "start at 13");
    }

    @Test
    void anInterruptReachesAWaitingTask() {
        simulation.process("p", (client, scheduler) -> {
            Scheduler.Job job = scheduler.execute("waits", () -> {
                try {
                    var unused = scheduler.await(new CompletableFuture<>(), seconds(100));
                } catch (InterruptedException e) {
                    see("interrupted");
                }
            });
            scheduler.schedule(seconds(2), job::interrupt);
            var unused = job.ended().thenRun(() -> see("ended"));
            return () -> {};
        });

        simulation.runFor(seconds(10));

        assertThat(seen).containsExactly("interrupted at 2", "ended at 2");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void exceptionsOfTasksAreViolations() {
        simulation.process("p", (client, scheduler) -> {
            var unused = scheduler.execute("careless", () -> {
                throw new IllegalStateException("oops");
            });
            return () -> {};
        });

        simulation.runFor(seconds(1));

        assertThat(simulation.violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.message()).contains("careless", "oops"));
    }

    @Test
    void tasksInterleaveAtCallsSoThatCarelessWritersLoseUpdates() {
        int lost = 0;
        for (long seed = 1; seed <= 30; seed++) {
            lost += counted(seed, false) < 20 ? 1 : 0;
            assertThat(counted(seed, true)).as("seed %d", seed).isEqualTo(20);
        }
        assertThat(lost).isPositive();
    }

    /** Two processes count to ten each. */
    private int counted(long seed, boolean careful) {
        Simulation world = new Simulation(seed, FaultRates.NONE, InProcess::start);
        world.server().create(map("counter", "0"));
        AtomicInteger done = new AtomicInteger();
        for (String name : List.of("one", "two")) {
            world.process(name, (client, scheduler) -> {
                count(client, scheduler, 10, careful, done);
                return () -> {};
            });
        }
        assertThat(world.runUntil(() -> done.get() == 2, Duration.ofMinutes(1))).isTrue();
        return count(world.server());
    }

    private void count(Client client, Scheduler scheduler, int left, boolean careful, AtomicInteger done) {
        if (left == 0) {
            done.incrementAndGet();
            return;
        }
        var unused = scheduler.execute("counts", () -> {
            ConfigMap counter = client.get(ConfigMap.class, ObjectKey.of("default", "counter"));
            counter.getData().put("k", Integer.toString(count(counter) + 1));
            if (!careful) {
                counter.getMetadata().setResourceVersion(null);
            }
            int next = left;
            try {
                client.update(counter);
                next--;
            } catch (dev.evenkeel.client.ConflictException e) {
                // tried again
            }
            count(client, scheduler, next, careful, done);
        });
    }

    private static int count(ConfigMap counter) {
        return Integer.parseInt(counter.getData().get("k"));
    }
}
