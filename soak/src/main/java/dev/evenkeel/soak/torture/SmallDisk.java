package dev.evenkeel.soak.torture;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system of 128 MB for the data, so that it can be filled: a tmpfs, which the superuser of Linux may mount. Others
 * get an ordinary directory.
 *
 * @param directory where it is mounted
 * @param small whether it is
 */
record SmallDisk(Path directory, boolean small) implements AutoCloseable {
    static SmallDisk mount(Path directory) {
        try {
            Files.createDirectories(directory);
            boolean mounted = run(List.of("mount", "-t", "tmpfs", "-o", "size=128m", "tmpfs", directory.toString()));
            return new SmallDisk(directory, mounted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean run(List<String> command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // no such command
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes a file until nothing more fits; returns it. */
    static Path fill(Path directory) {
        Path ballast = directory.resolve("ballast");
        for (int size = 1 << 20; size > 0; size /= 16) {
            byte[] bytes = new byte[size];
            try (OutputStream out =
                    Files.newOutputStream(ballast, CREATE, WRITE, java.nio.file.StandardOpenOption.APPEND)) {
                while (true) {
                    out.write(bytes);
                }
            } catch (IOException e) {
                // full: try smaller pieces
            }
        }
        return ballast;
    }

    static void empty(Path ballast) {
        try {
            Files.deleteIfExists(ballast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (small) {
            run(List.of("umount", directory.toString()));
        }
    }
}
