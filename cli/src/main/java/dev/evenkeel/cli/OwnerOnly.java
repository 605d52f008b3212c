package dev.evenkeel.cli;

import java.nio.file.FileSystems;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their owner can read and write, for secrets. */
final class OwnerOnly {
    private OwnerOnly() {}

    /** Returns the attributes to create such a file with; none where the file system has no permissions of POSIX. */
    static FileAttribute<?>[] attributes() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        return posix ? new FileAttribute<?>[] {ownerOnly} : new FileAttribute<?>[0];
    }
}
