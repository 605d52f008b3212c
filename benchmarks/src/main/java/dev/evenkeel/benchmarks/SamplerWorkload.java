package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.load.internal.measure.JvmMeter;
import dev.evenkeel.load.internal.measure.Meter;
import dev.evenkeel.load.internal.measure.ProcessMeter;
import dev.evenkeel.load.internal.measure.Sampler;
import dev.evenkeel.load.result.Series;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The cost of the measurements of the load harness: its share of a core, at its usual interval. */
final class SamplerWorkload {
    private static final int THREADS = 500;

    /** The readings in which the classes of the sampler are loaded. */
    private static final int FIRST = 3;

    private SamplerWorkload() {}

    static void run(ReportSection section) throws Exception {
        try (JavaProcess process = new JavaProcess(
                "idle JVM",
                SamplerWorkload.class,
                List.of("-XX:+UseSerialGC", "-Xmx256m"),
                List.of(Integer.toString(THREADS)))) {
            String[] _ = process.answer("idle");
            String jvm = "sampler: JVM with " + THREADS + " threads";
            try (JvmMeter meter = JvmMeter.attach(process.pid(), problem -> {})
                    .orElseThrow(() -> new IllegalStateException("the JVM can't be attached to"))) {
                measure(section, jvm, List.of(ProcessMeter.of(process.pid()), meter));
            }
            measure(section, jvm + ", without its beans", List.of(ProcessMeter.of(process.pid())));
        }
        Process plain = new ProcessBuilder("sleep", "3600").start();
        try {
            measure(section, "sampler: plain process", List.of(ProcessMeter.of(plain.pid())));
        } finally {
            plain.destroy();
        }
    }

    private static void measure(ReportSection section, String workload, List<Meter> meters) throws Exception {
        int readings = section.quick() ? 10 : 30;
        try (Sampler sampler = new Sampler(meters, Sampler.INTERVAL, System::nanoTime).start()) {
            TimeUnit.NANOSECONDS.sleep(
                    Sampler.INTERVAL.multipliedBy(FIRST + readings + 1).toNanos());
            ReportSection.check(sampler.problems().isEmpty(), "all is read: " + sampler.problems());
            add(section, workload, sampler.series(), "harness.sampling");
            if (meters.size() > 1) {
                add(section, workload + ", its own CPU", sampler.series(), "process.cpu");
            }
        }
    }

    private static void add(ReportSection section, String workload, List<Series> all, String name) {
        Rounds rounds = new Rounds();
        all.stream()
                .filter(series -> series.name().equals(name))
                .flatMap(series -> series.samples().stream().skip(FIRST))
                .forEach(sample -> rounds.add(100 * sample.value()));
        section.rounds(workload, Unit.PERCENT, rounds);
    }

    /** Runs the process: the argument is the number of threads; it ends with the input. */
    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread _ = Thread.ofPlatform().daemon().start(() -> {
                started.countDown();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        started.await();
        System.out.println("idle");
        JavaProcess.serve(words -> {});
    }
}
