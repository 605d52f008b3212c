package dev.evenkeel.graph;

import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of keys and values in one array, with open addressing: an entry costs two references and the free slots,
 * a third of what {@link java.util.HashMap} needs. The order of a traversal depends on the hash codes and on the order
 * of changes. A table must not be changed while it is traversed.
 *
 * <p>Each change is recorded in a {@link Journal}, unless the table is scratch space.
 *
 * @param <K> keys
 * @param <V> values
 */
@SuppressWarnings("unchecked")
final class Rows<K, V> implements View<K, V> {
    private static final @Nullable Object[] NONE = {};
    private static final byte[] NO_TAGS = {};
    private static final int SMALLEST = 4;

    private final @Nullable Journal journal;

    /** The key of slot i is at 2i, its value at 2i + 1; the number of slots is a power of two, or zero. */
    private @Nullable Object[] slots = NONE;

    /** Of each slot, some bits of the hash of its key, so that few keys of others are compared; zero if it is free. */
    private byte[] tags = NO_TAGS;

    private int size;

    private Rows(@Nullable Journal journal) {
        this.journal = journal;
    }

    /** Returns a table whose changes are recorded. */
    static <K, V> Rows<K, V> in(Journal journal) {
        return new Rows<>(journal);
    }

    /** Returns a table whose changes are not recorded. */
    static <K, V> Rows<K, V> scratch() {
        return new Rows<>(null);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean contains(Object key) {
        return find(key) >= 0;
    }

    @Override
    public @Nullable V get(Object key) {
        int slot = find(key);
        return slot < 0 ? null : (V) slots[2 * slot + 1];
    }

    /** Returns the instance of a key that the table has; the key itself if it is absent. */
    @SuppressWarnings("NullAway") // a slot that was found has a key
    K known(K key) {
        int slot = find(key);
        return slot < 0 ? key : (K) slots[2 * slot];
    }

    /** Sets the value of a key; returns the earlier one. */
    @Nullable
    V put(K key, V value) {
        V before = (V) store(key, value);
        if (journal != null) {
            journal.record(this, key, before);
        }
        return before;
    }

    /** Removes a key; returns its value. */
    @Nullable
    V remove(Object key) {
        V before = (V) discard(key);
        if (before != null && journal != null) {
            journal.record(this, key, before);
        }
        return before;
    }

    /** Undoes a change. */
    void restore(Object key, @Nullable Object value) {
        if (value == null) {
            discard(key);
        } else {
            store(key, value);
        }
    }

    /** Removes all, of scratch space. */
    void clear() {
        slots = NONE;
        tags = NO_TAGS;
        size = 0;
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        for (int slot = 0; slot < slots(); slot++) {
            K key = keyAt(slot);
            if (key != null) {
                action.accept(key, valueAt(slot));
            }
        }
    }

    /** Returns true if a key matches. */
    boolean anyKey(Predicate<? super K> predicate) {
        for (int slot = 0; slot < slots(); slot++) {
            K key = keyAt(slot);
            if (key != null && predicate.test(key)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of slots, for a traversal with {@link #keyAt}. */
    int slots() {
        return slots.length / 2;
    }

    /** Returns the key of a slot, null if it is free. */
    @Nullable
    K keyAt(int slot) {
        return (K) slots[2 * slot];
    }

    /** Returns the value of a slot that has a key. */
    @SuppressWarnings("NullAway") // a slot with a key has a value
    V valueAt(int slot) {
        return (V) slots[2 * slot + 1];
    }

    private @Nullable Object store(Object key, Object value) {
        int slot = find(key);
        if (slot >= 0) {
            Object before = slots[2 * slot + 1];
            slots[2 * slot + 1] = value;
            return before;
        }
        if ((size + 1) * 2 > slots()) {
            resize(Math.max(SMALLEST, slots() * 2));
            slot = find(key);
        }
        slots[2 * ~slot] = key;
        slots[2 * ~slot + 1] = value;
        tags[~slot] = tag(mix(key));
        size++;
        return null;
    }

    private @Nullable Object discard(Object key) {
        int slot = find(key);
        if (slot < 0) {
            return null;
        }
        Object before = slots[2 * slot + 1];
        int mask = slots() - 1;
        int free = slot;
        // entries that the freed slot cuts off from their home move into it
        for (int next = (free + 1) & mask; ; next = (next + 1) & mask) {
            Object other = slots[2 * next];
            if (other == null) {
                break;
            }
            if (((next - home(mix(other))) & mask) >= ((next - free) & mask)) {
                slots[2 * free] = other;
                slots[2 * free + 1] = slots[2 * next + 1];
                tags[free] = tags[next];
                free = next;
            }
        }
        slots[2 * free] = null;
        slots[2 * free + 1] = null;
        tags[free] = 0;
        size--;
        if (slots() > 4 * SMALLEST && size * 8 < slots()) {
            resize(slots() / 2);
        }
        return before;
    }

    /** Returns the slot of a key, or the complement of the free slot for it: of -1 without slots. */
    @SuppressWarnings("ReferenceEquality") // most keys are the same object; equals decides on the others
    private int find(Object key) {
        if (slots.length == 0) {
            return -1;
        }
        int mask = slots() - 1;
        int mixed = mix(key);
        byte tag = tag(mixed);
        for (int slot = home(mixed); ; slot = (slot + 1) & mask) {
            byte other = tags[slot];
            if (other == 0) {
                return ~slot;
            }
            if (other == tag && isAt(slot, key)) {
                return slot;
            }
        }
    }

    @SuppressWarnings({"NullAway", "ReferenceEquality"}) // a slot with a tag has a key; most are the same instance
    private boolean isAt(int slot, Object key) {
        Object other = slots[2 * slot];
        return other == key || other.equals(key);
    }

    /**
     * Fibonacci hashing: the upper bits of the product depend on all bits of the hash code. A table is often filled in the
     * order of another one; if that order were the same here, the first keys would fill one end without gaps while the
     * table is small, and each insertion would search through all of them. So the order depends on the capacity.
     */
    private int mix(Object key) {
        return (key.hashCode() ^ (slots() * 0x85EBCA6B)) * 0x9E3779B9;
    }

    private int home(int mixed) {
        return mixed >>> Integer.numberOfLeadingZeros(slots() - 1);
    }

    /** Returns seven bits that the home does not depend on, and one that is set. */
    private byte tag(int mixed) {
        return (byte) (0x80 | mixed >>> Math.max(0, Integer.numberOfLeadingZeros(slots() - 1) - 7));
    }

    private void resize(int count) {
        @Nullable Object[] old = slots;
        slots = new Object[2 * count];
        tags = new byte[count];
        int mask = count - 1;
        for (int i = 0; i < old.length; i += 2) {
            Object key = old[i];
            if (key != null) {
                int mixed = mix(key);
                int slot = home(mixed);
                while (tags[slot] != 0) {
                    slot = (slot + 1) & mask;
                }
                slots[2 * slot] = key;
                slots[2 * slot + 1] = old[i + 1];
                tags[slot] = tag(mixed);
            }
        }
    }
}
