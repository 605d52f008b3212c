package dev.evenkeel.store.etcd;

import dev.evenkeel.engine.spi.Store;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A state that memory has forgotten and etcd had not, read as a whole: etcd may forget it, too, before it is used. */
final class PastSnapshot implements Store.Snapshot {
    private final long revision;
    private final NavigableMap<Store.Key, Store.Entry> entries = new TreeMap<>();

    PastSnapshot(long revision, Collection<Store.Entry> entries) {
        this.revision = revision;
        entries.forEach(entry -> this.entries.put(entry.key(), entry));
    }

    @Override
    public long revision() {
        return revision;
    }

    @Override
    public Store.@Nullable Entry get(Store.Key key) {
        return entries.get(key);
    }

    @Override
    public void range(String collection, String namespace, Store.@Nullable Key from, Store.Visitor visitor) {
        Store.Key start = new Store.Key(collection, namespace, "");
        Store.Key first = from == null || from.compareTo(start) < 0 ? start : from;
        for (Store.Entry entry : entries.tailMap(first, true).values()) {
            Store.Key key = entry.key();
            boolean inside = key.collection().equals(collection)
                    && (namespace.isEmpty() || key.namespace().equals(namespace));
            if (!inside || !visitor.visit(entry)) {
                return;
            }
        }
    }

    @Override
    public long count(String collection, String namespace, Store.@Nullable Key from) {
        long[] count = {0};
        range(collection, namespace, from, entry -> {
            count[0]++;
            return true;
        });
        return count[0];
    }

    @Override
    public List<String> collections() {
        return entries.keySet().stream().map(Store.Key::collection).distinct().toList();
    }
}
