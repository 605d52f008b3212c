package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.engine.FieldError;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one kind on the way of a write: the steps that a schema cannot express.
 *
 * <p>The pipeline calls {@link #applyDefaults} on whatever was decoded, {@link #prepareForCreate} or
 * {@link #prepareForUpdate} on what is going to be stored (system fields of the metadata are set), then the validations.
 * Trees are changed in place; {@code old} must not be. Metadata common to all kinds is none of this interface's business.
 * Implementations are stateless and safe for concurrent use; what they need from the engine is in the context.
 */
public interface Strategy {
    /** Nothing particular. */
    Strategy NONE = new Strategy() {};

    /** Fills in what was left out. Called for creates, updates and patch results; must be idempotent. */
    default void applyDefaults(Map<String, @Nullable Object> tree) {}

    /** Makes an object fit to be stored for the first time: drops its status, allocates, generates. */
    default void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {}

    /** Makes an object fit to replace {@code old}: restores what requests may not change. */
    default void prepareForUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {}

    /** Makes an object sent to {@code /status} fit to replace {@code old}. */
    default void prepareForStatusUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {}

    /** The rules that the object breaks. */
    default List<FieldError> validate(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    /** The rules that the change breaks; {@link #validate} is called besides. */
    default List<FieldError> validateUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return List.of();
    }

    /** What the sender should know although the object is accepted. */
    default List<String> warnings(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    /**
     * What strategies need from the engine.
     *
     * @param now the time of the request
     * @param user who sent it
     * @param uid the user's uid; empty when it has none
     * @param groups the user's groups
     * @param addresses where services get their addresses from
     */
    record Context(Instant now, String user, String uid, List<String> groups, Addresses addresses) {}

    /** Gives out cluster addresses and node ports. */
    interface Addresses {
        /** An address that is free; takes it. */
        String address();

        /** A node port that is free; takes it. */
        int nodePort();

        /** Takes an address or says that it is taken. */
        boolean take(String address);

        /** Makes an address free again. */
        void release(String address);
    }
}
