package dev.evenkeel.soak.torture;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.evenkeel.store.sqlite.SqliteFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * Turns the files of a killed server into those after a loss of power, as a disk may leave them: a part of the log that was
 * not synced is missing, and the last page that is there is torn.
 *
 * <p>All that is known to be synced is the transaction of the greatest revision that a client has seen; the shortest log
 * that contains it is found by bisection.
 */
final class PowerLoss {
    private static final int HEADER = 32;
    private static final int FRAME_HEADER = 24;

    private final Path directory;
    private final Path log;

    PowerLoss(Path directory) {
        this.directory = directory;
        log = directory.resolve("evenkeel.db-wal");
    }

    /** Returns the number of bytes that were lost. */
    long strike(long seen, RandomGenerator random) {
        try {
            long size = Files.exists(log) ? Files.size(log) : 0;
            if (size <= HEADER) {
                return 0;
            }
            int frame = FRAME_HEADER + pageSize();
            long low = 0;
            long high = (size - HEADER) / frame;
            if (revision(HEADER + high * frame) < seen) {
                throw new IllegalStateException("revision " + seen + ", which a client has seen, is not in the log");
            }
            while (low < high) {
                long middle = (low + high) / 2;
                if (revision(HEADER + middle * frame) >= seen) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            long synced = HEADER + low * frame;
            long left = synced + random.nextLong(size - synced + 1);
            try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
                file.setLength(left);
                long torn = Math.min(left - synced, random.nextInt(512));
                byte[] noise = new byte[(int) torn];
                random.nextBytes(noise);
                file.seek(left - torn);
                file.write(noise);
            }
            return size - left;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int pageSize() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(8);
            return file.readInt();
        }
    }

    /** Returns the last revision with a log of a length. */
    private long revision(long length) throws IOException {
        Path copy = Files.createTempDirectory(directory.getParent(), "loss");
        try {
            Files.copy(directory.resolve("evenkeel.db"), copy.resolve("evenkeel.db"), REPLACE_EXISTING);
            Path copied = copy.resolve("evenkeel.db-wal");
            Files.copy(log, copied, REPLACE_EXISTING);
            try (RandomAccessFile file = new RandomAccessFile(copied.toFile(), "rw")) {
                file.setLength(length);
            }
            return SqliteFile.in(copy).stats().revision();
        } finally {
            try (var files = Files.list(copy)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(copy);
        }
    }
}
