package dev.evenkeel.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of selectors and rows whose labels match.
 *
 * <p>The problem: a selector may match any row, so a naive join evaluates every selector for every row that changes, and
 * every row for every selector that changes. Two facts help: few labels are mentioned by selectors, and many rows have
 * equal values of these. So selectors are evaluated for {@linkplain LabelClass classes} of rows. Rows that inherit labels
 * from the same parents change classes together, so classes consist of {@linkplain LabelGroup groups}.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>The rows of a group have equal own labels among the mentioned ones, and the same parents.
 *   <li>The groups of a class have equal effective labels among the mentioned ones, own and inherited.
 *   <li>A pair is a row of this table exactly if the class of its right side matches the selector.
 * </ol>
 *
 * <p>Cost: a row that changes within its group costs its labels; one that moves, the selectors that match; a row of a new
 * class, the candidate selectors. A parent's change moves its groups, not its rows. A selector evaluates the candidate
 * classes. Each pair that changes costs its part of the delta. A label that is mentioned for the first time costs a look
 * at each row; labels that are not mentioned cost nothing else. Labels that selectors have ceased to mention distinguish groups
 * until they are more than those that are.
 */
final class MatchNode<S, K> extends Node<Pair<S, K>, Integer> {
    private static final int UNUSED = 8;

    private final Node<S, ? extends LabelPredicate> selectors;
    private final Node<K, Labelled.Labels> items;
    private final Node<Object, Map<String, String>> parents;

    /** The mentioned labels, each with the number of selectors; 0 for one that selectors have ceased to mention. */
    private final Rows<String, Integer> names;

    private final Rows<Boolean, Integer> unused;
    private final SelectorIndex<S> index;
    private final MatchState<S, K> state;
    private final Buckets<Object, LabelGroup> byParent;
    private final Buckets<Requirement, LabelClass> byLabel;
    private final Buckets<S, LabelClass> bySelector;

    MatchNode(Node<S, ? extends LabelPredicate> selectors, Labelled<K> labelled) {
        this(selectors, labelled, new MatchState<>(selectors.graph.journal));
    }

    private MatchNode(Node<S, ? extends LabelPredicate> selectors, Labelled<K> labelled, MatchState<S, K> state) {
        super(selectors.graph, "match", List.of(selectors, labelled.rows, labelled.parents), state);
        this.selectors = selectors;
        this.items = labelled.rows;
        this.parents = labelled.parents;
        this.state = state;
        Journal journal = graph.journal;
        this.names = Rows.in(journal);
        this.unused = Rows.in(journal);
        this.index = new SelectorIndex<>(journal);
        this.byParent = new Buckets<>(journal);
        this.byLabel = new Buckets<>(journal);
        this.bySelector = new Buckets<>(journal);
    }

    @Override
    void step() {
        MatchChanges<S, K> changes = new MatchChanges<>(state);
        Set<String> mentioned = selectorsChanged();
        for (int i = 0; i < parents.delta.size(); i++) {
            refreshGroupsOf(parents.delta.key(i), changes);
        }
        if (!mentioned.isEmpty()) {
            mentioned(mentioned, changes);
        }
        for (int i = 0; i < selectors.delta.size(); i++) {
            rematch(selectors.delta.key(i), selectors.delta.after(i), changes);
        }
        for (int i = 0; i < items.delta.size(); i++) {
            move(items.delta.key(i), items.delta.after(i), changes);
        }
        if (unusedNames() > Math.max(UNUSED, names.size() / 2)) {
            forgetNames(changes);
        }
        changes.addTo(delta);
    }

    /** Updates the index and the mentioned labels; returns those that are new. */
    private Set<String> selectorsChanged() {
        Set<String> mentioned = new LinkedHashSet<>();
        Delta<S, ? extends LabelPredicate> changed = selectors.delta;
        for (int i = 0; i < changed.size(); i++) {
            S key = changed.key(i);
            LabelPredicate before = changed.before(i);
            LabelPredicate after = changed.after(i);
            try {
                selectorChanged(key, before, after, mentioned);
            } catch (RuntimeException e) {
                throw new GraphException(name, key, e);
            }
        }
        return mentioned;
    }

    private void selectorChanged(
            S key, @Nullable LabelPredicate before, @Nullable LabelPredicate after, Set<String> mentioned) {
        if (after != null) {
            for (String label : after.names()) {
                mention(label, mentioned);
            }
        }
        if (before != null) {
            index.remove(key);
            before.names().forEach(this::unmention);
        }
        if (after != null) {
            index.add(key, after);
        }
    }

