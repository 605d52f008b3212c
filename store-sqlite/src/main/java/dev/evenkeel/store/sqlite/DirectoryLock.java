package dev.evenkeel.store.sqlite;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.evenkeel.engine.spi.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * The right of one process to write in a directory. The operating system releases it when the process ends, however it
 * ends; the file stays, since another process may be about to lock it.
 */
final class DirectoryLock implements AutoCloseable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @throws StoreException when another store has it
     */
    static DirectoryLock take(Path directory) {
        return tryTake(directory).orElseThrow(() -> {
            String holder = holder(directory);
            return new StoreException(
                    directory + " is in use by process " + (holder.isEmpty() ? "(unknown)" : holder)
                            + ": stop it, or choose another directory",
                    null);
        });
    }

    /** Takes the lock, unless another store has it. */
    static Optional<DirectoryLock> tryTake(Path directory) {
        try {
            create(directory);
            FileChannel channel = FileChannel.open(file(directory), CREATE, READ, WRITE);
            if (!lock(channel)) {
                channel.close();
                return Optional.empty();
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(US_ASCII)), 0);
            return Optional.of(new DirectoryLock(channel));
        } catch (IOException e) {
            throw new StoreException("cannot use the directory " + directory + ": " + e, e);
        }
    }

    /** Creates the directory for its owner only, as objects may be secrets; one that exists keeps its permissions. */
    private static void create(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
        try {
            Files.createDirectory(directory, attributes);
        } catch (FileAlreadyExistsException e) {
            Files.createDirectories(directory); // created by another process meanwhile, unless it is a file
        }
    }

    private static Path file(Path directory) {
        return directory.resolve("evenkeel.lock");
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(Long.MAX_VALUE - 1, 1, false) != null; // beyond the text, which others may read
        } catch (OverlappingFileLockException e) { // by this process
            return false;
        }
    }

    private static String holder(Path directory) {
        try {
            return Files.readString(file(directory), US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new StoreException("cannot release the directory: " + e, e);
        }
    }
}
