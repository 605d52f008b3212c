package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads and changes conditions: statements in an object's status, each with a type, and true, false or unknown. */
public final class Conditions {
    private Conditions() {}

    /** Returns the condition of a type; empty when it is not set. */
    public static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream().filter(it -> type.equals(it.getType())).findFirst();
    }

    /** Returns whether the condition of that type is present and true. */
    public static boolean isTrue(List<Condition> conditions, String type) {
        return find(conditions, type).stream().anyMatch(it -> "True".equals(it.getStatus()));
    }

    /**
     * Returns the conditions with this one replaced in its place, or appended. Its transition time is kept when the
     * status is the same, and otherwise set to now: setting the same condition again changes nothing.
     *
     * @param now the current time; conditions keep seconds
     */
    public static List<Condition> with(List<Condition> conditions, Condition condition, Instant now) {
        Optional<Condition> present = find(conditions, condition.getType());
        boolean same = present.isPresent()
                && present.get().getLastTransitionTime() != null
                && Objects.equals(present.get().getStatus(), condition.getStatus());
        Condition next = new ConditionBuilder(condition)
                .withLastTransitionTime(
                        same
                                ? present.get().getLastTransitionTime()
                                : now.truncatedTo(ChronoUnit.SECONDS).toString())
                .build();
        List<Condition> result = new ArrayList<>(conditions);
        if (present.isPresent()) {
            result.set(result.indexOf(present.get()), next);
        } else {
            result.add(next);
        }
        return List.copyOf(result);
    }

    /**
     * Returns a condition without a time.
     *
     * @param generation generation of the observed object
     * @param reason one word in CamelCase, for machines
     * @param message for humans
     */
    public static Condition condition(String type, boolean status, long generation, String reason, String message) {
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status ? "True" : "False")
                .withObservedGeneration(generation)
                .withReason(reason)
                .withMessage(message)
                .build();
    }
}
