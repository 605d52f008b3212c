package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.load.Effect;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.LoadObject;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Rate;
import dev.evenkeel.load.World;
import dev.evenkeel.load.WorldState;
import dev.evenkeel.load.internal.drive.Disruption;
import dev.evenkeel.load.internal.drive.Driver;
import dev.evenkeel.load.internal.drive.Effects;
import dev.evenkeel.load.internal.drive.Pace;
import dev.evenkeel.load.result.Latencies;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The error of the latencies that the load harness measures: the difference to the delays of a {@linkplain DelayedResponder
 * responder}. It contains the way to the responder and back.
 */
final class LatencyErrorWorkload {
    private static final int[] MILLIS = {1, 5, 20, 100};
    private static final int LANES = 16;
    private static final int WARMUP = 2_000;

    private int names;

    private LatencyErrorWorkload() {}

    static void run(ReportSection section) throws Exception {
        new LatencyErrorWorkload().measure(section);
    }

    private void measure(ReportSection section) throws Exception {
        Effect shown = Effect.Shown.named(Kinds.CONFIG_MAP, "${name}", "", "");
        try (DelayedResponder responder = new DelayedResponder();
                SystemScheduler scheduler = new SystemScheduler();
                KubernetesClient client =
                        KubernetesClient.connect(Connection.to(responder.url).build())) {
            Pace pace = new Pace(scheduler);
            try (Effects effects = new Effects(client, operation -> Optional.of(shown), pace);
                    Driver driver = new Driver(client, Disruption.NONE, effects, pace, LANES)) {
                effects.watch(Kinds.CONFIG_MAP);
                Latencies _ = acknowledged(driver, effects, pace, WARMUP, new Rate.Acknowledged());
                Effects.Outcome _ = effects.take();
                for (int millis : MILLIS) {
                    responder.delay(millis * 1_000_000L);
                    int count = section.quick() ? 200 : 1_000;
                    // no operation waits for another one
                    Rate rate = new Rate.Constant(Math.min(100, 800.0 / millis));
                    Latencies acknowledged = acknowledged(driver, effects, pace, count, rate);
                    Latencies visible = effects.take().visible();
                    ReportSection.check(visible.count() == count, "each effect is seen");
                    DelayedResponder.Delays delays = responder.delays();
                    String of = "latency of " + millis + " ms, error: ";
                    error(section, of + "acknowledged, p50", acknowledged.percentile(50), delays.answerMedian());
                    error(section, of + "acknowledged, p99", acknowledged.percentile(99), delays.answerP99());
                    error(section, of + "visible, p50", visible.percentile(50), delays.eventMedian());
                    error(section, of + "visible, p99", visible.percentile(99), delays.eventP99());
                }
            }
        }
    }

    private static void error(ReportSection section, String workload, Duration measured, long delay) {
        section.ours(workload, Unit.MICROSECONDS, (measured.toNanos() - delay) / 1e3);
    }

    /** Makes creates, and waits until all effects are seen. */
    private Latencies acknowledged(Driver driver, Effects effects, Pace pace, int count, Rate rate)
            throws InterruptedException {
        Stream<Operation> operations = IntStream.range(0, count)
                .mapToObj(i -> new Operation.Create(LoadObject.of(
                        Kinds.CONFIG_MAP, ObjectKey.of("default", StoredObjects.name(names++)), Map.of())));
        Driver.Outcome outcome = driver.run(
                operations.iterator(), new WorldState(World.EMPTY), rate, Duration.ofMinutes(10), number -> {});
        ReportSection.check(outcome.refusals().isEmpty(), "no create is refused: " + outcome.refusals());
        long patience = pace.nanos() + Duration.ofSeconds(10).toNanos();
        while (effects.pending() > 0 && pace.nanos() < patience) {
            pace.until(pace.nanos() + 1_000_000);
        }
        return outcome.acknowledged();
    }
}
