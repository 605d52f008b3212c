package dev.evenkeel.client;

/**
 * How to write.
 *
 * @param fieldManager who owns the fields written; empty for the client's own
 * @param dryRun do everything but the write itself
 * @param force for apply: take over fields of other managers
 */
public record WriteOptions(String fieldManager, boolean dryRun, boolean force) {
    /** The client's own manager, a real write, no force. */
    public static final WriteOptions DEFAULT = new WriteOptions("", false, false);

    /** The same with this manager. */
    public WriteOptions withFieldManager(String value) {
        return new WriteOptions(value, dryRun, force);
    }

    /** The same with or without dry run. */
    public WriteOptions withDryRun(boolean value) {
        return new WriteOptions(fieldManager, value, force);
    }

    /** The same with or without force. */
    public WriteOptions withForce(boolean value) {
        return new WriteOptions(fieldManager, dryRun, value);
    }
}
