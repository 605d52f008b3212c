package dev.evenkeel.graph;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rows of a table that were sent, for those that differ now; null stands for a row that was not sent. */
final class RowPart<K, V, M> implements Pending<M>, Node.Listener<K, V> {
    private final Observed<K, V> table;
    private final BiFunction<? super K, ? super V, ? extends M> update;
    private final Function<? super K, ? extends M> removal;
    private final Runnable wake;
    private final Map<K, @Nullable V> sent = new LinkedHashMap<>();

    RowPart(
            Observed<K, V> table,
            BiFunction<? super K, ? super V, ? extends M> update,
            Function<? super K, ? extends M> removal,
            Runnable wake) {
        this.table = table;
        this.update = update;
        this.removal = removal;
        this.wake = wake;
        table.forEach((key, value) -> sent.put(key, null));
        table.listen(this);
    }

    @Override
    public void changed(Delta<K, V> delta) {
        for (int i = 0; i < delta.size(); i++) {
            K key = delta.key(i);
            V after = delta.after(i);
            if (!sent.containsKey(key)) {
                sent.put(key, delta.before(i));
            } else {
                V before = sent.get(key);
                if (before == null ? after == null : before.equals(after)) {
                    sent.remove(key);
                }
            }
        }
        wake.run();
    }

    @Override
    public boolean isEmpty() {
        return sent.isEmpty();
    }

    @Override
    public void collect(List<M> additions, List<M> removals) {
        for (K key : sent.keySet()) {
            V value = table.get(key);
            if (value == null) {
                removals.add(removal.apply(key));
            } else {
                additions.add(update.apply(key, value));
            }
        }
    }

    @Override
    public void sent() {
        sent.clear();
    }

    @Override
    public void close() {
        table.ignore(this);
    }
}
