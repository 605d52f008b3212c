package dev.evenkeel.graph;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Which rows are in which group, which groups in which class, and which selectors match a class. As rows, these are the
 * pairs of selectors and rows that match, computed when they are read: a pair costs no memory, so a selector that
 * matches all rows costs as much as one that matches none.
 */
final class MatchState<S, K> implements View<Pair<S, K>, Integer> {
    static final Integer ONE = 1;

    final Rows<K, LabelGroup> groupOf;
    final Buckets<LabelGroup, K> members;
    final Rows<LabelGroup, LabelClass> classOf;
    final Buckets<LabelClass, LabelGroup> groups;
    final Buckets<LabelClass, S> selectors;

    MatchState(Journal journal) {
        groupOf = Rows.in(journal);
        members = new Buckets<>(journal);
        classOf = Rows.in(journal);
        groups = new Buckets<>(journal);
        selectors = new Buckets<>(journal);
    }

    /** Counts; the cost is proportional to the number of groups. */
    @Override
    public int size() {
        int size = 0;
        for (int slot = 0; slot < classOf.slots(); slot++) {
            LabelGroup group = classOf.keyAt(slot);
            if (group != null) {
                size += members.size(group) * selectors.size(classOf.valueAt(slot));
            }
        }
        return size;
    }

    @Override
    public boolean contains(Object key) {
        return get(key) != null;
    }

    @Override
    public @Nullable Integer get(Object key) {
        if (key instanceof Pair<?, ?> pair) {
            LabelGroup group = groupOf.get(pair.right());
            LabelClass one = group == null ? null : classOf.get(group);
            return one != null && selectors.contains(one, pair.left()) ? ONE : null;
        }
        return null;
    }

    @Override
    public void forEach(BiConsumer<? super Pair<S, K>, ? super Integer> action) {
        classOf.forEach((group, one) -> selectors.forEach(
                one, selector -> members.forEach(group, member -> action.accept(new Pair<>(selector, member), ONE))));
    }
}
