package dev.evenkeel.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.examples.database.DatabaseBackupCasesTest;
import dev.evenkeel.examples.database.DatabaseCasesTest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How long all cases of the examples take, in a process of their own: the first time, with all that must be loaded for it,
 * and when they are run over and over. It prints that, and fails only when a case does.
 */
class CasesSpeedTest {
    @Test
    @Timeout(120)
    @DisplayName("All cases pass in a process of their own, and over and over")
    void measured() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Measurement.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.print(said);
        assertThat(process.waitFor()).as("it ends with").isZero();
        assertThat(said).contains("examples: ");
    }

    /** The process. */
    static final class Measurement {
        private static final long SECOND = 1_000_000_000;

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

        /** Time of this thread: what others on the machine take does not count. */
        private static long now() {
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }

        private static void run(List<DynamicTest> tests) throws Throwable {
            for (DynamicTest test : tests) {
                test.getExecutable().execute();
            }
        }

        /**
         * Runs them once, then for some seconds, to be warm, and then for a second that counts.
         *
         * @param args seconds to be warm after; default: 3
         */
        public static void main(String[] args) throws Throwable {
            long started = System.nanoTime();
            long begin = now();
            List<DynamicTest> tests = tests();
            run(tests);
            long cold = now() - begin;
            long elapsed = System.nanoTime() - started;
            long warm = now() + (args.length == 0 ? 3 : Long.parseLong(args[0])) * SECOND;
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
                    "examples: %d cases in %.0f ms cold (%.0f ms elapsed), %.1f ms warm; %.0f a second on one core%n",
                    tests.size(),
                    cold / 1e6,
                    elapsed / 1e6,
                    pass / 1e6,
                    tests.size() * SECOND / pass);
        }
    }
}
