package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Statements about an object in its status, each of a type, true, false or unknown. */
public final class Conditions {
    private Conditions() {}

    /** The condition of that type; empty when nothing is said. */
    public static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    /** Whether the condition of that type is there, and true. */
    public static boolean isTrue(List<Condition> conditions, String type) {
        return find(conditions, type)
                .filter(condition -> "True".equals(condition.getStatus()))
                .isPresent();
    }

    /**
     * The conditions with this one in its place, or at the end. Its time of transition is that of the one before when the
     * status is the same, and else now: so that saying the same again changes nothing.
     *
     * @param now the present time; conditions keep seconds
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
     * A condition without a time.
     *
     * @param generation of the object that was looked at
     * @param reason one word in CamelCase, for machines
     * @param message for people
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
