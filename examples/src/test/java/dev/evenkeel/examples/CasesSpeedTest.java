package dev.evenkeel.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.evenkeel.examples.database.DatabaseBackupCasesTest;
import dev.evenkeel.examples.database.DatabaseCasesTest;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Measures the time of all cases of the examples, in a process of their own: the first time, with all class loading,
 * and repeatedly, with {@code -Dcases.warm=3} by the optimizing compiler. It prints the times, and fails only when a
 * case does.
 *
 * <p>Also measures the time of any program that begins to read objects of the model: most of the first time is of that
 * sort.
 */
@Isolated("it measures")
class CasesSpeedTest {
    /** Of a process that runs for seconds. */
    private static final List<String> TUNED = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** The seconds to warm up the optimizing compiler, which takes five times as long as the cases: zero for none of it. */
    private static final int WARM_UP = Integer.getInteger("cases.warm", 0);

    @Test
    @Timeout(300)
    @DisplayName("All cases pass in a process of their own, repeatedly")
    void overAndOver() throws IOException, InterruptedException {
        boolean optimized = WARM_UP > 0;
        List<String> flags = optimized ? List.of("-XX:+UseSerialGC") : TUNED;
        String seconds = optimized ? Integer.toString(WARM_UP) : "1";
        assertThat(said(Measurement.class, flags, seconds)).contains("examples: ");
    }

    @Test
    @Timeout(300)
    @DisplayName("A process that reads one object with the model's library alone is the baseline of the first time")
    void library() throws IOException, InterruptedException {
        assertThat(said(Library.class, TUNED)).contains("examples: ");
    }

    private static String said(Class<?> program, List<String> flags, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.print(said);
        assertThat(process.waitFor()).as("it ends with").isZero();
        return said;
    }

    /** Returns the time of this thread: other load on the machine does not count. */
    private static long now() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Reads an object as any program does that uses the model. */
    static final class Library {
        private Library() {}

        public static void main(String[] args) throws IOException {
            long begin = now();
            Deployment read = new ObjectMapper()
                    .readValue(
                            "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"template\":{\"spec\":{\"containers\":[]}}}}",
                            Deployment.class);
            System.out.printf(
                    Locale.ROOT,
                    "examples: Jackson alone reads Deployment %s, its first object, in %.0f ms cold%n",
                    read.getMetadata().getName(),
                    (now() - begin) / 1e6);
        }
    }

    /** Runs the cases. */
    static final class Measurement {
        private static final long SECOND = 1_000_000_000;
        private static final int SUITE = 85;

        private Measurement() {}

        private static List<DynamicTest> tests() {
            WebsiteCasesTest websites = new WebsiteCasesTest();
            DatabaseCasesTest databases = new DatabaseCasesTest();
            DatabaseBackupCasesTest backups = new DatabaseBackupCasesTest();
            return Stream.of(
                            websites.reconciliations(),
                            websites.scenarios(),
                            databases.reconciliations(),
                            databases.scenarios(),
                            backups.reconciliations(),
                            backups.scenarios())
                    .flatMap(tests -> tests)
                    .toList();
        }

        private static void run(List<DynamicTest> tests) throws Throwable {
            for (DynamicTest test : tests) {
                test.getExecutable().execute();
            }
        }

        /**
         * Runs them once; then for some seconds, to be warm, and then for a second that counts.
         *
         * @param args seconds to be warm after
         */
        public static void main(String[] args) throws Throwable {
            long warmUp = Long.parseLong(args[0]) * SECOND;
            long started = System.nanoTime();
            long begin = now();
            List<DynamicTest> tests = tests();
            run(tests.subList(0, SUITE));
            long suite = now() - begin;
            run(tests.subList(SUITE, tests.size()));
            long cold = now() - begin;
            System.out.printf(
                    Locale.ROOT,
                    "examples: %d cases in %.0f ms cold (%.0f ms elapsed), the first %d in %.0f%s%n",
                    tests.size(),
                    cold / 1e6,
                    (System.nanoTime() - started) / 1e6,
                    SUITE,
                    suite / 1e6,
                    isTuned() ? ", in a process tuned for a short run" : "");
            warm(tests, warmUp);
        }

        private static boolean isTuned() {
            return ManagementFactory.getRuntimeMXBean().getInputArguments().containsAll(TUNED);
        }

        private static void warm(List<DynamicTest> tests, long warmUp) throws Throwable {
            long warm = now() + warmUp;
            while (now() < warm) {
                run(tests);
            }
            int passes = 0;
            long from = now();
            long to = from;
            while (to < from + SECOND) {
                run(tests);
                passes++;
                to = now();
            }
            double pass = (double) (to - from) / passes;
            System.out.printf(
                    Locale.ROOT,
                    "examples: %d cases in %.1f ms warm; %.0f a second on one core%n",
                    tests.size(),
                    pass / 1e6,
                    tests.size() * SECOND / pass);
        }
    }
}
