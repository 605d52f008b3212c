package dev.evenkeel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.simulation.fault.FaultRates;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MonitorTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final ObjectKey KEY = ObjectKey.of("default", "a");

    private final Simulation simulation = new Simulation(1, FaultRates.NONE, InProcess::start);
    private final Monitor monitor = simulation.monitor();

    private static ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("a")
                .endMetadata()
                .build();
    }

    private void runs(String process, Duration delay, Runnable then) {
        simulation.process(process, (client, scheduler) -> {
            var unused = scheduler.schedule(
                    delay,
                    () -> scheduler.execute("worker", () -> {
                        monitor.enter("c", KEY);
                        try {
                            var unused2 = scheduler.await(new CompletableFuture<>(), Duration.ofSeconds(5));
                            then.run();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        } finally {
                            monitor.exit("c", KEY);
                        }
                    }));
            return () -> {};
        });
    }

    @Test
    void aKeyThatRunsTwiceInAProcessIsReported() {
        simulation.process("p", (client, scheduler) -> {
            var unused = scheduler.execute("one", () -> {
                monitor.enter("c", KEY);
                monitor.enter("c", KEY);
            });
            return () -> {};
        });
        simulation.runFor(Duration.ofSeconds(1));

        assertThat(simulation.violations()).hasSize(1);
    }

    @Test
    void sequentialRunsAreAllowed() {
        runs("one", Duration.ZERO, () -> {});
        runs("two", Duration.ofSeconds(10), () -> simulation.trace("two", "writes nothing"));
        simulation.runFor(Duration.ofSeconds(30));

        assertThat(simulation.violations()).isEmpty();
    }

    @Test
    void aSupersededProcessMustNotWrite() {
        simulation.process("one", (client, scheduler) -> {
            var unused = scheduler.execute("worker", () -> {
                monitor.enter("c", KEY);
                try {
                    var unused2 = scheduler.await(new CompletableFuture<>(), Duration.ofSeconds(5));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                client.create(map());
                monitor.exit("c", KEY);
            });
            return () -> {};
        });
        runs("two", Duration.ofSeconds(1), () -> {});
        simulation.runFor(Duration.ofSeconds(30));

        assertThat(simulation.violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.message()).contains("create configmaps default/a"));
    }

    @Test
    void aReadOlderThanAWriteIsReported() {
        simulation.process("p", (client, scheduler) -> {
            var unused = scheduler.execute("worker", () -> {
                ConfigMap old = client.create(map());
                monitor.read(MAPS, KEY, Optional.of(old));
                monitor.read(MAPS, KEY, Optional.empty());
                ConfigMap changed = client.get(ConfigMap.class, KEY);
                changed.getMetadata().getAnnotations().put("a", "b");
                changed = client.update(changed);
                monitor.read(MAPS, KEY, Optional.of(changed));
                monitor.read(MAPS, KEY, Optional.of(old));
                client.delete(changed);
                monitor.read(MAPS, KEY, Optional.empty());
                monitor.read(MAPS, KEY, Optional.of(changed));
            });
            return () -> {};
        });
        simulation.runFor(Duration.ofSeconds(30));

        assertThat(simulation.violations())
                .extracting(Simulation.Violation::message)
                .satisfiesExactly(
                        message -> assertThat(message).contains("as absent"),
                        message -> assertThat(message).contains("but it wrote version"),
                        message -> assertThat(message).contains("but it deleted it"));
    }
}
