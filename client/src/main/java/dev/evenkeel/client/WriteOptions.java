package dev.evenkeel.client;

import java.util.Optional;

/**
 * Options of a write.
 *
 * @param fieldManager the owner of the written fields; empty for the client's default
 * @param dryRun do everything but the write itself
 * @param force for apply: take over fields of other managers
 * @param fence the write fails with a {@link ConflictException} unless this holds; empty for no such condition
 */
public record WriteOptions(String fieldManager, boolean dryRun, boolean force, Optional<Fence> fence) {
    /** The client's default manager, a real write, no force. */
    public static final WriteOptions DEFAULT = new WriteOptions("", false, false, Optional.empty());

    /** Returns a copy with this manager. */
    public WriteOptions fieldManager(String value) {
        return new WriteOptions(value, dryRun, force, fence);
    }

    /** Returns a copy with or without dry run. */
    public WriteOptions dryRun(boolean value) {
        return new WriteOptions(fieldManager, value, force, fence);
    }

    /** Returns a copy with or without force. */
    public WriteOptions force(boolean value) {
        return new WriteOptions(fieldManager, dryRun, value, fence);
    }

    /** Returns a copy only while this lease is held so. */
    public WriteOptions fence(Fence value) {
        return new WriteOptions(fieldManager, dryRun, force, Optional.of(value));
    }
}
