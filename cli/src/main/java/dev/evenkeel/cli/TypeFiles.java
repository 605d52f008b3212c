package dev.evenkeel.cli;

import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.protobuf.ProtobufTypes;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The files of {@code --types}, which are read again when they change. */
final class TypeFiles implements AutoCloseable {
    private final List<Path> files;
    private final ProtobufTypes types;
    private final PrintWriter out;
    private final ScheduledExecutorService timer;
    private String failure = "";

    /**
     * Reads the files.
     *
     * @param interval of the checks whether they have changed
     * @throws IllegalArgumentException when their types cannot be served
     */
    TypeFiles(List<Path> files, Duration interval, PrintWriter out) {
        this.files = files;
        this.out = out;
        types = load(files);
        timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("evenkeel-types").factory());
        var _ = timer.scheduleWithFixedDelay(
                this::check, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static ProtobufTypes load(List<Path> files) {
        try {
            return ProtobufTypes.load(files);
        } catch (UncheckedIOException e) {
            throw new IllegalArgumentException("--types: " + e.getMessage(), e);
        }
    }

    /** Returns the types for the engine. */
    TypeSource source() {
        return types.source();
    }

    private void check() {
        try {
            if (types.reload()) {
                print("types of " + names() + " have changed and are served");
            }
            failure = "";
        } catch (RuntimeException e) {
            // a file that is being written is complete at the next check
            if (!failure.equals(e.toString())) {
                failure = e.toString();
                print("types of " + names() + " are not replaced: " + e.getMessage());
            }
        }
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }

    private String names() {
        return String.join(", ", files.stream().map(Path::toString).toList());
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
