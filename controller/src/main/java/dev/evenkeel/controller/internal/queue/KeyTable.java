package dev.evenkeel.controller.internal.queue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries by key: a hash table whose chains run through the entries, so that a key costs one object and a look-up
 * touches little memory. It shrinks again. Not thread-safe.
 */
final class KeyTable<K> {
    private static final int SMALLEST = 4;

    private int bits = SMALLEST;
    private @Nullable Entry<K>[] buckets = buckets(bits);
    private int size;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K> @Nullable Entry<K>[] buckets(int bits) {
        return new Entry[1 << bits];
    }

    /** Spreads hashes, since those of numbered names differ in few bits. */
    static int hash(Object key) {
        return key.hashCode() * 0x9E3779B9;
    }

    private int bucket(int hash) {
        return hash >>> (Integer.SIZE - bits);
    }

    @Nullable
    Entry<K> get(Object key, int hash) {
        for (Entry<K> entry = buckets[bucket(hash)]; entry != null; entry = entry.chain) {
            if (entry.hash == hash && entry.key.equals(key)) {
                return entry;
            }
        }
        return null;
    }

    /** Adds an entry whose key is absent. */
    void put(Entry<K> entry) {
        if (size >= buckets.length && bits < 30) {
            resize(bits + 1);
        }
        size++;
        link(entry);
    }

    private void link(Entry<K> entry) {
        int bucket = bucket(entry.hash);
        entry.chain = buckets[bucket];
        buckets[bucket] = entry;
    }

    void remove(Entry<K> entry) {
        int bucket = bucket(entry.hash);
        Entry<K> before = null;
        for (Entry<K> at = buckets[bucket]; at != entry; at = at.chain) {
            if (at == null) {
                throw new IllegalStateException("not in the table: " + entry.key);
            }
            before = at;
        }
        if (before == null) {
            buckets[bucket] = entry.chain;
        } else {
            before.chain = entry.chain;
        }
        entry.chain = null;
        size--;
        if (bits > SMALLEST && size < buckets.length >> 3) {
            resize(bits - 2);
        }
    }

    private void resize(int wanted) {
        @Nullable Entry<K>[] old = buckets;
        bits = Math.max(SMALLEST, wanted);
        buckets = buckets(bits);
        for (Entry<K> entry : old) {
            while (entry != null) {
                Entry<K> following = entry.chain;
                link(entry);
                entry = following;
            }
        }
    }

    List<K> list() {
        List<K> list = new ArrayList<>(size);
        for (Entry<K> bucket : buckets) {
            for (Entry<K> entry = bucket; entry != null; entry = entry.chain) {
                list.add(entry.key);
            }
        }
        return list;
    }

    int size() {
        return size;
    }

    int capacity() {
        return buckets.length;
    }
}
