package dev.evenkeel.soak.torture;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.store.sqlite.SqliteOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Turns the files of a killed server into those after a loss of power, as a disk may leave them: a part of the log that was
 * not synced is missing, and the last page that is there is torn.
 *
 * <p>Two parts of the log are known to be synced: the transactions of all that clients know, and the pages that were copied
 * to the database, since SQLite syncs the log before it copies. The shortest log that contains the first is found by
 * search; the length of the second is in the
 * <a href="https://www.sqlite.org/walformat.html#the_wal_index_file_format">index of the log</a>.
 */
final class PowerLoss {
    private static final int HEADER = 32;
    private static final int FRAME_HEADER = 24;

    /** The place of the number of frames that may have been copied, in the index. */
    private static final int COPIED = 128;

    private final Path directory;
    private final Path log;

    PowerLoss(Path directory) {
        this.directory = directory;
        log = directory.resolve("evenkeel.db-wal");
    }

    /**
     * Loses a part of the log.
     *
     * @return the number of bytes that were lost
     * @throws IllegalStateException when the log does not contain what clients know
     */
    long strike(History.Known known, RandomGenerator random) {
        try {
            List<Long> ends = transactions();
            History.Known kept = contained(state(Files.exists(log) ? Files.size(log) : 0), known);
            if (ends.isEmpty()) {
                return 0;
            }
            long size = ends.getLast();
            long synced = ends.get(synced(ends, kept));
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

    /** Returns the index of the first length of the log that contains what clients know. */
    private int synced(List<Long> ends, History.Known known) throws IOException {
        int high = ends.size() - 1;
        int low = high;
        for (int step = 1; low > 0 && state(ends.get(low)).contains(known); step *= 2) { // few are not known
            high = low;
            low = Math.max(0, low - step);
        }
        while (low < high) {
            int middle = (low + high) / 2;
            if (state(ends.get(middle)).contains(known)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return high;
    }

    /** Returns the lengths of the log after each of its transactions, from the first that may not have been synced on. */
    private List<Long> transactions() throws IOException {
        List<Long> ends = new ArrayList<>();
        if (!Files.exists(log)) {
            return ends;
        }
        try (FileChannel channel = FileChannel.open(log)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER);
            if (channel.read(header, 0) < HEADER) {
                return ends;
            }
            long salt = header.getLong(16);
            int frame = FRAME_HEADER + header.getInt(8);
            long copied = Math.min(channel.size(), HEADER + copied() * frame);
            ends.add(copied);
            ByteBuffer first = ByteBuffer.allocate(FRAME_HEADER);
            for (long at = HEADER; channel.read(first.clear(), at) == FRAME_HEADER; at += frame) {
                if (first.getLong(8) != salt || at + frame > channel.size()) {
                    break; // left from before the log began again
                }
                if (first.getInt(4) != 0 && at + frame > copied) {
                    ends.add(at + frame);
                }
            }
        }
        return ends;
    }

    /** Returns the number of frames that may have been copied to the database. */
    private long copied() throws IOException {
        Path index = directory.resolve("evenkeel.db-shm");
        if (!Files.exists(index)) {
            return 0;
        }
        try (FileChannel channel = FileChannel.open(index)) {
            ByteBuffer frames = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder());
            return channel.read(frames, COPIED) < 4 ? 0 : frames.getInt(0);
        }
    }

    /** Reads the state with a log of a length. */
    private State state(long length) throws IOException {
        Path copy = Files.createTempDirectory(directory.getParent(), "loss");
        try {
            Files.copy(directory.resolve("evenkeel.db"), copy.resolve("evenkeel.db"));
            if (length > 0) {
                Path copied = copy.resolve("evenkeel.db-wal");
                Files.copy(log, copied);
                try (RandomAccessFile file = new RandomAccessFile(copied.toFile(), "rw")) {
                    file.setLength(length);
                }
            }
            Store.Context context =
                    new Store.Context((key, bytes) -> () -> bytes, InstantSource.system(), Runnable::run);
            try (Store store = SqliteOptions.in(copy).open(context)) {
                Map<String, Long> revisions = new HashMap<>();
                store.snapshot().range("default/configmaps", Contents.NAMESPACE, null, entry -> {
                    revisions.put(entry.key().name(), entry.revision());
                    return true;
                });
                return new State(store.revision(), revisions);
            }
        } finally {
            try (var files = Files.list(copy)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(copy);
        }
    }

    /** Returns what of the knowledge can be decided by the states up to one, which must contain all. */
    private static History.Known contained(State state, History.Known known) {
        if (state.revision() < known.revision()) {
            throw lost("revision " + known.revision() + ", which a client saw,");
        }
        List<History.Write> replaced = new ArrayList<>();
        for (History.Write write : known.replaced()) {
            if (!state.lacks(write)) {
                replaced.add(write);
            } else if (write.expected() > 0) {
                throw lost(write.revision() == History.REFUSED ? "the reason to refuse " + write : write.toString());
            } // else a creation was refused, and the object deleted afterwards
        }
        return new History.Known(known.revision(), replaced);
    }

    private static IllegalStateException lost(String what) {
        return new IllegalStateException("lost: " + what + " is not in the files of the killed server");
    }

    /** The last revision, and those of all keys. */
    private record State(long revision, Map<String, Long> revisions) {
        boolean contains(History.Known known) {
            return revision >= known.revision() && known.replaced().stream().noneMatch(this::lacks);
        }

        /** Returns true when a key is still at the revision that a write replaced. */
        boolean lacks(History.Write write) {
            return revisions.getOrDefault(write.key(), 0L) == write.expected();
        }
    }
}
