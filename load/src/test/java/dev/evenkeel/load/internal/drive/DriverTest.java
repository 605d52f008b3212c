package dev.evenkeel.load.internal.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.LoadObject;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Rate;
import dev.evenkeel.load.World;
import dev.evenkeel.load.WorldState;
import dev.evenkeel.simulation.VirtualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DriverTest {
    private final Engine engine = Engine.create();
    private final VirtualScheduler scheduler = new VirtualScheduler(1);
    private final SystemScheduler real = new SystemScheduler();
    private final Pace pace = new Pace(scheduler);

    /** A client of a server that needs some time for each write. */
    private final class SlowClient extends ForwardingClient {
        private final List<Duration> times;
        private int writes;

        SlowClient(Client client, List<Duration> times) {
            super(client);
            this.times = times;
        }

        @Override
        protected <R> R write(Operation operation, Supplier<R> effect) {
            scheduler.skip(times.get(writes++ % times.size()));
            return effect.get();
        }
    }

    @AfterEach
    void close() {
        real.close();
        engine.close();
    }

    private static Operation create(int number) {
        return new Operation.Create(LoadObject.of(Kinds.CONFIG_MAP, ObjectKey.of("default", "c" + number), Map.of()));
    }

    private Driver driver(Client client, Pace time, int lanes) {
        return new Driver(
                client, Disruption.NONE, new Effects(client, operation -> Optional.empty(), time), time, lanes);
    }

    private Driver.Outcome run(Driver driver, List<Operation> operations, Rate rate) throws InterruptedException {
        return driver.run(operations.iterator(), new WorldState(World.EMPTY), rate, Duration.ofMinutes(1), done -> {});
    }

    @Test
    void latenciesCountFromWhenOperationsWereDue() throws InterruptedException {
        // one answer takes 100 ms, and delays the 9 operations that are due meanwhile
        List<Duration> times = new ArrayList<>(Collections.nCopies(20, Duration.ZERO));
        times.set(0, Duration.ofMillis(100));
        try (Driver driver = driver(new SlowClient(engine.client(), times), pace, 0)) {
            Driver.Outcome outcome = run(
                    driver, IntStream.range(0, 20).mapToObj(DriverTest::create).toList(), new Rate.Constant(100));
            assertThat(outcome.operations()).isEqualTo(20);
            assertThat(outcome.acknowledged().percentile(100)).isBetween(Duration.ofMillis(99), Duration.ofMillis(101));
            assertThat(outcome.acknowledged().percentile(75)).isBetween(Duration.ofMillis(49), Duration.ofMillis(51));
            assertThat(outcome.acknowledged().percentile(50)).isLessThan(Duration.ofMillis(1));
            assertThat(outcome.duration()).isEqualTo(Duration.ofMillis(190));
        }
    }

    @Test
    void ratesSayWhenOperationsAreDue() {
        assertThat(new Rate.Constant(50).due(5)).hasValue(100_000_000L);
        assertThat(new Rate.Bursts(10, Duration.ofSeconds(5)).due(9)).hasValue(0);
        assertThat(new Rate.Bursts(10, Duration.ofSeconds(5)).due(20)).hasValue(10_000_000_000L);
        Rate ramp = new Rate.Ramp(10, 30, Duration.ofSeconds(10));
        assertThat(ramp.due(0)).hasValue(0);
        assertThat(ramp.due(200)).hasValue(10_000_000_000L);
        assertThat(ramp.due(260)).hasValue(12_000_000_000L);
        // 10 t + t^2 = 75
        assertThat(ramp.due(75)).hasValue(5_000_000_000L);
        assertThat(new Rate.Acknowledged().due(5)).isEmpty();
    }

    @Test
    void operationsOnOneObjectAreInOrder() throws InterruptedException {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            operations.add(create(i % 5));
            operations.add(new Operation.Delete(Kinds.CONFIG_MAP, ObjectKey.of("default", "c" + i % 5)));
        }
        try (Driver driver = driver(engine.client(), new Pace(real), 8)) {
            Driver.Outcome outcome = run(driver, operations, new Rate.Acknowledged());
            assertThat(outcome.refusals()).isEmpty();
            assertThat(outcome.operations()).isEqualTo(100);
        }
    }

    @Test
    void namespacesAreThereBeforeWhatIsInThem() throws InterruptedException {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            operations.add(new Operation.Create(LoadObject.of(Kinds.NAMESPACE, ObjectKey.cluster("n" + i), Map.of())));
            operations.add(new Operation.Create(LoadObject.of(Kinds.CONFIG_MAP, ObjectKey.of("n" + i, "c"), Map.of())));
            operations.add(new Operation.Delete(Kinds.NAMESPACE, ObjectKey.cluster("n" + i)));
            operations.add(new Operation.AwaitDeleted(Kinds.NAMESPACE, ObjectKey.cluster("n" + i)));
        }
        try (Driver driver = driver(engine.client(), new Pace(real), 8)) {
            assertThat(run(driver, operations, new Rate.Acknowledged()).refusals())
                    .isEmpty();
        }
    }

    @Test
    void refusalsAreCountedByReason() throws InterruptedException {
        List<Operation> operations = List.of(
                create(1),
                create(1),
                new Operation.Create(LoadObject.of(Kinds.CONFIG_MAP, ObjectKey.of("absent", "c"), Map.of())),
                new Operation.Delete(Kinds.CONFIG_MAP, ObjectKey.of("default", "absent")),
                new Operation.CutWatches());
        try (Driver driver = driver(engine.client(), new Pace(real), 2)) {
            Driver.Outcome outcome = run(driver, operations, new Rate.Acknowledged());
            assertThat(outcome.operations()).isEqualTo(2);
            assertThat(outcome.refusals())
                    .isEqualTo(Map.of(
                            "409 AlreadyExists", 1L,
                            "404 NotFound", 1L,
                            "watches can't be cut: the controller is not behind the proxy", 1L));
        }
    }

    @Test
    void nothingIsBegunAfterTheLimit() throws InterruptedException {
        try (Driver driver = driver(engine.client(), pace, 0)) {
            Driver.Outcome outcome = driver.run(
                    IntStream.range(0, 100).mapToObj(DriverTest::create).iterator(),
                    new WorldState(World.EMPTY),
                    new Rate.Constant(10),
                    Duration.ofSeconds(2),
                    done -> {});
            assertThat(outcome.operations()).isEqualTo(21);
        }
    }
}
