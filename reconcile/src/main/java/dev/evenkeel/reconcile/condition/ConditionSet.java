package dev.evenkeel.reconcile.condition;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.controller.Reconciliation;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The conditions of an object, and the rule by which one of them is derived from the others.
 *
 * <h2>The problem</h2>
 *
 * <p>Parts of a reconciler each know about one thing, and users want one answer: is all well? When every mark adjusts
 * the answer incrementally, it depends on the order of the marks, and an old reason stays after its cause is gone.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>The happy condition is a function of its dependents and of nothing else: false if one is false, with the reason
 *       and message of the first of those in the order declared; else unknown if one is, or is missing, likewise; else
 *       true, with the happy reason, for the oldest generation that a dependent was observed at. Without dependents it
 *       is marked by itself.
 *   <li>The time of a transition moves when the status changes, and never otherwise.
 *   <li>Setting an equal condition again changes nothing.
 *   <li>Conditions that are neither happy nor dependents are kept, and decide nothing.
 * </ol>
 *
 * @param happy type of the condition that sums up the others
 * @param happyReason reason of the happy condition when it is true
 * @param dependents types that it depends on; the first that is false determines it
 */
public record ConditionSet(String happy, String happyReason, List<String> dependents) {
    /** The reason of initial conditions. */
    public static final String INITIALIZING = "Initializing";

    /** Removes duplicates and the happy type from the dependents. */
    public ConditionSet {
        if (happy.isBlank() || happyReason.isBlank()) {
            throw new IllegalArgumentException(
                    "happy, happyReason: a condition has a type and a reason, and they are \"" + happy + "\" and \""
                            + happyReason + "\"");
        }
        Set<String> others = new LinkedHashSet<>(dependents);
        others.remove(happy);
        dependents = List.copyOf(others);
    }

    /** Returns conditions for objects that run until they are deleted: the happy condition is {@code Ready}. */
    public static ConditionSet living(String... dependents) {
        return new ConditionSet("Ready", "Ready", List.of(dependents));
    }

    /** Returns conditions for objects that complete: the happy condition is {@code Succeeded}. */
    public static ConditionSet batch(String... dependents) {
        return new ConditionSet("Succeeded", "Succeeded", List.of(dependents));
    }

    /** Returns a copy with another reason of the happy condition. */
    public ConditionSet happyReason(String value) {
        return new ConditionSet(happy, value, dependents);
    }

    /** Returns a manager for an object whose status is a {@link ConditionedStatus}. */
    public <T extends HasMetadata> ConditionManager manage(Reconciliation<?> reconciliation, T object) {
        return manage(reconciliation, object, StatusAccess.require(object));
    }

    /** Returns a manager for an object with the given status access. */
    public <T extends HasMetadata> ConditionManager manage(
            Reconciliation<?> reconciliation, T object, StatusAccess<? super T> access) {
        return ConditionManager.of(this, object, access, reconciliation::now);
    }

    /** Returns the happy condition derived from these; without a time, which follows from the one before. */
    Condition summary(List<Condition> conditions) {
        for (Status wanted : List.of(Status.FALSE, Status.UNKNOWN)) {
            for (String dependent : dependents) {
                Optional<Condition> condition = Conditions.find(conditions, dependent);
                if (Status.of(condition) == wanted) {
                    return wanted.condition(
                            happy,
                            condition.map(Condition::getObservedGeneration).orElse(null),
                            condition.map(Condition::getReason).orElse(INITIALIZING),
                            condition.map(Condition::getMessage).orElse(""));
                }
            }
        }
        List<Long> generations = dependents.stream()
                .flatMap(dependent -> Conditions.find(conditions, dependent).stream())
                .map(Condition::getObservedGeneration)
                .filter(Objects::nonNull)
                .toList();
        // a condition without an observed generation may be older than all
        Optional<Long> oldest = generations.size() < dependents.size()
                ? Optional.empty()
                : generations.stream().min(Comparator.naturalOrder());
        return Status.TRUE.condition(happy, oldest.orElse(null), happyReason, "");
    }

    /** Returns the conditions with this one, and the derived one. */
    List<Condition> with(List<Condition> conditions, Condition condition, Instant now) {
        return settled(conditions, Conditions.with(conditions, condition, now), now);
    }

    /** Returns the conditions with all missing ones: unknown, or true when the object was happy without them. */
    List<Condition> initialized(List<Condition> conditions, long generation, Instant now) {
        Status initial = Conditions.isTrue(conditions, happy) ? Status.TRUE : Status.UNKNOWN;
        List<Condition> all = conditions;
        for (String type : dependents.isEmpty() ? List.of(happy) : dependents) {
            if (Conditions.find(all, type).isEmpty()) {
                all = Conditions.with(all, initial.condition(type, generation, INITIALIZING, ""), now);
            }
        }
        return settled(conditions, all, now);
    }

    private List<Condition> settled(List<Condition> before, List<Condition> after, Instant now) {
        List<Condition> all = dependents.isEmpty() ? after : Conditions.with(after, summary(after), now);
        return all.equals(before)
                ? before
                : all.stream().sorted(Comparator.comparing(Condition::getType)).toList();
    }
}
