package dev.evenkeel.load.internal.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.Series.Sample;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SamplerTest {
    private static final long SECOND = 1_000_000_000;

    private long now = 5 * SECOND;
    private long cpu;
    private List<Figure> figures = new ArrayList<>();

    private Sampler sampler(Meter... meters) {
        return new Sampler(List.of(meters), Duration.ofSeconds(1), 100, () -> now, () -> cpu);
    }

    private static Map<String, Series> byName(Sampler sampler) {
        return sampler.series().stream().collect(Collectors.toMap(Series::name, Function.identity()));
    }

    private void sample(Sampler sampler, long seconds, Figure... read) throws InterruptedException {
        now += seconds * SECOND;
        figures = List.of(read);
        sampler.sample();
    }

    private static Sample at(int second, double value) {
        return new Sample(Duration.ofSeconds(second), value);
    }

    @Test
    void levelsAreSampledAndTotalsBecomeRates() throws InterruptedException {
        Sampler sampler = sampler(() -> figures);
        sample(sampler, 0, Figure.level("a", "bytes", 10), Figure.total("b", "1/s", 100));
        sample(sampler, 1, Figure.level("a", "bytes", 20), Figure.total("b", "1/s", 110));
        cpu += SECOND / 100;
        sample(sampler, 4, Figure.level("a", "bytes", 30), Figure.total("b", "1/s", 150));
        assertThat(byName(sampler).get("a"))
                .isEqualTo(new Series("a", "bytes", List.of(at(0, 10), at(1, 20), at(5, 30))));
        assertThat(byName(sampler).get("b")).isEqualTo(new Series("b", "1/s", List.of(at(1, 10), at(5, 10))));
        assertThat(byName(sampler).get("harness.sampling"))
                .isEqualTo(new Series("harness.sampling", "cores", List.of(at(1, 0), at(5, 0.0025))));
    }

    @Test
    void aRestartHasNoRate() throws InterruptedException {
        Sampler sampler = sampler(() -> figures);
        sample(sampler, 0, Figure.total("b", "", 100));
        sample(sampler, 1, Figure.total("b", "", 110));
        sample(sampler, 1, Figure.total("b", "", 3));
        sample(sampler, 1);
        sample(sampler, 1, Figure.total("b", "", 13));
        assertThat(byName(sampler).get("b").samples()).containsExactly(at(1, 10), at(4, 5));
    }

    @Test
    void aMeterThatFailsDoesNotAffectOthers() throws InterruptedException {
        AtomicInteger turns = new AtomicInteger();
        Sampler sampler = sampler(
                () -> {
                    if (turns.incrementAndGet() < 3) {
                        throw new IOException("not yet");
                    }
                    return List.of(Figure.level("late", "", 1));
                },
                () -> figures);
        sample(sampler, 0, Figure.level("a", "", 1));
        assertThat(sampler.problems()).containsExactly("not yet");
        sample(sampler, 1, Figure.level("a", "", 2));
        sample(sampler, 1, Figure.level("a", "", 3));
        assertThat(sampler.problems()).isEmpty();
        assertThat(byName(sampler).get("a").values()).containsExactly(1, 2, 3);
        assertThat(byName(sampler).get("late").samples()).containsExactly(at(2, 1));
    }

    @Test
    void aSeriesIsBounded() throws InterruptedException {
        Sampler sampler = sampler(() -> figures);
        for (int i = 0; i < 1_000; i++) {
            sample(sampler, 1, Figure.level("a", "", i));
        }
        assertThat(byName(sampler).get("a").samples()).hasSizeBetween(50, 100);
    }

    @Test
    void itReadsInAThreadOfItsOwnUntilItIsClosed() throws InterruptedException {
        CountDownLatch read = new CountDownLatch(3);
        List<Thread> threads = new ArrayList<>();
        Sampler sampler = new Sampler(
                List.of(() -> {
                    threads.add(Thread.currentThread());
                    read.countDown();
                    return List.of(Figure.level("a", "", 1));
                }),
                Duration.ofMillis(1),
                System::nanoTime);
        try (sampler) {
            Sampler unused = sampler.start();
            assertThat(read.await(120, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(sampler::start).isInstanceOf(IllegalStateException.class);
        }
        assertThat(threads).doesNotContain(Thread.currentThread());
        assertThat(threads.getFirst().isAlive()).isFalse();
        assertThat(threads.stream().distinct()).hasSize(1);
        assertThat(byName(sampler)).containsKeys("a", "harness.sampling");
    }

    @Test
    void anIntervalThatIsNoneIsRefused() {
        assertThatThrownBy(() -> new Sampler(List.of(), Duration.ZERO, System::nanoTime))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("interval must be at least 1 ms: PT0S");
    }

    /** The first readings run code that is not compiled yet. */
    @Test
    void allMetersOfAJvmCostLittle() throws Exception {
        try (ChildProcess child = ChildProcess.java("-XX:+UseG1GC");
                JvmMeter jvm = JvmMeter.attach(child.pid(), problem -> {}).orElseThrow()) {
            child.run("hold 50");
            Sampler sampler = new Sampler(
                    List.of(ProcessMeter.of(child.pid()), jvm),
                    Duration.ofSeconds(1),
                    100,
                    () -> now,
                    () -> ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
            for (int i = 0; i < 40; i++) {
                now += SECOND;
                sampler.sample();
            }
            Map<String, Series> series = byName(sampler);
            double[] cost = series.get("harness.sampling").values();
            assertThat(Arrays.stream(cost, 20, 39).min().orElseThrow()).isLessThan(0.02);
            assertThat(series.keySet())
                    .containsExactlyInAnyOrder(
                            "harness.sampling",
                            "jvm.allocated",
                            "jvm.heap",
                            "jvm.after-collection.g1-eden-space",
                            "jvm.after-collection.g1-old-gen",
                            "jvm.after-collection.g1-survivor-space",
                            "jvm.pauses",
                            "process.cpu",
                            "process.descriptors",
                            "process.proportional",
                            "process.read",
                            "process.resident",
                            "process.switches",
                            "process.threads",
                            "process.written");
            assertThat(series.get("process.resident").values()).hasSize(40);
            assertThat(series.get("process.cpu").values()).hasSize(39);
        }
    }
}
