package dev.evenkeel.store.sqlite;

import static java.nio.file.StandardOpenOption.WRITE;

import dev.evenkeel.engine.spi.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The write-ahead log that SQLite leaves behind when a process is killed.
 *
 * <p>SQLite replays its transactions up to the first frame with a wrong checksum, and drops the rest: it takes such a frame
 * for the end of a last write that was torn. If acknowledged transactions follow, as after a damage of the disk, they would
 * be lost silently. {@link #check} tells one from the other: each frame has the checksum of all frames up to it, so the
 * frames behind a damaged one can be checked beginning with the checksum that is stored in it. When every transaction is
 * synced before the next begins, only the last one can be torn; a frame that belongs to a later one shows a damage. The
 * header of 32 bytes is written as a whole: it lies in one sector.
 *
 * <p>The format is described in <a href="https://www.sqlite.org/fileformat2.html#walformat">The Write-Ahead Log</a>.
 */
final class Wal {
    private static final int HEADER = 32;
    private static final int FRAME_HEADER = 24;
    private static final int MAGIC = 0x377f0682; // the last bit: checksums of big-endian words

    private int sum1;
    private int sum2;

    private Wal() {}

    /**
     * Checks the log of a database whose transactions were all synced.
     *
     * @throws StoreException when transactions follow a damaged one
     */
    static void check(Path database) {
        Path file = database.resolveSibling(database.getFileName() + "-wal");
        if (!Files.exists(file)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer header = read(channel, 0, HEADER);
            int pageSize = header.limit() < HEADER ? 0 : header.getInt(8);
            if (pageSize < 512 || pageSize > 65_536) {
                return; // nothing was written, or not even a header
            }
            long damaged = new Wal().damaged(channel, header, pageSize);
            if (damaged >= 0) {
                throw new StoreException(
                        file + " is damaged: transactions follow frame " + damaged
                                + ", which has a wrong checksum: restore a backup with `evenkeel store restore`,"
                                + " or start once with the durability flush, which drops these transactions",
                        null);
            }
        } catch (IOException e) {
            throw new StoreException("cannot read " + file + ": " + e, e);
        }
    }

    /**
     * Syncs the log. A process that is killed while it syncs leaves transactions that the next one reads, and that a loss of
     * power would still remove: they must be durable before they are read.
     */
    static void sync(Path database) {
        Path file = database.resolveSibling(database.getFileName() + "-wal");
        if (!Files.exists(file)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(file, WRITE)) {
            channel.force(true);
        } catch (IOException e) {
            throw new StoreException("cannot sync " + file + ": " + e, e);
        }
    }

    /** Returns the number of the first wrong frame that transactions follow, from 0 for the header; -1 if there is none. */
    private long damaged(FileChannel channel, ByteBuffer header, int pageSize) throws IOException {
        ByteOrder order = (header.getInt(0) & 1) == 1 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        add(header, 0, 24, order);
        long wrong = (header.getInt(0) & ~1) == MAGIC && matches(header, 24) ? -1 : 0;
        long salt = header.getLong(16);
        boolean ended = wrong == 0; // the transaction of the wrong frame
        boolean ends = false; // the wrong frame ends its transaction, if it is of this log
        sum1 = header.getInt(24);
        sum2 = header.getInt(28);
        int size = FRAME_HEADER + pageSize;
        long frames = (channel.size() - HEADER) / size;
        for (long number = 1; number <= frames; number++) {
            ByteBuffer frame = read(channel, HEADER + (number - 1) * size, size);
            if (wrong == 0 && number == 1) {
                salt = frame.getLong(8);
            }
            boolean current = frame.getLong(8) == salt;
            add(frame, 0, 8, order);
            add(frame, FRAME_HEADER, pageSize, order);
            boolean right = current && matches(frame, 16);
            boolean last = frame.getInt(4) != 0;
            if (wrong < 0 && !right) {
                wrong = number;
                ends = last;
            } else if (wrong >= 0 && right && (ended || (ends && number == wrong + 1))) {
                // a checksum that continues that of the wrong frame shows that this is of the same log, whatever its
                // salt
                return wrong;
            }
            ended |= wrong >= 0 && current && last;
            sum1 = frame.getInt(16);
            sum2 = frame.getInt(20);
        }
        return -1;
    }

    private boolean matches(ByteBuffer stored, int at) {
        return stored.getInt(at) == sum1 && stored.getInt(at + 4) == sum2;
    }

    private void add(ByteBuffer bytes, int from, int length, ByteOrder order) {
        ByteBuffer words = bytes.duplicate().order(order);
        for (int at = from; at < from + length; at += 8) {
            sum1 += words.getInt(at) + sum2;
            sum2 += words.getInt(at + 4) + sum1;
        }
    }

    private static ByteBuffer read(FileChannel channel, long position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) > 0) {}
        return bytes.flip();
    }
}
