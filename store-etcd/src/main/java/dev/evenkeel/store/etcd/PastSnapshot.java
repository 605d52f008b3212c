package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.engine.spi.Store;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * A state that memory has forgotten and etcd has not. A part of it is read when it is needed, and kept: lists request the
 * same one page after page.
 */
final class PastSnapshot implements Store.Snapshot {
    private final Contents contents;
    private final long revision;
    private final ConcurrentMap<ByteString, NavigableMap<Store.Key, Store.Entry>> parts = new ConcurrentHashMap<>();

    PastSnapshot(Contents contents, long revision) {
        this.contents = contents;
        this.revision = revision;
    }

    @Override
    public long revision() {
        return revision;
    }

    @Override
    public Store.@Nullable Entry get(Store.Key key) {
        return contents.entry(key, revision);
    }

    @Override
    public void range(String collection, String namespace, Store.@Nullable Key from, Store.Visitor visitor) {
        for (Store.Entry entry : from(collection, namespace, from).values()) {
            if (!visitor.visit(entry)) {
                return;
            }
        }
    }

    @Override
    public long count(String collection, String namespace, Store.@Nullable Key from) {
        return from(collection, namespace, from).size();
    }

    @Override
    public List<String> collections() {
        return part(contents.keys().objects()).keySet().stream()
                .map(Store.Key::collection)
                .distinct()
                .toList();
    }

    private NavigableMap<Store.Key, Store.Entry> from(String collection, String namespace, Store.@Nullable Key from) {
        NavigableMap<Store.Key, Store.Entry> all = part(contents.keys().objects(collection, namespace));
        return from == null ? all : all.tailMap(from, true);
    }

    private NavigableMap<Store.Key, Store.Entry> part(ByteString prefix) {
        return parts.computeIfAbsent(prefix, p -> {
            NavigableMap<Store.Key, Store.Entry> entries = new TreeMap<>();
            contents.entries(p, revision).forEach(entry -> entries.put(entry.key(), entry));
            return entries;
        });
    }
}
