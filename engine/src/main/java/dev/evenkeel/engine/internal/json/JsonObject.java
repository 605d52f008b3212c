package dev.evenkeel.engine.internal.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object: its members in the order in which they were added, with values as {@link Json} describes them.
 *
 * <p>Accessors take a path of keys and never fail: {@code pod.string("metadata", "name")} is empty when there is no such
 * member, or when it holds something else. {@link #object}, {@link #array} and {@link #objects} return something empty
 * that is not connected to this object then; {@link #withObject} connects it.
 *
 * <p>The problem: objects are most of what the engine allocates, and nearly all of them have fewer than ten members, for
 * which a hash map is several times too large. So keys and values stand next to each other in one array, and short ones
 * are searched from the front. Above {@value #LINEAR} members an {@link Index} finds the place of a key. Its hash is
 * seeded, since clients choose the keys. Invariants:
 *
 * <ol>
 *   <li>Keys are never null; values may be.
 *   <li>There is an index exactly when the array has room for more than {@value #LINEAR} members. Without one the members
 *       fill the front of the array without gaps; with one, a removed member leaves a gap (a null key) until the next
 *       {@link #resize}, so that removal takes constant time.
 * </ol>
 *
 * <p>Not safe for use by many threads while one of them writes. Adding and removing members while iterating has undefined
 * results, except through the iterator.
 */
public sealed class JsonObject extends AbstractMap<String, @Nullable Object> permits VerbatimObject {
    private static final int LINEAR = 16;
    private static final int SMALLEST = 4;
    private static final @Nullable Object[] EMPTY = {};

    private @Nullable Object[] slots;
    /** The end of the members in {@link #slots}, gaps included. */
    private int end;

    private @Nullable Index index;

    public JsonObject() {
        slots = EMPTY;
    }

    /** Creates an empty object with room for some members. */
    public JsonObject(int members) {
        slots = members == 0 ? EMPTY : new Object[2 * members];
        index = members > LINEAR ? new Index(members) : null;
    }

    /** Creates an object with the members of another map, sharing their values. */
    public JsonObject(Map<String, ? extends @Nullable Object> members) {
        this(members.size());
        putAll(members);
    }

    /** Returns a new object with the given keys and values, alternating. */
    public static JsonObject of(@Nullable Object... keysAndValues) {
        JsonObject object = new JsonObject(keysAndValues.length / 2);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            object.put((String) Objects.requireNonNull(keysAndValues[i]), keysAndValues[i + 1]);
        }
        return object;
    }

    /** Returns the value under a path of keys; null when it is missing, or a step of the path is not an object. */
    public @Nullable Object at(String... path) {
        Object value = this;
        for (String key : path) {
            if (!(value instanceof JsonObject object)) {
                return null;
            }
            value = object.get(key);
        }
        return value;
    }

    /** Returns whether there is a value other than null under a path. */
    public boolean has(String... path) {
        return at(path) != null;
    }

    /** Returns the text under a path; empty when it is missing or not a string. */
    public String string(String... path) {
        return at(path) instanceof String text ? text : "";
    }

    /** Returns the integer under a path; 0 when it is missing or not an integer. */
    public long integer(String... path) {
        return at(path) instanceof Long number ? number : 0;
    }

    /** Returns whether there is {@code true} under a path. */
    public boolean bool(String... path) {
        return Boolean.TRUE.equals(at(path));
    }

    /** Returns the object under a path; a new one, not connected to this, when it is missing or not an object. */
    public JsonObject object(String... path) {
        return at(path) instanceof JsonObject object ? object : new JsonObject();
    }

    /** Returns the object under a path, if there is one. */
    public Optional<JsonObject> findObject(String... path) {
        return Json.object(at(path));
    }

    /** Returns the array under a path; an immutable empty one when it is missing or not an array. */
    public List<@Nullable Object> array(String... path) {
        return Json.array(at(path));
    }

    /** Returns the objects in the array under a path; other items are left out. */
    public List<JsonObject> objects(String... path) {
        return items(JsonObject.class, path);
    }

    /** Returns the strings in the array under a path; other items are left out. */
    public List<String> strings(String... path) {
        return items(String.class, path);
    }

    private <T> List<T> items(Class<T> type, String... path) {
        List<@Nullable Object> array = array(path);
        List<T> items = new ArrayList<>(array.size());
        for (Object item : array) {
            if (type.isInstance(item)) {
                items.add(type.cast(item));
            }
        }
        return items;
    }

    /** Returns the object under a key, which is added when it is missing, and replaces what is not an object. */
    public JsonObject withObject(String key) {
        if (get(key) instanceof JsonObject object) {
            return object;
        }
        JsonObject added = new JsonObject();
        put(key, added);
        return added;
    }

    /** Sets a member and returns this object. */
    public JsonObject set(String key, @Nullable Object value) {
        put(key, value);
        return this;
    }

    /** Sets a member, unless the value is null or {@linkplain Json#isEmpty empty}, and returns this object. */
    public JsonObject setUnlessEmpty(String key, @Nullable Object value) {
        return Json.isEmpty(value) ? this : set(key, value);
    }

    /** Sets a member, or removes it when the value is null or {@linkplain Json#isEmpty empty}. */
    public void setOrRemove(String key, @Nullable Object value) {
        if (Json.isEmpty(value)) {
            remove(key);
        } else {
            put(key, value);
        }
    }

    /** Sets a member that is missing, is not a string, or is the empty string. */
    public void setIfEmpty(String key, String value) {
        if (string(key).isEmpty()) {
            put(key, value);
        }
    }

    /** Sets a member that is missing, is not an integer, or is zero. */
    public void setIfZero(String key, long value) {
        if (integer(key) == 0) {
            put(key, value);
        }
    }

    /** Sets a member to a copy of what it is in another object, or removes it when it is missing there. */
    public void copyMember(String key, JsonObject from) {
        if (from.containsKey(key)) {
            put(key, Json.copy(from.get(key)));
        } else {
            remove(key);
        }
    }

    /** Returns a deep copy, which shares no object and no array with this one. */
    public JsonObject copy() {
        JsonObject copy = new JsonObject(size());
        for (int i = 0; i < end; i += 2) {
            if (slots[i] != null) {
                copy.append((String) slots[i], Json.copy(slots[i + 1]));
            }
        }
        return copy;
    }

    /** Returns a deep copy with the keys of all objects in {@link Json#KEY_ORDER}. */
    public JsonObject sorted() {
        String[] keys = keySet().toArray(String[]::new);
        Arrays.sort(keys, Json.KEY_ORDER);
        JsonObject copy = new JsonObject(keys.length);
        for (String key : keys) {
            copy.append(key, Json.sorted(get(key)));
        }
        return copy;
    }

    /** Brings the members of this object, and of no object in it, into the order of their keys. */
    public void sort(Comparator<? super String> order) {
        Map<String, @Nullable Object> sorted = new TreeMap<>(order);
        sorted.putAll(this);
        clear();
        putAll(sorted);
    }

    /** Returns whether a value passes a test. */
    public boolean anyValue(Predicate<@Nullable Object> test) {
        for (int i = 0; i < end; i += 2) {
            if (slots[i] != null && test.test(slots[i + 1])) {
                return true;
            }
        }
        return false;
    }

    void write(JsonGenerator generator) throws IOException {
        generator.writeStartObject();
        for (int i = 0; i < end; i += 2) {
            if (slots[i] != null) {
                generator.writeFieldName((String) slots[i]);
                Json.write(generator, slots[i + 1]);
            }
        }
        generator.writeEndObject();
    }

    @Override
    public int size() {
        return end / 2 - (index == null ? 0 : index.gaps);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return find(key) >= 0;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        int at = find(key);
        return at < 0 ? null : slots[at + 1];
    }

    @Override
    public @Nullable Object put(String key, @Nullable Object value) {
        int at = find(key);
        if (at < 0) {
            append(key, value);
            return null;
        }
        Object before = slots[at + 1];
        slots[at + 1] = value;
        return before;
    }

    @Override
    public @Nullable Object remove(@Nullable Object key) {
        int at = find(key);
        if (at < 0) {
            return null;
        }
        Object before = slots[at + 1];
        removeAt(at);
        if (index != null && index.gaps > end / 4) {
            resize(Math.max(size(), SMALLEST));
        }
        return before;
    }

    @Override
    public void clear() {
        slots = EMPTY;
        end = 0;
        index = null;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super @Nullable Object> action) {
        for (int i = 0; i < end; i += 2) {
            if (slots[i] != null) {
                action.accept((String) slots[i], slots[i + 1]);
            }
        }
    }

    @Override
    public void replaceAll(
            BiFunction<? super String, ? super @Nullable Object, ? extends @Nullable Object> replacement) {
        for (int i = 0; i < end; i += 2) {
            if (slots[i] != null) {
                slots[i + 1] = replacement.apply((String) slots[i], slots[i + 1]);
            }
        }
    }

    @Override
    public Set<String> keySet() {
        return new Keys();
    }

    @Override
    public Set<Entry<String, @Nullable Object>> entrySet() {
        return new Entries();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Map<?, ?> map)
                || map.size() != size()
                || other instanceof VerbatimObject != this instanceof VerbatimObject) {
            return false;
        }
        for (int i = 0; i < end; i += 2) {
            Object key = slots[i];
            if (key != null) {
                Object theirs = map.get(key);
                if (!Objects.equals(slots[i + 1], theirs) || (theirs == null && !map.containsKey(key))) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = 0;
        for (int i = 0; i < end; i += 2) {
            if (slots[i] != null) {
                hash += slots[i].hashCode() ^ Objects.hashCode(slots[i + 1]);
            }
        }
        return hash;
    }

    /** Returns the place of a key in the array, negative when it is missing. */
    private int find(@Nullable Object key) {
        if (!(key instanceof String text)) {
            return -1;
        }
        if (index != null) {
            return index.find(text, slots);
        }
        for (int i = 0; i < end; i += 2) {
            if (text.equals(slots[i])) {
                return i;
            }
        }
        return -1;
    }

    /** Adds a member whose key is known to be missing. */
    private void append(String key, @Nullable Object value) {
        Objects.requireNonNull(key);
        if (end == slots.length) {
            resize(Math.max(2 * size(), SMALLEST));
        }
        slots[end] = key;
        slots[end + 1] = value;
        if (index != null) {
            index.add(key, end);
        }
        end += 2;
    }

    private void removeAt(int at) {
        if (index == null) {
            System.arraycopy(slots, at + 2, slots, at, end - at - 2);
            end -= 2;
            slots[end] = null;
            slots[end + 1] = null;
        } else {
            slots[at] = null;
            slots[at + 1] = null;
            index.gaps++;
        }
    }

    /** Moves the members into an array with room for some, without gaps. */
    private void resize(int members) {
        @Nullable Object[] before = slots;
        int length = end;
        slots = new Object[2 * members];
        index = members > LINEAR ? new Index(members) : null;
        end = 0;
        for (int i = 0; i < length; i += 2) {
            if (before[i] != null) {
                append((String) before[i], before[i + 1]);
            }
        }
    }

    /**
     * The places of keys in the array, as a hash table with open addressing.
     *
     * <p>Keys are hashed as polynomials over the field of 2^61 - 1, at a point that each process draws at random: two keys
     * of n characters collide with a probability of n in 2^61, however they were chosen.
     */
    private static final class Index {
        private static final long PRIME = (1L << 61) - 1;
        private static final long POINT = new java.security.SecureRandom().nextLong(1L << 32, PRIME);

        /** The low halves of the numbers of members, from 1; 0 is free. */
        private final char[] low;
        /** The high halves; null while the low ones suffice. */
        private final char @Nullable [] high;

        private int gaps;

        Index(int members) {
            int cells = Integer.highestOneBit(members - 1) << 2;
            low = new char[cells];
            high = members > Character.MAX_VALUE ? new char[cells] : null;
        }

        int find(String key, @Nullable Object[] slots) {
            int cell = cell(key);
            for (int number = number(cell); number != 0; number = number(cell)) {
                if (key.equals(slots[2 * number - 2])) {
                    return 2 * number - 2;
                }
                cell = cell + 1 & low.length - 1;
            }
            return -1;
        }

        void add(String key, int place) {
            int cell = cell(key);
            while (number(cell) != 0) {
                cell = cell + 1 & low.length - 1;
            }
            int number = place / 2 + 1;
            low[cell] = (char) number;
            if (high != null) {
                high[cell] = (char) (number >> 16);
            }
        }

        private int number(int cell) {
            return high == null ? low[cell] : low[cell] | high[cell] << 16;
        }

        private int cell(String key) {
            long hash = 1;
            for (int i = 0; i < key.length(); i++) {
                long low = hash * POINT;
                long high = Math.multiplyHigh(hash, POINT);
                long sum = (low & PRIME) + (high << 3 | low >>> 61) + key.charAt(i);
                hash = (sum & PRIME) + (sum >>> 61);
            }
            return (int) (hash ^ hash >>> 30) & low.length - 1;
        }
    }

    /** The keys or the entries. */
    private abstract class View<T> extends AbstractSet<T> {
        abstract T member(String key, @Nullable Object value);

        @Override
        public Iterator<T> iterator() {
            return new Iterator<>() {
                private int next;
                private int last = -1;

                @Override
                public boolean hasNext() {
                    while (next < end && slots[next] == null) {
                        next += 2;
                    }
                    return next < end;
                }

                @Override
                public T next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    last = next;
                    next += 2;
                    return member((String) Objects.requireNonNull(slots[last]), slots[last + 1]);
                }

                @Override
                public void remove() {
                    if (last < 0) {
                        throw new IllegalStateException();
                    }
                    removeAt(last);
                    if (index == null) {
                        next = last;
                    }
                    last = -1;
                }
            };
        }

        @Override
        public int size() {
            return JsonObject.this.size();
        }

        @Override
        public void clear() {
            JsonObject.this.clear();
        }
    }

    private final class Keys extends View<String> {
        @Override
        String member(String key, @Nullable Object value) {
            return key;
        }

        @Override
        public boolean contains(@Nullable Object key) {
            return containsKey(key);
        }

        @Override
        public boolean remove(@Nullable Object key) {
            int before = size();
            JsonObject.this.remove(key);
            return size() < before;
        }
    }

    private final class Entries extends View<Entry<String, @Nullable Object>> {
        @Override
        Entry<String, @Nullable Object> member(String key, @Nullable Object value) {
            return new Member(key, value);
        }

        @Override
        public boolean contains(@Nullable Object entry) {
            return entry instanceof Entry<?, ?> other
                    && containsKey(other.getKey())
                    && Objects.equals(get(other.getKey()), other.getValue());
        }

        @Override
        public boolean remove(@Nullable Object entry) {
            return entry instanceof Entry<?, ?> other && JsonObject.this.remove(other.getKey(), other.getValue());
        }
    }

    private final class Member extends SimpleEntry<String, @Nullable Object> {
        Member(String key, @Nullable Object value) {
            super(key, value);
        }

        @Override
        public @Nullable Object setValue(@Nullable Object value) {
            put(getKey(), value);
            return super.setValue(value);
        }
    }
}
