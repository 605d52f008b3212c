package dev.evenkeel.load.internal.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jdk.jfr.consumer.RecordingFile;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real JVMs, with each collector. */
class JvmMeterTest {
    private static JvmMeter attach(ChildProcess child) {
        List<String> problems = new ArrayList<>();
        Optional<JvmMeter> meter = JvmMeter.attach(child.pid(), problems::add);
        assertThat(problems).isEmpty();
        return meter.orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseZGC"})
    void whatIsRetainedIsSeen(String collector) throws IOException {
        try (ChildProcess child = ChildProcess.java(collector);
                JvmMeter meter = attach(child)) {
            assertThat(meter.pid()).isEqualTo(child.pid());
            long empty = meter.retained().bytes();
            ClassHistogram before = meter.histogram();

            child.run("allocate 200");
            JvmReading then = meter.read();
            child.run("allocate 200");
            JvmReading now = meter.read();
            assertThat((double) now.allocated().orElseThrow() - then.allocated().orElseThrow())
                    .isCloseTo(200_000_000, within(10_000_000.0));
            assertThat(now.heap()).isPositive();
            assertThat(now.collections()).isPositive();
            assertThat(now.afterCollection()).isNotEmpty();

            child.run("hold 50");
            long held = meter.retained().bytes();
            // 50,000 objects of a header, a reference and an array of 1,000 bytes
            assertThat((double) held - empty).isCloseTo(52_000_000, Percentage.withPercentage(5));
            assertThat((double) meter.retained().bytes()).isCloseTo(held, Percentage.withPercentage(1));
            List<ClassHistogram.Instances> growth = meter.histogram().growthSince(before);
            assertThat(growth.getFirst().name()).isEqualTo("[B");
            assertThat(growth.subList(0, 3)).anySatisfy(one -> {
                assertThat(one.name()).isEqualTo(Child.Retained.class.getName());
                assertThat(one.instances()).isEqualTo(50_000);
            });

            child.run("release 0");
            assertThat((double) meter.retained().bytes()).isCloseTo(empty, within(1_000_000.0));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseG1GC"})
    void pausesAreThoseThatStopTheProgram(String collector) throws IOException {
        try (ChildProcess child = ChildProcess.java(collector);
                JvmMeter meter = attach(child)) {
            child.run("hold 100");
            JvmReading before = meter.read();
            for (int i = 0; i < 3; i++) {
                assertThat(meter.retained().bytes()).isPositive();
            }
            JvmReading after = meter.read();
            assertThat(after.collections() - before.collections()).isBetween(6L, 15L);
            assertThat(after.paused()).isGreaterThan(before.paused());
        }
    }

    @Test
    void theJvmBelowAShellIsFound() throws IOException {
        try (ChildProcess child = ChildProcess.shell("-XX:+UseSerialGC");
                JvmMeter meter = attach(child)) {
            assertThat(meter.pid()).isNotEqualTo(child.pid());
            assertThat(meter.retained().bytes()).isPositive();
        }
    }

    @Test
    void figuresHaveTheNamesOfTheirSeries() throws IOException {
        try (ChildProcess child = ChildProcess.java("-XX:+UseSerialGC");
                JvmMeter meter = attach(child)) {
            assertThat(meter.figures())
                    .extracting(Figure::name)
                    .containsExactly(
                            "jvm.heap",
                            "jvm.after-collection.eden-space",
                            "jvm.after-collection.survivor-space",
                            "jvm.after-collection.tenured-gen",
                            "jvm.allocated",
                            "jvm.pauses");
        }
    }

    /** A program that takes SIGQUIT otherwise than a JVM, as nearly all do, would end. */
    @Test
    void aProcessThatIsNoJvmIsNotDisturbed() throws Exception {
        Process shell =
                new ProcessBuilder("sh", "-c", "trap 'echo quit' QUIT; echo ready; read x; echo \"end $x\"").start();
        try (var output = shell.inputReader();
                var input = shell.outputWriter()) {
            assertThat(output.readLine()).isEqualTo("ready");
            List<String> problems = new ArrayList<>();
            assertThat(JvmMeter.attach(shell.pid(), problems::add)).isEmpty();
            assertThat(problems).containsExactly("process " + shell.pid() + " is not a JVM, and none is below it");
            input.write("well\n");
            input.flush();
            assertThat(output.readLine()).isEqualTo("end well");
        } finally {
            shell.destroyForcibly();
        }
    }

    @Test
    void aJvmThatRefusesIsAProblem() throws Exception {
        try (ChildProcess child = ChildProcess.java("-XX:+UseSerialGC", "-XX:+DisableAttachMechanism")) {
            List<String> problems = new ArrayList<>();
            assertThat(JvmMeter.attach(child.pid(), problems::add)).isEmpty();
            assertThat(problems)
                    .singleElement()
                    .asString()
                    .startsWith("JVM " + child.pid() + " can't be attached to: ")
                    .contains("-XX:+DisableAttachMechanism");
        }
    }

    @Test
    void aJvmThatHasEndedIsAnError() throws Exception {
        try (ChildProcess child = ChildProcess.java("-XX:+UseSerialGC")) {
            JvmMeter meter = attach(child);
            child.end();
            assertThatThrownBy(meter::read).isInstanceOf(IOException.class);
            List<String> problems = new ArrayList<>();
            assertThat(JvmMeter.attach(child.pid(), problems::add)).isEmpty();
            assertThat(problems).containsExactly("process " + child.pid() + " has ended");
        }
    }

    @Test
    void aRecordingHasEventsOfTheOtherJvm(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("child.jfr");
        try (ChildProcess child = ChildProcess.java("-XX:+UseSerialGC");
                JvmMeter meter = attach(child)) {
            try (JvmRecording recording = meter.record()) {
                child.run("allocate 50");
                assertThat(meter.retained().bytes()).isPositive();
                recording.stop(file);
            }
        }
        assertThat(Files.size(file)).isPositive();
        assertThat(RecordingFile.readAllEvents(file))
                .anySatisfy(event -> assertThat(event.getEventType().getName()).isEqualTo("jdk.GarbageCollection"));
    }

    @Test
    void histogramsAreReadAndCompared() {
        ClassHistogram before = ClassHistogram.parse("""
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:            10            100  [B (java.base@25)
                   2:             2             20  a.B
                   3:             1             10  a.B
                   4:             5             50  a.Gone
                Total            18            180
                """);
        assertThat(before.bytes()).isEqualTo(180);
        ClassHistogram after = ClassHistogram.parse("""
                   1:            11            110  [B (java.base@25)
                   2:             3             30  a.B
                   3:             2            200  a.New
                """);
        assertThat(after.growthSince(before))
                .containsExactly(
                        new ClassHistogram.Instances("a.New", 2, 200),
                        new ClassHistogram.Instances("[B", 1, 10),
                        new ClassHistogram.Instances("a.Gone", -5, -50));
        assertThatThrownBy(() -> ClassHistogram.parse("nothing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing");
    }
}
