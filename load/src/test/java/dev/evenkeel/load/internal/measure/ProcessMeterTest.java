package dev.evenkeel.load.internal.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.load.internal.measure.ProcessReading.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes; those that can't be had are files of a directory that looks like /proc. */
class ProcessMeterTest {
    private static long value(ProcessReading reading, Quantity quantity) {
        return reading.value(quantity).orElseThrow(() -> new AssertionError(quantity + " is absent: " + reading));
    }

    @Test
    void memoryThreadsAndFilesOfAProcessAreSeen() throws IOException {
        try (ChildProcess child = ChildProcess.java("-XX:+UseSerialGC", "-Xmn300m")) {
            ProcessMeter meter = ProcessMeter.of(child.pid());
            ProcessReading before = meter.read();
            child.run("hold 100");
            child.run("threads 20");
            child.run("files 30");
            // the second one may come before it is the turn of proportional memory
            ProcessReading after = ProcessMeter.of(child.pid()).read();
            assertThat(value(after, Quantity.RESIDENT) - value(before, Quantity.RESIDENT))
                    .isBetween(95_000_000L, 150_000_000L);
            assertThat(value(after, Quantity.PROPORTIONAL) - value(before, Quantity.PROPORTIONAL))
                    .isBetween(95_000_000L, 150_000_000L);
            // the JVM has threads that come and go
            assertThat(value(after, Quantity.THREADS) - value(before, Quantity.THREADS))
                    .isBetween(15L, 25L);
            assertThat(value(after, Quantity.DESCRIPTORS) - value(before, Quantity.DESCRIPTORS))
                    .isBetween(29L, 33L);
        }
    }

    @Test
    void cpuSwitchesAndBytesOfAProcessAreCounted() throws IOException {
        try (ChildProcess child = ChildProcess.java("-XX:+UseSerialGC")) {
            ProcessMeter meter = ProcessMeter.alone(child.pid());
            ProcessReading before = meter.read();
            child.run("spin 300");
            child.run("write 5000");
            for (int i = 0; i < 50; i++) {
                child.run("spin 0");
            }
            ProcessReading after = meter.read();
            assertThat(value(after, Quantity.CPU) - value(before, Quantity.CPU))
                    .isBetween(280_000_000L, 2_000_000_000L);
            assertThat(value(after, Quantity.CHARACTERS_WRITTEN) - value(before, Quantity.CHARACTERS_WRITTEN))
                    .isBetween(5_000_000L, 5_100_000L);
            assertThat(value(after, Quantity.VOLUNTARY_SWITCHES) - value(before, Quantity.VOLUNTARY_SWITCHES))
                    .isGreaterThanOrEqualTo(40);
            assertThat(after.values()).containsKeys(Quantity.BYTES_READ, Quantity.BYTES_WRITTEN);
        }
    }

    @Test
    void theProcessesBelowAShellAreCounted() throws Exception {
        try (ChildProcess child = ChildProcess.shell("-XX:+UseSerialGC")) {
            ProcessMeter meter = ProcessMeter.of(child.pid());
            assertThat(meter.processes()).hasSize(2).startsWith(child.pid());
            ProcessReading before = meter.read();
            child.run("spin 300");
            ProcessReading after = meter.read();
            assertThat(value(after, Quantity.CPU) - value(before, Quantity.CPU)).isGreaterThanOrEqualTo(280_000_000);
            assertThat(value(after, Quantity.RESIDENT)).isGreaterThan(20_000_000);
            ProcessReading shell = ProcessMeter.alone(child.pid()).read();
            assertThat(value(shell, Quantity.RESIDENT)).isLessThan(10_000_000);
            assertThat(value(shell, Quantity.THREADS)).isEqualTo(1);
        }
    }

