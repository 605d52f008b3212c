package dev.evenkeel.load.internal.drive;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A controller that the harness starts. It finds the API by the environment variable {@code KUBECONFIG}, and by the word
 * {@code {kubeconfig}} of its command, which is replaced by the file.
 */
public final class ControllerProcess implements AutoCloseable {
    private static final int LAST_LINES = 20;
    private static final long PATIENCE = 20;

    private final List<String> command;
    private final Path kubeconfig;
    private final Consumer<? super String> output;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final List<Thread> readers = new CopyOnWriteArrayList<>();
    private @Nullable Process process;

    /**
     * Creates a controller that is not started.
     *
     * @param output receives each line of its output and its errors, from several threads
     */
    public ControllerProcess(List<String> command, Path kubeconfig, Consumer<? super String> output) {
        if (command.isEmpty()) {
            throw new IllegalArgumentException("the command of the controller must not be empty");
        }
        this.command = command.stream()
                .map(word -> word.replace("{kubeconfig}", kubeconfig.toString()))
                .toList();
        this.kubeconfig = kubeconfig;
        this.output = output;
    }

    /**
     * Starts the process.
     *
     * @throws UncheckedIOException if the command can't be run
     */
    public void start() {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        try {
            Process started = builder.start();
            started.getOutputStream().close();
            process = started;
            read(started.inputReader(StandardCharsets.UTF_8));
            read(started.errorReader(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the controller can't be started: " + e.getMessage(), e);
        }
    }

    private void read(BufferedReader lines) {
        readers.add(Thread.ofVirtual().name("load-output").start(() -> {
            try (lines) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    synchronized (lastLines) {
                        lastLines.add(line);
                        if (lastLines.size() > LAST_LINES) {
                            lastLines.remove();
                        }
                    }
                    output.accept(line);
                }
            } catch (IOException e) {
                // the process was ended
            }
        }));
    }

    /** Returns the process id. */
    public long pid() {
        return running().pid();
    }

    private Process running() {
        if (process == null) {
            throw new IllegalStateException("the controller is not started");
        }
        return process;
    }

    /** Returns whether the process runs. */
    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Returns the last lines of its output; of a process that has ended, the last ones that it wrote. */
    public List<String> lastLines() {
        if (!isAlive()) {
            awaitReaders();
        }
        synchronized (lastLines) {
            return List.copyOf(lastLines);
        }
    }

    /** Waits until the rest of the output is read; only for some seconds, as children of the process may keep it open. */
    private void awaitReaders() {
        try {
            for (Thread reader : readers) {
                boolean unused = reader.join(Duration.ofSeconds(PATIENCE));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the process, by SIGTERM at first. */
    public void stop() throws InterruptedException {
        Process running = running();
        List<ProcessHandle> children = running.descendants().toList();
        running.destroy();
        if (!running.waitFor(PATIENCE, TimeUnit.SECONDS)) {
            running.destroyForcibly().waitFor();
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }

    /** Ends the process and its children at once, by SIGKILL; returns when it has ended. */
    public void kill() throws InterruptedException {
        Process running = running();
        List<ProcessHandle> all = new ArrayList<>(running.descendants().toList());
        running.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        int unused = running.waitFor();
    }

    /** Stops the process and its children by SIGSTOP, or continues them by SIGCONT. */
    public void pause(boolean stopped) throws InterruptedException {
        List<String> words = new ArrayList<>(List.of("kill", stopped ? "-STOP" : "-CONT"));
        Process running = running();
        words.add(Long.toString(running.pid()));
        running.descendants().map(child -> Long.toString(child.pid())).forEach(words::add);
        try {
            int unused = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("the command kill can't be run: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        if (isAlive()) {
            try {
                stop();
            } catch (InterruptedException e) {
                running().destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