    private void mention(String name, Set<String> mentioned) {
        Integer count = names.put(name, 1);
        if (count == null) {
            mentioned.add(name);
        } else {
            names.put(name, count + 1);
            if (count == 0) {
                unused.put(true, unusedNames() - 1);
            }
        }
    }

    private void unmention(String name) {
        int count = Objects.requireNonNull(names.get(name)) - 1;
        names.put(name, count);
        if (count == 0) {
            unused.put(true, unusedNames() + 1);
        }
    }

    private int unusedNames() {
        Integer count = unused.get(true);
        return count == null ? 0 : count;
    }

    /** Distinguishes rows by labels that selectors now mention. */
    private void mentioned(Set<String> added, MatchChanges<S, K> changes) {
        List<Object> inherited = new ArrayList<>();
        parents.rows.forEach((parent, labels) -> {
            if (mentions(labels, added)) {
                inherited.add(parent);
            }
        });
        inherited.forEach(parent -> refreshGroupsOf(parent, changes));
        List<K> own = new ArrayList<>();
        items.rows.forEach((key, labels) -> {
            if (mentions(labels.own(), added)) {
                own.add(key);
            }
        });
        own.forEach(key -> move(key, items.rows.get(key), changes));
    }

    private static boolean mentions(Map<String, String> labels, Set<String> names) {
        if (names.size() <= labels.size()) {
            for (String name : names) {
                if (labels.containsKey(name)) {
                    return true;
                }
            }
            return false;
        }
        for (Map.Entry<String, String> label : labels.entrySet()) {
            if (names.contains(label.getKey())) {
                return true;
            }
        }
        return false;
    }

    /** Merges the groups and classes that only labels distinguish that selectors have ceased to mention. */
    private void forgetNames(MatchChanges<S, K> changes) {
        List<String> gone = new ArrayList<>();
        names.forEach((name, count) -> {
            if (count == 0) {
                gone.add(name);
            }
        });
        gone.forEach(names::remove);
        unused.put(true, 0);
        keys(state.groupOf).forEach(key -> move(key, items.rows.get(key), changes));
        keys(state.classOf).forEach(group -> refresh(group, changes));
    }

    /** Updates the classes that a changed selector matches. */
    private void rematch(S key, @Nullable LabelPredicate selector, MatchChanges<S, K> changes) {
        Set<LabelClass> matching = new LinkedHashSet<>();
        if (selector != null) {
            candidates(key, selector, one -> {
                if (matches(key, selector, one.labels)) {
                    matching.add(one);
                }
            });
        }
        for (LabelClass one : list(bySelector, key)) {
            if (!matching.remove(one)) {
                unlink(key, one, changes);
            }
        }
        matching.forEach(one -> link(key, one, changes));
    }

    /** Passes each class that a selector may match, once: those of the requirement that the fewest classes meet. */
    private void candidates(S key, LabelPredicate selector, Consumer<LabelClass> visitor) {
        Map.Entry<String, Set<String>> required = fewest(key, selector);
        if (required == null) {
            state.groups.forEachKey(visitor);
        } else if (required.getValue().isEmpty()) {
            byLabel.forEach(new Requirement(required.getKey(), null), visitor);
        } else {
            for (String value : required.getValue()) {
                byLabel.forEach(new Requirement(required.getKey(), value), visitor);
            }
        }
    }

    private void link(S key, LabelClass one, MatchChanges<S, K> changes) {
        changes.changing(one);
        state.selectors.add(one, key);
        bySelector.add(key, one);
    }

    private void unlink(S key, LabelClass one, MatchChanges<S, K> changes) {
        changes.changing(one);
        state.selectors.remove(one, key);
        bySelector.remove(key, one);
    }

    /** Moves a row to the group of its labels. */
    private void move(K key, Labelled.@Nullable Labels labels, MatchChanges<S, K> changes) {
        LabelGroup before = state.groupOf.get(key);
        LabelGroup after = labels == null ? null : new LabelGroup(project(labels.own(), Map.of()), labels.parents());
        if (Objects.equals(before, after)) {
            return;
        }
        changes.moving(key, before);
        if (after == null) {
            state.groupOf.remove(key);
        } else {
            LabelGroup known = state.members.known(after);
            state.groupOf.put(key, known);
            state.members.add(known, key);
            if (!state.classOf.contains(known)) {
                known.parents.forEach(parent -> byParent.add(parent, known));
                refresh(known, changes);
            }
        }
        if (before != null) {
            state.members.remove(before, key);
            if (state.members.size(before) == 0) {
                before.parents.forEach(parent -> byParent.remove(parent, before));
                move(before, null, changes);
            }
        }
    }

