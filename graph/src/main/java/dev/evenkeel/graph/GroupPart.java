package dev.evenkeel.graph;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The groups that differ from what was sent, and of groups that were sent the members that differ. */
final class GroupPart<A, V, B, M> implements Pending<M> {
    /** A group that differs: the value that was sent, null if none was, and of each member that differs if it was sent. */
    private record Group<V, B>(@Nullable V sent, Map<B, Boolean> members) {}

    /** The members of each group, shared by the consumers; a change is passed to those that have the group. */
    static final class Index<A, B> {
        private final Rows<A, Rows<B, B>> members = Rows.scratch();
        private final Map<A, Set<GroupPart<A, ?, B, ?>>> consumers = new HashMap<>();

        Index(Node<Pair<A, B>, Integer> relation) {
            relation.rows.forEach((pair, weight) -> add(pair));
            relation.listen(this::changed);
        }

        private void changed(Delta<Pair<A, B>, Integer> delta) {
            for (int i = 0; i < delta.size(); i++) {
                Pair<A, B> pair = delta.key(i);
                boolean before = delta.before(i) != null;
                boolean after = delta.after(i) != null;
                if (before == after) {
                    // another weight
                    continue;
                }
                if (after) {
                    add(pair);
                } else {
                    remove(pair);
                }
                for (GroupPart<A, ?, B, ?> consumer : consumers.getOrDefault(pair.left(), Set.of())) {
                    consumer.memberChanged(pair.left(), pair.right(), before);
                }
            }
        }

        private void add(Pair<A, B> pair) {
            Rows<B, B> all = members.get(pair.left());
            if (all == null) {
                all = Rows.scratch();
                members.put(pair.left(), all);
            }
            all.put(pair.right(), pair.right());
        }

        private void remove(Pair<A, B> pair) {
            Rows<B, B> all = members.get(pair.left());
            if (all != null) {
                all.remove(pair.right());
                if (all.size() == 0) {
                    members.remove(pair.left());
                }
            }
        }

        void subscribe(A group, GroupPart<A, ?, B, ?> consumer) {
            consumers.computeIfAbsent(group, key -> new LinkedHashSet<>()).add(consumer);
        }

        void unsubscribe(A group, GroupPart<A, ?, B, ?> consumer) {
            consumers.computeIfPresent(group, (key, all) -> {
                all.remove(consumer);
                return all.isEmpty() ? null : all;
            });
        }

        Set<B> of(A group) {
            Set<B> all = new LinkedHashSet<>();
            Rows<B, B> rows = members.get(group);
            if (rows != null) {
                rows.forEach((member, same) -> all.add(member));
            }
            return all;
        }
    }

    private final Observed<A, V> groups;
    private final Index<A, B> index;
    private final Runnable wake;
    private final GroupMessages<? super A, ? super V, B, ? extends M> messages;
    private final Map<A, Group<V, B>> pending = new LinkedHashMap<>();
    private final Node.Listener<A, V> onGroups = this::groupsChanged;

    /** The groups that were sent, with their values: those whose members are observed. */
    private final Rows<A, V> known = Rows.scratch();

    GroupPart(
            Observed<A, V> groups,
            Index<A, B> index,
            GroupMessages<? super A, ? super V, B, ? extends M> messages,
            Runnable wake) {
        this.wake = wake;
        this.groups = groups;
        this.index = index;
        this.messages = messages;
        groups.forEach((group, value) -> pending(group));
        groups.listen(onGroups);
    }

    private Group<V, B> pending(A group) {
        return pending.computeIfAbsent(group, key -> new Group<>(known.get(key), new LinkedHashMap<>()));
    }

    private void groupsChanged(Delta<A, V> delta) {
        for (int i = 0; i < delta.size(); i++) {
            A name = delta.key(i);
            Group<V, B> group = pending(name);
            V sent = group.sent();
            if (group.members().isEmpty() && Objects.equals(sent, delta.after(i))) {
                pending.remove(name);
            }
        }
        wake.run();
    }

    private void memberChanged(A name, B member, boolean before) {
        Group<V, B> group = pending(name);
        if (group.members().remove(member) == null) {
            group.members().put(member, before);
        }
        if (group.members().isEmpty() && Objects.equals(group.sent(), groups.get(name))) {
            pending.remove(name);
        }
        wake.run();
    }

    @Override
    public boolean isEmpty() {
        return pending.isEmpty();
    }

    @Override
    public void collect(List<M> additions, List<M> removals) {
        pending.forEach((name, group) -> {
            V value = groups.get(name);
            if (value == null) {
                if (group.sent() != null) {
                    removals.add(messages.removal(name));
                }
            } else if (value.equals(group.sent())) {
                Set<B> added = new LinkedHashSet<>();
                Set<B> removed = new LinkedHashSet<>();
                group.members().forEach((member, wasSent) -> (wasSent ? removed : added).add(member));
                additions.add(messages.delta(name, added, removed));
            } else {
                additions.add(messages.full(name, value, index.of(name)));
            }
        });
    }

    @Override
    public void sent() {
        pending.forEach((name, group) -> {
            V value = groups.get(name);
            if (value != null) {
                known.put(name, value);
                index.subscribe(name, this);
            } else if (known.remove(name) != null) {
                index.unsubscribe(name, this);
            }
        });
        pending.clear();
    }

    @Override
    public void close() {
        groups.ignore(onGroups);
        known.forEach((name, value) -> index.unsubscribe(name, this));
    }
}
