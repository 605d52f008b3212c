package dev.evenkeel.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A small Java process with the class path of the tests, whose output is read. A process that is started with a heap ends
 * when that is not enough, and reports how much of it is in use; see {@link HeapProbe}.
 */
public final class JavaProcess implements AutoCloseable {
    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private int probes;
    private boolean ended;

    private JavaProcess(Process process) {
        this.process = process;
        Thread.ofVirtual().start(this::read);
    }

    /** Starts a process with a heap of 128 MB. */
    public static JavaProcess start(Class<?> main, String... arguments) throws IOException {
        return start(List.of(), List.of("-Xmx128m"), main, arguments);
    }

    /** Starts a process with a heap of so many megabytes, which can be measured. */
    public static JavaProcess startWithHeap(int megabytes, Class<?> main, String... arguments) throws IOException {
        return startWithHeap(megabytes, List.of(), main, arguments);
    }

    /** Starts a process with a heap of so many megabytes and other options of the JVM. */
    static JavaProcess startWithHeap(int megabytes, List<String> options, Class<?> main, String... arguments)
            throws IOException {
        List<String> heap = new ArrayList<>(options);
        heap.addAll(List.of("-Xmx" + megabytes + "m", "-XX:+ExitOnOutOfMemoryError"));
        List<String> all = new ArrayList<>(List.of(main.getName()));
        all.addAll(List.of(arguments));
        return start(List.of(), heap, HeapProbe.class, all.toArray(String[]::new));
    }

    /** Starts a process that can have only so many files and sockets open. */
    public static JavaProcess startWithFiles(int files, Class<?> main, String... arguments) throws IOException {
        List<String> launcher = List.of("sh", "-c", "ulimit -n " + files + "; exec \"$@\"", "sh");
        return start(launcher, List.of("-Xmx128m"), main, arguments);
    }

    private static JavaProcess start(List<String> launcher, List<String> heap, Class<?> main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(heap);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new JavaProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private void read() {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            // it was killed
        } finally {
            end();
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Waits for a line. */
    public synchronized String await(Predicate<String> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (true) {
            for (String line : lines) {
                if (wanted.test(line)) {
                    return line;
                }
            }
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            assertThat(!ended && left > 0).as("it said only " + lines).isTrue();
            wait(left);
        }
    }

    /** Returns the bytes of heap that are in use after a collection; the process was started with a heap. */
    public long heap() throws InterruptedException {
        String head = "heap " + ++probes + ": ";
        try {
            OutputStream in = process.getOutputStream();
            in.write('\n');
            in.flush();
        } catch (IOException e) {
            throw new AssertionError("it has ended; it said only " + lines(), e);
        }
        return Long.parseLong(await(line -> line.startsWith(head)).substring(head.length()));
    }

    /** Returns its output. */
    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    /** SIGKILL. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM; its exit code. */
    public int terminate() throws InterruptedException {
        process.destroy();
        return exit(120);
    }

    /** Waits for its end; its exit code. */
    public int exit() throws InterruptedException {
        return exit(120);
    }

    /** Waits some seconds for its end, and that of its output; its exit code. */
    public synchronized int exit(int seconds) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!ended) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            assertThat(left).as("milliseconds left; it said only " + lines).isPositive();
            wait(left);
        }
        process.waitFor();
        return process.exitValue();
    }

    /** SIGSTOP; returns when all threads are stopped, which on a busy machine is later than the signal. */
    public void freeze() throws IOException, InterruptedException {
        signal("-STOP");
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!areStopped(threads)) {
            assertThat(System.nanoTime()).as("time at which it is stopped").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Returns true if threads are stopped, or if the system does not tell. */
    private static boolean areStopped(Path threads) {
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : all.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return !Files.exists(threads); // else a thread has ended meanwhile
        }
    }

    /** SIGCONT. */
    public void thaw() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Skips a test where processes cannot be stopped and continued. */
    public static void assumeSignals() {
        boolean able;
        try {
            able = new ProcessBuilder(
                                    "kill",
                                    "-CONT",
                                    Long.toString(ProcessHandle.current().pid()))
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            able = false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Assumptions.assumeTrue(able, "kill -STOP is not available, so processes cannot be frozen");
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
