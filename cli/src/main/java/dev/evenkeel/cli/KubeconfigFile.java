package dev.evenkeel.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The file with the address of a server and the credentials for clients. From the moment it appears it is complete and
 * readable by its owner only, and it exists only while the server runs. A lock on it, which ends with the process,
 * distinguishes a running server's file from one that an earlier run left behind. Files of other programs are not
 * touched.
 */
final class KubeconfigFile implements AutoCloseable {
    private static final String MARK = "# Written by evenkeel; deleted when it exits.";
    private static final String PROCESS = "# Process: ";

    private final Path file;
    private @Nullable FileChannel written;

    private KubeconfigFile(Path file) {
        this.file = file;
    }

    /**
     * Ensures that the file can be written and does not exist yet: one that an earlier run left is removed.
     *
     * @throws Failure when it belongs to a running server, or was not created by evenkeel
     */
    static KubeconfigFile claim(Path path) {
        Path file = path.toAbsolutePath().normalize();
        try {
            removeOld(file);
            Files.createDirectories(file.getParent());
            return new KubeconfigFile(file);
        } catch (IOException e) {
            throw new Failure("cannot write " + file + ": " + Failure.reason(e));
        }
    }

    private static void removeOld(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        List<String> head = head(file);
        if (head.isEmpty() || !head.getFirst().equals(MARK)) {
            throw new Failure(file + " exists and is not from evenkeel: use another file with --kubeconfig");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (!lock(channel)) {
                throw new Failure(file + " is of a server that runs"
                        + (head.getLast().startsWith(PROCESS)
                                ? ", process " + head.getLast().substring(PROCESS.length())
                                : "")
                        + ": name another file with --kubeconfig");
            }
            Files.delete(file);
        }
    }

    /** Locks a byte beyond all content, so that the file can be read where locks are mandatory. */
    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(Long.MAX_VALUE - 1, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            // locked by this process
            return false;
        }
    }

    /** Returns the first two lines; empty for a file that is not text. */
    private static List<String> head(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
            return lines.limit(2).toList();
        } catch (UncheckedIOException e) {
            return List.of();
        }
    }

    void write(String kubeconfig) {
        long process = ProcessHandle.current().pid();
        Path part = file.resolveSibling("." + file.getFileName() + "." + process);
        try {
            removeOld(file);
            Files.deleteIfExists(part);
            Files.createFile(part, OwnerOnly.attributes());
            FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE);
            lock(channel);
            ByteBuffer text = StandardCharsets.UTF_8.encode(MARK + "\n" + PROCESS + process + "\n" + kubeconfig);
            while (text.hasRemaining()) {
                channel.write(text);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            written = channel;
        } catch (FileAlreadyExistsException e) {
            throw new Failure("cannot write " + file + ": " + part + " is in the way");
        } catch (IOException e) {
            throw new Failure("cannot write " + file + ": " + Failure.reason(e));
        }
    }

    Path path() {
        return file;
    }

    /** Returns true unless the file was replaced by that of another process, after this one's was deleted. */
    private boolean isOwn() throws IOException {
        return head(file).equals(List.of(MARK, PROCESS + ProcessHandle.current().pid()));
    }

    /** Removes the file if this process wrote it. */
    @Override
    public void close() {
        FileChannel channel = written;
        if (channel == null) {
            return;
        }
        try (channel) {
            if (Files.exists(file) && isOwn()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
