package dev.evenkeel.testing.diff;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.testing.diff.FieldPath.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rules for what counts when two objects are compared.
 *
 * <p>Each rule is a pattern of {@link FieldPath} that ignores or compares what it matches and everything below. Of the
 * rules that match a field, or one that encloses it, the last one decides; fields that no rule matches are compared. So
 * rules can be added to any of the given normalizations, and exceptions to them.
 *
 * <p>Absent and empty are equal by default: null, {@code []} and {@code {}} are removed. Six fields have a meaning when
 * they are empty, and stay: {@code emptyDir}, {@code labelSelector}, {@code namespaceSelector}, {@code objectSelector},
 * {@code podSelector}, and {@code subresources.status} of a CustomResourceDefinition.
 */
public final class Normalization {
    private static final Set<String> PRESENT =
            Set.of("emptyDir", "labelSelector", "namespaceSelector", "objectSelector", "podSelector");

    private static final Normalization EXACT = new Normalization(List.of(), false, true);

    private static final Normalization WRITTEN = new Normalization(List.of(), true, true)
            .ignoring(
                    "metadata.creationTimestamp",
                    "metadata.deletionGracePeriodSeconds",
                    "metadata.deletionTimestamp",
                    "metadata.generation",
                    "metadata.managedFields",
                    "metadata.resourceVersion",
                    "metadata.selfLink",
                    "metadata.uid",
                    "**.lastTransitionTime");

    private static final Normalization STATUS = new Normalization(List.of(), true, true)
            .ignoring("**")
            .comparing("apiVersion", "kind", "metadata.name", "metadata.namespace", "status")
            .ignoring("status.**.lastTransitionTime");

    private record Rule(List<Step> steps, boolean ignore) {
        long next(long states, Step step, @Nullable Object value) {
            long next = 0;
            for (int i = 0; i < steps.size(); i++) {
                if ((states >> i & 1) != 0) {
                    Step pattern = steps.get(i);
                    if (pattern instanceof FieldPath.Deep) {
                        next |= 1L << i;
                    } else if (pattern instanceof FieldPath.Any
                            || pattern.equals(step)
                            || (pattern instanceof FieldPath.Entry entry
                                    && step instanceof FieldPath.Index
                                    && entry.matches(value))) {
                        next |= 1L << (i + 1);
                    }
                }
            }
            return reach(next);
        }

        /** Returns the states with those that are reached without a step; the pattern begins in state 1. */
        long reach(long states) {
            long all = states;
            for (int i = 0; i < steps.size(); i++) {
                if (steps.get(i) instanceof FieldPath.Deep) {
                    all |= (all & 1L << i) << 1;
                }
            }
            return all;
        }

        boolean matches(long states) {
            return (states >> steps.size() & 1) != 0;
        }
    }

    private final List<Rule> rules;
    private final boolean emptyIsAbsent;
    /** True if the order of entries that have a key counts. */
    final boolean order;

    private Normalization(List<Rule> rules, boolean emptyIsAbsent, boolean order) {
        this.rules = List.copyOf(rules);
        this.emptyIsAbsent = emptyIsAbsent;
        this.order = order;
    }

    /** Returns a normalization by which everything counts, also whether a field is absent or empty. */
    public static Normalization exact() {
        return EXACT;
    }

    /**
     * Returns a normalization for created or updated objects: fields that a server fills in, transition times, and the
     * distinction of absent and empty do not count.
     */
    public static Normalization written() {
        return WRITTEN;
    }

    /**
     * Returns a normalization for writes of a status: the whole status except transition times counts, and apiVersion,
     * kind, namespace and name; nothing else.
     */
    public static Normalization status() {
        return STATUS;
    }

    /** Returns a copy that ignores these paths, and everything below. Patterns are allowed. */
    public Normalization ignoring(String... paths) {
        return with(true, paths);
    }

    /** Returns a copy that compares these paths, and everything below. Patterns are allowed. */
    public Normalization comparing(String... paths) {
        return with(false, paths);
    }

    private Normalization with(boolean ignore, String... paths) {
        Stream<Rule> more = Arrays.stream(paths).map(path -> rule(path, ignore));
        return new Normalization(Stream.concat(rules.stream(), more).toList(), emptyIsAbsent, order);
    }

    private static Rule rule(String text, boolean ignore) {
        List<Step> steps = FieldPath.parse(text).steps();
        if (steps.isEmpty() || steps.size() > 60 || steps.stream().anyMatch(FieldPath.Append.class::isInstance)) {
            throw new IllegalArgumentException("\"" + text + "\" is not a pattern of a path: it has 1 to 60 steps, and"
                    + " no [+]; ** matches everything");
        }
        return new Rule(steps, ignore);
    }

    /** Returns a copy that distinguishes absent from null, {@code []} and {@code {}}. */
    public Normalization comparingEmpty() {
        return new Normalization(rules, false, order);
    }

    /** Returns a copy that does not distinguish absent from null, {@code []} and {@code {}}. */
    public Normalization ignoringEmpty() {
        return new Normalization(rules, true, order);
    }

    /** Returns a copy that ignores the order of entries that have a key, such as a name. */
    public Normalization ignoringOrder() {
        return new Normalization(rules, emptyIsAbsent, false);
    }

    /** Returns a copy of the tree with what counts. */
    @Nullable
    Object apply(@Nullable Object tree) {
        return apply(tree, "", rules.stream().mapToLong(rule -> rule.reach(1)).toArray(), -1);
    }

    private @Nullable Object apply(@Nullable Object value, String parent, long[] states, int decided) {
        return switch (value) {
            case null -> null;
            case Map<?, ?> map -> {
                JsonObject kept = new JsonObject(map.size());
                map.forEach((name, child) -> {
                    String field = (String) name;
                    boolean says = child != null
                            && (PRESENT.contains(field) || (field.equals("status") && parent.equals("subresources")));
                    step(new FieldPath.Field(field), child, says, states, decided, left -> kept.put(field, left));
                });
                yield kept;
            }
            case List<?> list -> {
                List<@Nullable Object> kept = new ArrayList<>(list.size());
                for (int i = 0; i < list.size(); i++) {
                    step(new FieldPath.Index(i), list.get(i), true, states, decided, kept::add);
                }
                yield kept;
            }
            default -> value;
        };
    }

    /** Passes on the remaining part of a field or an entry, if any. */
    private void step(
            Step step,
            @Nullable Object value,
            boolean keepEmpty,
            long[] states,
            int decided,
            Consumer<@Nullable Object> kept) {
        long[] next = new long[states.length];
        int last = decided;
        for (int i = 0; i < next.length; i++) {
            Rule rule = rules.get(i);
            next[i] = rule.next(states[i], step, value);
            if (rule.matches(next[i])) {
                last = Math.max(last, i);
            }
        }
        boolean ignored = last >= 0 && rules.get(last).ignore();
        Object left = apply(value, step instanceof FieldPath.Field(String name) ? name : "", next, last);
        boolean isContainer = value instanceof Map || value instanceof List;
        if (ignored ? isContainer && !isEmpty(left) : keepEmpty || !emptyIsAbsent || !isEmpty(left)) {
            kept.accept(left);
        }
    }

    private static boolean isEmpty(@Nullable Object value) {
        return value == null
                || (value instanceof Map<?, ?> map && map.isEmpty())
                || (value instanceof List<?> list && list.isEmpty());
    }
}