    private void refreshGroupsOf(Object parent, MatchChanges<S, K> changes) {
        list(byParent, parent).forEach(group -> refresh(group, changes));
    }

    /** Moves a group to the class of its effective labels. */
    private void refresh(LabelGroup group, MatchChanges<S, K> changes) {
        Map<String, String> labels = project(group.own, Map.of());
        for (Object parent : group.parents) {
            Map<String, String> inherited = parents.rows.get(parent);
            if (inherited != null) {
                labels = project(inherited, labels);
            }
        }
        move(group, new LabelClass(labels), changes);
    }

    private void move(LabelGroup group, @Nullable LabelClass after, MatchChanges<S, K> changes) {
        LabelClass before = state.classOf.get(group);
        if (Objects.equals(before, after)) {
            return;
        }
        changes.moving(group, before);
        if (after == null) {
            state.classOf.remove(group);
        } else {
            LabelClass known = state.groups.known(after);
            state.classOf.put(group, known);
            state.groups.add(known, group);
            if (state.groups.size(known) == 1) {
                enter(known, changes);
            }
        }
        if (before != null) {
            state.groups.remove(before, group);
            if (state.groups.size(before) == 0) {
                leave(before, changes);
            }
        }
    }

    /** Finds the selectors that match a new class. */
    private void enter(LabelClass added, MatchChanges<S, K> changes) {
        requirements(added, requirement -> byLabel.add(requirement, added));
        index.candidates(added.labels, key -> {
            LabelPredicate selector = selectors.rows.get(key);
            if (selector != null && matches(key, selector, added.labels)) {
                link(key, added, changes);
            }
        });
    }

    private void leave(LabelClass removed, MatchChanges<S, K> changes) {
        requirements(removed, requirement -> byLabel.remove(requirement, removed));
        list(state.selectors, removed).forEach(key -> unlink(key, removed, changes));
    }

    private static void requirements(LabelClass one, Consumer<Requirement> visitor) {
        one.labels.forEach((name, value) -> {
            visitor.accept(new Requirement(name, value));
            visitor.accept(new Requirement(name, null));
        });
    }

    /** Returns labels and those of a parent that are mentioned and absent from them. */
    private Map<String, String> project(Map<String, String> labels, Map<String, String> first) {
        Map<String, String> all = null;
        for (Map.Entry<String, String> label : labels.entrySet()) {
            if (names.contains(label.getKey()) && !first.containsKey(label.getKey())) {
                if (all == null) {
                    all = new HashMap<>(first);
                }
                all.put(label.getKey(), label.getValue());
            }
        }
        return all == null ? first : Map.copyOf(all);
    }

    private boolean matches(S key, LabelPredicate selector, Map<String, String> labels) {
        calls++;
        try {
            return selector.matches(labels::get);
        } catch (RuntimeException e) {
            throw new GraphException(name, key, e);
        }
    }

    private Map.@Nullable Entry<String, Set<String>> fewest(S key, LabelPredicate selector) {
        try {
            return Buckets.fewest(byLabel, selector);
        } catch (RuntimeException e) {
            throw new GraphException(name, key, e);
        }
    }

    private static <E> List<E> list(Buckets<?, E> buckets, Object key) {
        if (buckets.size(key) == 0) {
            return List.of();
        }
        List<E> all = new ArrayList<>();
        buckets.forEach(key, all::add);
        return all;
    }

    private static <E> List<E> keys(Rows<E, ?> rows) {
        List<E> all = new ArrayList<>();
        rows.forEach((key, value) -> all.add(key));
        return all;
    }

    @Override
    Map<Pair<S, K>, Integer> full() {
        Map<Pair<S, K>, Integer> all = new HashMap<>();
        selectors.rows.forEach((key, selector) -> items.rows.forEach((item, labels) -> {
            Map<String, String> inherited = new HashMap<>();
            for (Object parent : labels.parents().reversed()) {
                Map<String, String> own = parents.rows.get(parent);
                if (own != null) {
                    inherited.putAll(own);
                }
            }
            inherited.putAll(labels.own());
            if (selector.matches(inherited::get)) {
                all.put(new Pair<>(key, item), 1);
            }
        }));
        return all;
    }

    @Override
    void origins(Pair<S, K> pair, BiConsumer<Node<?, ?>, Object> visitor) {
        visitor.accept(selectors, pair.left());
        visitor.accept(items, pair.right());
        Labelled.Labels labels = items.rows.get(pair.right());
        if (labels != null) {
            labels.parents().forEach(parent -> visitor.accept(parents, parent));
        }
    }
}
