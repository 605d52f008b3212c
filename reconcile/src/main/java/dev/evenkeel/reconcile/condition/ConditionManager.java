package dev.evenkeel.reconcile.condition;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.reconcile.internal.Outcomes;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sets the conditions of one object according to a {@link ConditionSet}. A mark is in the object's status at once, with
 * the generation of the object and the derived happy condition.
 *
 * <p>Messages are plain text. With arguments they are formats of {@link String#format(String, Object...)}.
 */
@SuppressWarnings("AnnotateFormatMethod") // plain text need not be a format
public final class ConditionManager {
    private final ConditionSet set;
    private final Supplier<List<Condition>> read;
    private final Consumer<List<Condition>> write;
    private final long generation;
    private final InstantSource clock;

    private <T extends HasMetadata> ConditionManager(
            ConditionSet set, T object, StatusAccess<? super T> access, InstantSource clock) {
        this.set = set;
        this.read = () -> List.copyOf(access.conditions(object));
        this.write = conditions -> access.setConditions(object, conditions);
        this.generation = Objects.requireNonNullElse(object.getMetadata().getGeneration(), 0L);
        this.clock = clock;
    }

    /**
     * Returns a manager of the conditions of an object.
     *
     * @param clock times of changed conditions: {@code reconciliation::now}, so that those of one reconciliation are equal
     */
    public static <T extends HasMetadata> ConditionManager of(
            ConditionSet set, T object, StatusAccess<? super T> access, InstantSource clock) {
        return new ConditionManager(set, object, access, clock);
    }

    /** Returns all conditions. */
    public List<Condition> conditions() {
        return read.get();
    }

    /** Returns the condition of a type; empty when it is not set. */
    public Optional<Condition> get(String type) {
        return Conditions.find(conditions(), type);
    }

    /** Returns whether the happy condition is true. */
    public boolean isHappy() {
        return Conditions.isTrue(conditions(), set.happy());
    }

    /** Initializes missing conditions: unknown, or true when the object was happy without them. */
    public void initialize() {
        List<Condition> present = conditions();
        changed(present, set.initialized(present, generation, clock.instant()));
    }

    /** Sets a condition to true. */
    public void markTrue(String type, String reason) {
        markTrue(type, reason, "");
    }

    /** Sets a condition to true. */
    public void markTrue(String type, String reason, String message, Object... arguments) {
        mark(type, Status.TRUE, reason, message, arguments);
    }

    /** Sets a condition to false. */
    public void markFalse(String type, String reason, String message, Object... arguments) {
        mark(type, Status.FALSE, reason, message, arguments);
    }

    /** Sets a condition to false, with the message of an error. */
    public void markFalse(String type, String reason, Throwable why) {
        mark(type, Status.FALSE, reason, Outcomes.message(why));
    }

    /** Sets a condition to unknown. */
    public void markUnknown(String type, String reason, String message, Object... arguments) {
        mark(type, Status.UNKNOWN, reason, message, arguments);
    }

    /** Sets a condition to unknown, with the message of an error. */
    public void markUnknown(String type, String reason, Throwable why) {
        mark(type, Status.UNKNOWN, reason, Outcomes.message(why));
    }

    private void mark(String type, Status status, String reason, String message, Object... arguments) {
        String text = arguments.length == 0 ? message : String.format(Locale.ROOT, message, arguments);
        set(status.condition(type, generation, reason, text));
    }

    /**
     * Sets a condition; its time follows from the one before.
     *
     * @throws IllegalArgumentException when it is derived from others, or has no type or reason
     */
    public void set(Condition condition) {
        String type = Objects.requireNonNullElse(condition.getType(), "");
        if (type.isBlank()
                || Objects.requireNonNullElse(condition.getReason(), "").isBlank()) {
            throw new IllegalArgumentException("condition: needs a type and a reason in CamelCase, and they are \""
                    + type + "\" and \"" + condition.getReason() + "\"");
        }
        if (type.equals(set.happy()) && !set.dependents().isEmpty()) {
            throw new IllegalArgumentException("condition " + type + ": follows from " + set.dependents()
                    + ", and can't be set directly: mark one of those");
        }
        List<Condition> present = conditions();
        changed(present, set.with(present, condition, clock.instant()));
    }

    /**
     * Removes a condition; has no effect when absent.
     *
     * @throws IllegalArgumentException when it is the happy one, or a dependent
     */
    public void clear(String type) {
        if (type.equals(set.happy()) || set.dependents().contains(type)) {
            throw new IllegalArgumentException(
                    "condition " + type + ": one of " + set + " cannot be cleared: mark it unknown instead");
        }
        List<Condition> present = conditions();
        changed(
                present,
                present.stream().filter(one -> !type.equals(one.getType())).toList());
    }

    private void changed(List<Condition> before, List<Condition> after) {
        if (!after.equals(before)) {
            write.accept(after);
        }
    }

    @Override
    public String toString() {
        return set.happy() + " of " + conditions();
    }
}
