package dev.evenkeel.soak.torture;

import dev.evenkeel.kubernetes.Connection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server in a process of its own, which is started, signalled and killed. */
final class Victim implements AutoCloseable {
    private static final int START_SECONDS = 60;

    private final List<String> command;
    private final Path kubeconfig;
    private final Deque<String> last = new ArrayDeque<>();
    private Process process;

    private Victim(List<String> command, Path kubeconfig) throws InterruptedException {
        this.command = command;
        this.kubeconfig = kubeconfig;
        process = launch(command, last);
    }

    /** Starts a server, and waits until it serves. */
    static Victim start(List<String> command, Path kubeconfig) throws InterruptedException {
        return new Victim(command, kubeconfig);
    }

    private static Process launch(List<String> command, Deque<String> last) throws InterruptedException {
        CompletableFuture<Boolean> serving = new CompletableFuture<>();
        Process process = fork(command, serving, last);
        try {
            if (serving.get(START_SECONDS, TimeUnit.SECONDS)) {
                return process;
            }
        } catch (ExecutionException | TimeoutException e) {
            add(last, "not ready after " + START_SECONDS + " s");
        }
        process.destroyForcibly();
        throw new IllegalStateException("the server did not start: " + text(last));
    }

    private static Process fork(List<String> command, CompletableFuture<Boolean> serving, Deque<String> last) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            Thread.ofVirtual().start(() -> read(process, serving, last));
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(Deque<String> last, String line) {
        synchronized (last) {
            last.add(line);
            if (last.size() > 20) {
                last.remove();
            }
        }
    }

    private static String text(Deque<String> last) {
        synchronized (last) {
            return String.join(" | ", last);
        }
    }

    private static void read(Process process, CompletableFuture<Boolean> serving, Deque<String> last) {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                add(last, line);
                if (line.startsWith("serving on ")) {
                    serving.complete(true);
                }
            }
        } catch (IOException e) {
            // it was killed
        }
        serving.complete(false);
    }

    Connection connection() {
        return Connection.fromKubeconfig(kubeconfig);
    }

    /** SIGKILL; returns when the process has ended. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void restart() throws InterruptedException {
        process = launch(command, last);
    }

    /** Starts it, and kills it after a time, ready or not. */
    void killWhileStarting(Duration time) throws InterruptedException {
        process = fork(command, new CompletableFuture<>(), last);
        Thread.sleep(time);
        kill();
    }

    /** Fails when it has ended by itself. */
    void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the server ended with code " + process.exitValue() + ": " + text(last));
        }
    }

    /** Sends a signal, such as {@code STOP}. */
    void signal(String name) throws InterruptedException {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                boolean _ = process.waitFor(1, TimeUnit.SECONDS); // the usual reason
                requireAlive();
                throw new IllegalStateException("kill -" + name + " failed with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
