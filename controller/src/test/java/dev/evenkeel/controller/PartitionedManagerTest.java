package dev.evenkeel.controller;

import static dev.evenkeel.controller.Objects.configMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.controller.schedule.BatonScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PartitionedManagerTest {
    private final BatonScheduler time = new BatonScheduler(1);
    private final Engine engine =
            Engine.builder().clock(time.clock()).executor(Runnable::run).build();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final PartitionedManager tenants = PartitionedManager.builder(
                    partition -> engine.partition(partition).client("test"),
                    partition -> List.of(Controller.of(ConfigMap.class, reconciliation -> {
                                calls.add(partition + " " + reconciliation.key().name());
                                return Result.done();
                            })
                            .name("maps")))
            .scheduler(time)
            .metrics(registry)
            .build();

    @AfterEach
    void close() {
        time.execute("close", tenants::close);
        time.advance(Duration.ofMinutes(1));
        engine.close();
    }

    private List<String> calls() {
        time.advance(Duration.ofMillis(50));
        List<String> seen = List.copyOf(calls);
        calls.clear();
        return seen;
    }

    private void create(String partition, String name) {
        engine.partition(partition).client("user").create(configMap(name, "1"));
    }

    @Test
    void eachPartitionHasTheControllersWhileItIsAdded() {
        create("a", "one");
        tenants.add("a").add("b").add("a");
        assertThat(calls()).containsExactly("a one");
        create("b", "two");
        create("c", "three");
        assertThat(calls()).containsExactly("b two");

        time.execute("remove", () -> tenants.remove("b"));
        time.advance(Duration.ofMinutes(1));
        create("b", "four");
        create("a", "five");
        assertThat(calls()).containsExactly("a five");
        tenants.add("b");
        assertThat(calls()).containsExactlyInAnyOrder("b two", "b four");
        assertThat(tenants.partitions()).containsExactly("a", "b");
    }

    @Test
    void metricsHealthAndExplanationsNameThePartition() {
        create("a", "one");
        tenants.add("a").add("b");
        assertThat(tenants.health().ready()).isFalse();
        assertThat(tenants.health().problems())
                .hasSize(2)
                .allMatch(problem -> problem.startsWith("partition a: ") || problem.startsWith("partition b: "));
        assertThat(calls()).hasSize(1);
        assertThat(tenants.health().ready()).isTrue();
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getTag("partition"))
                .contains("a", "b")
                .doesNotContainNull();
        assertThat(tenants.manager("a").explain("maps", Objects.key("one")).last())
                .isPresent();
        assertThatThrownBy(() -> tenants.manager("c"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown partition c; known: [a, b]: call add first");
    }
}
