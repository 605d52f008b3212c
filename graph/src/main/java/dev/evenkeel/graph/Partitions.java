package dev.evenkeel.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A table of pairs, in partitions by the left sides: a change is passed to the listeners of its partition only, and a
 * listener finds the rows of its partition without a look at the others.
 */
final class Partitions<P, K, V> {
    private final Map<P, Partition<K, V>> partitions = new HashMap<>();

    Partitions(Node<Pair<P, K>, V> table) {
        table.rows.forEach((pair, value) -> of(pair.left()).rows.put(pair.right(), value));
        table.listen(this::changed);
    }

    /** Returns a partition, which may be empty. */
    Observed<K, V> get(P name) {
        return new Handle(name);
    }

    private Partition<K, V> of(P name) {
        return partitions.computeIfAbsent(name, key -> new Partition<>());
    }

    private void changed(Delta<Pair<P, K>, V> delta) {
        Map<P, Delta<K, V>> observed = new HashMap<>();
        for (int i = 0; i < delta.size(); i++) {
            P name = delta.key(i).left();
            K key = delta.key(i).right();
            Partition<K, V> partition = of(name);
            V after = delta.after(i);
            if (after == null) {
                partition.rows.remove(key);
            } else {
                partition.rows.put(key, after);
            }
            if (!partition.listeners.isEmpty()) {
                observed.computeIfAbsent(name, same -> new Delta<>()).add(key, delta.before(i), after);
            } else if (partition.rows.size() == 0) {
                partitions.remove(name);
            }
        }
        observed.forEach((name, changes) -> of(name).listeners.forEach(listener -> listener.changed(changes)));
    }

    private static final class Partition<K, V> {
        final Rows<K, V> rows = Rows.scratch();
        final List<Node.Listener<K, V>> listeners = new ArrayList<>();
    }

    /** A partition by its name: one that has neither rows nor listeners is not kept. */
    private final class Handle implements Observed<K, V> {
        private final P name;

        Handle(P name) {
            this.name = name;
        }

        @Override
        public @Nullable V get(K key) {
            Partition<K, V> partition = partitions.get(name);
            return partition == null ? null : partition.rows.get(key);
        }

        @Override
        public void forEach(BiConsumer<? super K, ? super V> action) {
            Partition<K, V> partition = partitions.get(name);
            if (partition != null) {
                partition.rows.forEach(action);
            }
        }

        @Override
        public void listen(Node.Listener<K, V> listener) {
            of(name).listeners.add(listener);
        }

        @Override
        public void ignore(Node.Listener<K, V> listener) {
            Partition<K, V> partition = of(name);
            partition.listeners.remove(listener);
            if (partition.listeners.isEmpty() && partition.rows.size() == 0) {
                partitions.remove(name);
            }
        }
    }
}
