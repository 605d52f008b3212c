package dev.evenkeel.engine.internal.object;

import dev.evenkeel.client.Fence;
import dev.evenkeel.engine.internal.type.Requester;
import java.util.Optional;

/**
 * The options of a write.
 *
 * @param fieldManager owns the fields written; up to 128 printable characters
 * @param dryRun true to do everything except the write itself
 * @param validation the handling of unknown and duplicate fields
 * @param force for server-side apply: true to take over fields of other managers
 * @param fence the write fails unless this holds when it is committed; empty for no such condition
 * @param requester the sender of the request
 */
public record WriteOptions(
        String fieldManager,
        boolean dryRun,
        FieldValidation validation,
        boolean force,
        Optional<Fence> fence,
        Requester requester) {
    /** Manager {@code evenkeel}, not a dry run, warnings about unknown fields. */
    public static final WriteOptions DEFAULT = of("evenkeel");

    /** The handling of unknown and duplicate fields: drop them, drop them with a warning, or refuse the request. */
    public enum FieldValidation {
        IGNORE,
        WARN,
        STRICT
    }

    /** Returns the options of a write by this manager, not a dry run, with warnings. */
    public static WriteOptions of(String fieldManager) {
        return new WriteOptions(
                fieldManager, false, FieldValidation.WARN, false, Optional.empty(), Requester.IN_PROCESS);
    }

    /** Returns a copy with or without dry run. */
    public WriteOptions withDryRun(boolean value) {
        return new WriteOptions(fieldManager, value, validation, force, fence, requester);
    }

    /** Returns a copy with or without force. */
    public WriteOptions withForce(boolean value) {
        return new WriteOptions(fieldManager, dryRun, validation, value, fence, requester);
    }

    /** Returns a copy with or without this fence. */
    public WriteOptions withFence(Optional<Fence> value) {
        return new WriteOptions(fieldManager, dryRun, validation, force, value, requester);
    }
}
