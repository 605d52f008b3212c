package dev.evenkeel.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.schedule.SystemScheduler;
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
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The cost of writes by the driver of the load harness, as fast as they are acknowledged, compared with fabric8's client.
 *
 * <p>Both create ConfigMaps of 1 KB and patch each once, 16 at a time, in the same server in another process. The CPU time is
 * that of this process: of the driver or the peer, its collections and compilations included.
 */
final class DriverWorkload {
    private static final int AT_ONCE = 16;
    private static final int ROUNDS = 5;
    private static final int WARMUP_WRITES = 40_000;
    private static final int WARMUP_SECONDS = 20;
    private static final String TEXT = "x".repeat(1_000);
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final AtomicInteger names = new AtomicInteger();

    /** The writes of one round. */
    private record Figures(double perSecond, double perCoreSecond) {}

    /** Writes for a time, and returns the number of acknowledged writes. */
    @FunctionalInterface
    private interface Writer {
        long write(Duration time) throws Exception;

        /** Triggers the compilation that the first rounds would otherwise wait for. */
        default void warm() throws Exception {
            long written = 0;
            for (int i = 0; i < WARMUP_SECONDS && written < WARMUP_WRITES; i++) {
                written += write(Duration.ofSeconds(1));
            }
        }
    }

    private DriverWorkload() {}

    static void run(ReportSection section) throws Exception {
        new DriverWorkload().measure(section);
    }

    private void measure(ReportSection section) throws Exception {
        Rounds ours = new Rounds();
        Rounds theirs = new Rounds();
        Rounds oursByCore = new Rounds();
        Rounds theirsByCore = new Rounds();
        RunLength length = section.length();
        try (ApiServerProcess server = new ApiServerProcess();
                SystemScheduler scheduler = new SystemScheduler();
                dev.evenkeel.kubernetes.KubernetesClient client =
                        dev.evenkeel.kubernetes.KubernetesClient.connect(server.connection());
                KubernetesClient fabric8 = server.fabric8()) {
            Pace pace = new Pace(scheduler);
            Effects effects = new Effects(client, operation -> Optional.empty(), pace);
            try (Driver driver = new Driver(client, Disruption.NONE, effects, pace, AT_ONCE)) {
                Writer driven = time -> drive(driver, time);
                Writer peer = time -> write(fabric8, time);
                driven.warm();
                peer.warm();
                for (int i = 0; i < ROUNDS; i++) {
                    Figures mine = figures(driven, length.measured());
                    Figures other = figures(peer, length.measured());
                    ours.add(mine.perSecond());
                    oursByCore.add(mine.perCoreSecond());
                    theirs.add(other.perSecond());
                    theirsByCore.add(other.perCoreSecond());
                }
            }
        }
        section.rounds("driver: writes, " + AT_ONCE + " at once", Unit.PER_SECOND, ours, theirs, Peers.FABRIC8);
        section.rounds("driver: writes a core", Unit.PER_SECOND, oursByCore, theirsByCore, Peers.FABRIC8);
    }

    private static Figures figures(Writer writer, Duration time) throws Exception {
        long begin = System.nanoTime();
        long cpu = SYSTEM.getProcessCpuTime();
        long written = writer.write(time);
        double cores = (SYSTEM.getProcessCpuTime() - cpu) / 1e9;
        return new Figures(written / ((System.nanoTime() - begin) / 1e9), written / cores);
    }

    private long drive(Driver driver, Duration time) throws InterruptedException {
        Iterator<Operation> operations = Stream.generate(names::incrementAndGet)
                .flatMap(number -> {
                    ObjectKey key = ObjectKey.of("default", StoredObjects.name(number));
                    return Stream.<Operation>of(
                            new Operation.Create(LoadObject.of(
                                    Kinds.CONFIG_MAP, key, Map.of("data", Map.of("text", TEXT, "revision", "1")))),
                            new Operation.Edit(Kinds.CONFIG_MAP, key, Map.of("data", Map.of("revision", "2")), false));
                })
                .iterator();
        Driver.Outcome outcome =
                driver.run(operations, new WorldState(World.EMPTY), new Rate.Acknowledged(), time, number -> {});
        ReportSection.check(outcome.refusals().isEmpty(), "no write is refused: " + outcome.refusals());
        return outcome.operations();
    }

    private long write(KubernetesClient client, Duration time) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        AtomicInteger written = new AtomicInteger();
        PatchContext merge = PatchContext.of(PatchType.JSON_MERGE);
        Load.concurrently(Thread.ofPlatform(), AT_ONCE, thread -> {
            while (System.nanoTime() < end) {
                String name = StoredObjects.name(names.incrementAndGet());
                Object _ = client.resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withNamespace("default")
                                .withName(name)
                                .endMetadata()
                                .withData(Map.of("text", TEXT, "revision", "1"))
                                .build())
                        .create();
                Object _ = client.configMaps()
                        .inNamespace("default")
                        .withName(name)
                        .patch(merge, "{\"data\":{\"revision\":\"2\"}}");
                written.addAndGet(2);
            }
        });
        return written.get();
    }
}
