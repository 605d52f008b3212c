package dev.evenkeel.engine.internal.object;

import dev.evenkeel.client.Fence;
import dev.evenkeel.engine.internal.type.Requester;
import java.util.Optional;

/**
 * How to write.
 *
 * @param fieldManager who owns the fields written; up to 128 printable characters
 * @param dryRun do everything but the write itself
 * @param validation what to do about unknown and duplicate fields
 * @param force for server-side apply: take over fields of other managers
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
    /** Manager {@code evenkeel}, a real write, warnings about unknown fields. */
    public static final WriteOptions DEFAULT = of("evenkeel");

    /** What to do about fields that the schema does not know, and about duplicates. */
    public enum FieldValidation {
        /** Drop them. */
        IGNORE,
        /** Drop them with a warning. */
        WARN,
        /** Refuse the request. */
        STRICT
    }

    /** A real write with warnings, by this manager. */
    public static WriteOptions of(String fieldManager) {
        return new WriteOptions(
                fieldManager, false, FieldValidation.WARN, false, Optional.empty(), Requester.IN_PROCESS);
    }

    /** The same with or without dry run. */
    public WriteOptions withDryRun(boolean value) {
        return new WriteOptions(fieldManager, value, validation, force, fence, requester);
    }

    /** The same with this field validation. */
    public WriteOptions withValidation(FieldValidation value) {
        return new WriteOptions(fieldManager, dryRun, value, force, fence, requester);
    }

    /** The same with or without force. */
    public WriteOptions withForce(boolean value) {
        return new WriteOptions(fieldManager, dryRun, validation, value, fence, requester);
    }

    /** The same, with or without this condition. */
    public WriteOptions withFence(Optional<Fence> value) {
        return new WriteOptions(fieldManager, dryRun, validation, force, value, requester);
    }

    /** Returns a copy with this sender. */
    public WriteOptions withRequester(Requester value) {
        return new WriteOptions(fieldManager, dryRun, validation, force, fence, value);
    }
}
