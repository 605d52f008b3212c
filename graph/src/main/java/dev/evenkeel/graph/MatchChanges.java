package dev.evenkeel.graph;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link MatchState} before a step, of all that the step has changed: the groups of rows, the classes of
 * groups, the selectors of classes. The pairs that have changed follow from these, each once: those of the rows that
 * moved, of the other rows of the groups that moved, and of the other groups of the classes whose selectors have changed.
 */
final class MatchChanges<S, K> {
    private static final Object ABSENT = new Object();

    private final MatchState<S, K> state;
    private final Rows<K, Object> groupBefore = Rows.scratch();
    private final Rows<LabelGroup, Object> classBefore = Rows.scratch();
    private final Rows<LabelClass, Set<S>> selectorsBefore = Rows.scratch();

    MatchChanges(MatchState<S, K> state) {
        this.state = state;
    }

    /** Notes the group of a row that is about to change. */
    void moving(K row, @Nullable LabelGroup from) {
        if (!groupBefore.contains(row)) {
            groupBefore.put(row, from == null ? ABSENT : from);
        }
    }

    /** Notes the class of a group that is about to change. */
    void moving(LabelGroup group, @Nullable LabelClass from) {
        if (!classBefore.contains(group)) {
            classBefore.put(group, from == null ? ABSENT : from);
        }
    }

    /** Notes the selectors of a class that are about to change. */
    void changing(LabelClass one) {
        if (!selectorsBefore.contains(one)) {
            Set<S> before = new LinkedHashSet<>();
            state.selectors.forEach(one, before::add);
            selectorsBefore.put(one, before.isEmpty() ? Set.of() : before);
        }
    }

    void addTo(Delta<Pair<S, K>, Integer> delta) {
        groupBefore.forEach((row, before) -> {
            LabelGroup to = state.groupOf.get(row);
            compare(
                    before instanceof LabelGroup from ? classBefore(from) : null,
                    to == null ? null : state.classOf.get(to),
                    selector -> delta.add(new Pair<>(selector, row), null, MatchState.ONE),
                    selector -> delta.add(new Pair<>(selector, row), MatchState.ONE, null));
        });
        classBefore.forEach((group, before) -> compare(classBefore(group), state.classOf.get(group), group, delta));
        selectorsBefore.forEach((one, before) -> state.groups.forEach(one, group -> {
            if (!classBefore.contains(group)) {
                compare(one, one, group, delta);
            }
        }));
    }

    private @Nullable LabelClass classBefore(LabelGroup group) {
        Object before = classBefore.get(group);
        return before instanceof LabelClass one ? one : before == null ? state.classOf.get(group) : null;
    }

    /** Adds the changes of the rows of a group that have not moved. */
    private void compare(
            @Nullable LabelClass from, @Nullable LabelClass to, LabelGroup group, Delta<Pair<S, K>, Integer> delta) {
        compare(
                from,
                to,
                selector -> remaining(group, row -> delta.add(new Pair<>(selector, row), null, MatchState.ONE)),
                selector -> remaining(group, row -> delta.add(new Pair<>(selector, row), MatchState.ONE, null)));
    }

    private void remaining(LabelGroup group, Consumer<K> action) {
        state.members.forEach(group, row -> {
            if (groupBefore.size() == 0 || !groupBefore.contains(row)) {
                action.accept(row);
            }
        });
    }

    /** Passes the selectors that match a class now and did not match another one before, and the opposite. */
    private void compare(@Nullable LabelClass from, @Nullable LabelClass to, Consumer<S> added, Consumer<S> removed) {
        if (from != null && from.equals(to) && !selectorsBefore.contains(from)) {
            return;
        }
        Set<S> before = from == null ? Set.of() : selectorsBefore.get(from);
        if (to != null) {
            state.selectors.forEach(to, selector -> {
                boolean had = before == null
                        ? state.selectors.contains(Objects.requireNonNull(from), selector)
                        : before.contains(selector);
                if (!had) {
                    added.accept(selector);
                }
            });
        }
        Consumer<S> gone = selector -> {
            if (to == null || !state.selectors.contains(to, selector)) {
                removed.accept(selector);
            }
        };
        if (before == null) {
            state.selectors.forEach(Objects.requireNonNull(from), gone);
        } else {
            before.forEach(gone);
        }
    }
}
