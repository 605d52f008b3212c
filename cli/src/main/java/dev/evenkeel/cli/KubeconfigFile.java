package dev.evenkeel.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The file that tells clients where a server is and how to get in. It is there, whole, and for its owner only, from the
 * moment it appears; and it is there only while the server runs. Files that this did not write are left alone.
 */
final class KubeconfigFile implements AutoCloseable {
    private static final String MARK = "# Written by evenkeel while it runs; it will not outlive it.";

    private final Path file;

    private KubeconfigFile(Path file) {
        this.file = file;
    }

    /**
     * Makes sure that the file can be written, and is not there yet: one that an earlier run left is removed.
     *
     * @throws Failure when it is somebody else's
     */
    static KubeconfigFile claim(Path path) {
        Path file = path.toAbsolutePath().normalize();
        try {
            if (Files.exists(file)) {
                if (!firstLine(file).equals(Optional.of(MARK))) {
                    throw new Failure(
                            file + " is there already, and is not from evenkeel: name another file with --kubeconfig");
                }
                Files.delete(file);
            }
            Files.createDirectories(file.getParent());
            return new KubeconfigFile(file);
        } catch (IOException e) {
            throw new Failure("cannot write " + file + ": " + Failure.reason(e));
        }
    }

    private static Optional<String> firstLine(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
            return lines.findFirst();
        } catch (UncheckedIOException e) {
            // no text, so not ours
            return Optional.empty();
        }
    }

    /** Writes the file. */
    void write(String kubeconfig) {
        Path part = file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid());
        try {
            Files.deleteIfExists(part);
            Files.createFile(part, ownerOnly());
            Files.writeString(part, MARK + "\n" + kubeconfig);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException e) {
            throw new Failure("cannot write " + file + ": " + part + " is in the way");
        } catch (IOException e) {
            throw new Failure("cannot write " + file + ": " + Failure.reason(e));
        }
    }

    private static FileAttribute<?>[] ownerOnly() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    Path path() {
        return file;
    }

    /** Removes the file. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