    @Test
    void cpuOfCommandsThatHaveEndedIsThatOfTheirParent() throws Exception {
        Process shell = new ProcessBuilder(
                        "sh",
                        "-c",
                        "read x; i=0; while [ $i -lt 300 ]; do ls / >&2; i=$((i+1)); done;" + " echo done; read x")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var input = shell.outputWriter();
                var output = shell.inputReader()) {
            ProcessMeter meter = ProcessMeter.of(shell.pid());
            long before = value(meter.read(), Quantity.CPU);
            input.write("go\n");
            input.flush();
            assertThat(output.readLine()).isEqualTo("done");
            assertThat(value(meter.read(), Quantity.CPU) - before).isGreaterThanOrEqualTo(100_000_000);
            assertThat(meter.processes()).containsExactly(shell.pid());
        } finally {
            shell.destroyForcibly();
        }
    }

    @Test
    void aProcessThatHasEndedHasAnEmptyReading() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "1000").start();
        ProcessMeter meter = ProcessMeter.of(sleep.pid());
        assertThat(meter.read().isEmpty()).isFalse();
        sleep.destroyForcibly().waitFor();
        assertThat(meter.read()).isEqualTo(ProcessReading.EMPTY);
        assertThat(meter.figures()).isEmpty();
        assertThat(ProcessMeter.of(sleep.pid()).read().isEmpty()).isTrue();
    }

    @Test
    void aSleepingProcessUsesNothing() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "1000").start();
        try {
            ProcessMeter meter = ProcessMeter.of(sleep.pid());
            ProcessReading reading = meter.read();
            assertThat(value(reading, Quantity.THREADS)).isEqualTo(1);
            assertThat(value(reading, Quantity.DESCRIPTORS)).isEqualTo(3);
            assertThat(value(reading, Quantity.CPU)).isLessThan(100_000_000);
            assertThat(value(reading, Quantity.PROPORTIONAL)).isPositive().isLessThan(5_000_000);
        } finally {
            sleep.destroyForcibly();
        }
    }

    @Test
    void aNumberThatIsNoneOfAProcessIsRefused() {
        assertThatThrownBy(() -> ProcessMeter.of(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pid must be positive: -1");
    }

    /** Writes files of a process; the name of its command looks like fields. */
    private static void write(Path proc, long pid, int ticks, String started, Map<String, String> files)
            throws IOException {
        Path directory = Files.createDirectories(proc.resolve(Long.toString(pid)));
        Files.writeString(
                directory.resolve("stat"),
                pid + " (a ) R 1) S 1 1 1 0 -1 0 0 0 0 0 " + ticks + " 0 0 0 20 0 1 0 " + started + " 0 0\n");
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }

    private static String switches(int voluntary) {
        return "Name:\tx\nvoluntary_ctxt_switches:\t" + voluntary + "\nnonvoluntary_ctxt_switches:\t1\n";
    }

    @Test
    void whatCannotBeReadIsAbsent(@TempDir Path proc) throws IOException {
        write(proc, 7, 100, "5", Map.of("status", "VmRSS:\t  10 kB\nThreads:\t1\n", "task/7/status", switches(3)));
        assertThat(ProcessMeter.of(proc, 7, () -> 0).read().values().keySet())
                .containsExactly(
                        Quantity.RESIDENT,
                        Quantity.CPU,
                        Quantity.THREADS,
                        Quantity.VOLUNTARY_SWITCHES,
                        Quantity.INVOLUNTARY_SWITCHES);
    }

    @Test
    void aSumThatLacksOneProcessIsAbsent(@TempDir Path proc) throws IOException {
        write(proc, 7, 100, "5", Map.of("io", "rchar: 5\nwchar: 5\n", "task/7/children", "8 "));
        write(proc, 8, 100, "6", Map.of("task/8/children", ""));
        ProcessMeter meter = ProcessMeter.of(proc, 7, () -> 0);
        assertThat(meter.processes()).containsExactly(7L, 8L);
        assertThat(meter.read().values()).doesNotContainKey(Quantity.CHARACTERS_READ);
        assertThat(value(meter.read(), Quantity.CPU)).isEqualTo(2_000_000_000);
    }

    @Test
    void switchesOfThreadsThatHaveEndedStayCounted(@TempDir Path proc) throws IOException {
        write(proc, 7, 100, "5", Map.of("task/7/status", switches(10), "task/9/status", switches(100)));
        ProcessMeter meter = ProcessMeter.of(proc, 7, () -> 0);
        assertThat(value(meter.read(), Quantity.VOLUNTARY_SWITCHES)).isEqualTo(110);
        Files.delete(proc.resolve("7/task/9/status"));
        Files.delete(proc.resolve("7/task/9"));
        Files.writeString(proc.resolve("7/task/7/status"), switches(11));
        assertThat(value(meter.read(), Quantity.VOLUNTARY_SWITCHES)).isEqualTo(111);
        write(proc, 7, 100, "5", Map.of("task/9/status", switches(4)));
        assertThat(value(meter.read(), Quantity.VOLUNTARY_SWITCHES)).isEqualTo(115);
    }

    @Test
    void totalsDoNotDecreaseWhenAProcessBelowEnds(@TempDir Path proc) throws IOException {
        write(proc, 7, 100, "5", Map.of("task/7/children", "8"));
        write(proc, 8, 300, "6", Map.of());
        ProcessMeter meter = ProcessMeter.of(proc, 7, () -> 0);
        assertThat(value(meter.read(), Quantity.CPU)).isEqualTo(4_000_000_000L);
        Files.delete(proc.resolve("8/stat"));
        assertThat(value(meter.read(), Quantity.CPU)).isEqualTo(4_000_000_000L);
    }

    @Test
    void anotherProcessOfTheSameNumberIsNotRead(@TempDir Path proc) throws IOException {
        write(proc, 7, 100, "5", Map.of());
        ProcessMeter meter = ProcessMeter.of(proc, 7, () -> 0);
        assertThat(meter.read().isEmpty()).isFalse();
        write(proc, 7, 1, "900", Map.of());
        assertThat(meter.read().isEmpty()).isTrue();
    }

    @Test
    void proportionalMemoryTakesAPartOfTheTimeOnly(@TempDir Path proc) throws IOException {
        write(proc, 7, 100, "5", Map.of("smaps_rollup", "Rss: 9 kB\nPss:  4 kB\n"));
        AtomicLong now = new AtomicLong();
        // each look at the time takes 10 ms
        ProcessMeter meter = ProcessMeter.of(proc, 7, () -> now.getAndAdd(10_000_000));
        assertThat(value(meter.read(), Quantity.PROPORTIONAL)).isEqualTo(4096);
        assertThat(meter.read().values()).doesNotContainKey(Quantity.PROPORTIONAL);
        now.addAndGet(1_000_000_000);
        assertThat(meter.read().values()).doesNotContainKey(Quantity.PROPORTIONAL);
        now.addAndGet(1_000_000_000);
        assertThat(meter.read().values()).containsKey(Quantity.PROPORTIONAL);
    }

    @Test
    void switchesOfManyThreadsAreReadInOneOfSeveralReadings(@TempDir Path proc) throws IOException {
        write(proc, 7, 100, "5", Map.of());
        for (int i = 0; i < 250; i++) {
            write(proc, 7, 100, "5", Map.of("task/" + i + "/status", switches(2)));
        }
        ProcessMeter meter = ProcessMeter.of(proc, 7, () -> 0);
        assertThat(value(meter.read(), Quantity.VOLUNTARY_SWITCHES)).isEqualTo(500);
        assertThat(meter.read().values()).doesNotContainKey(Quantity.VOLUNTARY_SWITCHES);
        assertThat(meter.read().values()).doesNotContainKey(Quantity.INVOLUNTARY_SWITCHES);
        assertThat(value(meter.read(), Quantity.VOLUNTARY_SWITCHES)).isEqualTo(500);
    }

    @Test
    void parentsComeBeforeTheirChildren(@TempDir Path proc) throws IOException {
        write(proc, 7, 1, "5", Map.of("task/7/children", "8", "task/70/children", "9"));
        write(proc, 8, 1, "5", Map.of("task/8/children", "10 11"));
        List<Long> order = ProcessTree.of(proc, 7);
        assertThat(order).containsExactlyInAnyOrder(7L, 8L, 9L, 10L, 11L).startsWith(7L);
        assertThat(order.subList(1, 3)).contains(8L);
    }
}
