package dev.evenkeel.controller.cache;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of an {@link Informer}, for reading.
 *
 * <h2>The problem</h2>
 *
 * <p>Many threads read, some of them all objects; one writes, and must not wait for them. A reader must not affect what
 * other readers see. And there may be a hundred thousand objects, of which a reader wants ten.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A {@link Snapshot} has the objects and all indexes of one moment; the present one is replaced as a whole.
 *   <li>Objects that readers get never change ({@link Entry}), or are decoded for the reader alone.
 *   <li>An index finds an object by exactly the values that its function returned for the present state; by none when
 *       the function threw.
 *   <li>Reading an object or all objects of a namespace that is not listed throws an {@link IllegalArgumentException},
 *       since an empty result would be wrong. Reading from the server instead would make an unexpected network call,
 *       which may be refused; use the client for that. A list of all objects has those of all namespaces that are
 *       listed.
 * </ol>
 *
 * <h2>Concurrency and cost</h2>
 *
 * <p>Readers take no lock: they read one reference; those that visit many objects take turns, see {@link LongReads}.
 * Writers take a short one; functions of custom indexes run before
 * it. A change costs about a microsecond, and half of that for each index. An object needs its text and about 330
 * bytes, an index entry about 31. Why not maps of objects: a list would block writers, model objects need several times
 * the memory of their text, and any reader can change them.
 *
 * @param <T> class of the objects
 */
public final class Cache<T extends HasMetadata> {
    private final Object lock;
    private final BiConsumer<ObjectKey, Throwable> problems;
    private volatile Snapshot<T> present;

    /**
     * The present state of each object a second time, for reads by key: a hash finds it with two or three memory
     * accesses where the tree needs a dozen, which in a large cache is most of the cost of a read.
     */
    private final ConcurrentMap<ObjectKey, Entry<T>> byKey = new ConcurrentHashMap<>();

    /** Creates an empty cache; the lock is that of the writers, and problems are objects that an index failed for. */
    Cache(Object lock, BiConsumer<ObjectKey, Throwable> problems, Informers.Namespaces namespaces) {
        this.lock = lock;
        this.problems = problems;
        this.present = Snapshot.empty(namespaces);
    }

    Snapshot<T> snapshot() {
        return present;
    }

    /** Returns an object, decoded for the caller alone. */
    public Optional<T> find(ObjectKey key) {
        return get(key).map(Entry::object);
    }

    /** Returns an object. To read several objects of one moment use a {@link #snapshot}. */
    public Optional<Entry<T>> get(ObjectKey key) {
        Entry<T> object = at(key);
        return object == null ? present.none(key) : Optional.of(object);
    }

    /** Returns all objects, in the order of their keys. */
    public List<Entry<T>> list() {
        Snapshot<T> now = present;
        return LongReads.read(now.size(), now::list);
    }

    /** Returns the objects of a namespace. */
    public List<Entry<T>> list(String namespace) {
        return list(namespace, LabelSelector.everything());
    }

    /** Returns the selected objects of all namespaces. */
    public List<Entry<T>> list(LabelSelector labels) {
        return list("", labels);
    }

    /** Returns the selected objects; the namespace is empty for all. */
    public List<Entry<T>> list(String namespace, LabelSelector labels) {
        Snapshot<T> now = present;
        return LongReads.read(now.visitsAll(namespace, labels) ? now.size() : 0, () -> now.list(namespace, labels));
    }

    /** Returns the selected objects; see {@link Snapshot#list(ListOptions)}. */
    public List<Entry<T>> list(ListOptions selection) {
        Snapshot<T> now = present;
        boolean all = now.visitsAll(selection.namespace(), selection.labels());
        return LongReads.read(all ? now.size() : 0, () -> now.list(selection));
    }

    /**
     * Returns the objects whose names start with a prefix, in the order of their keys: a lookup in each namespace, not a
     * walk over all objects.
     *
     * @param namespace namespace of the objects; empty for all
     */
    public List<Entry<T>> startingWith(String namespace, String prefix) {
        return present.startingWith(namespace, prefix);
    }

    /** Returns all objects, in the order of their keys. */
    public Stream<Entry<T>> stream() {
        return list().stream();
    }

    /** Returns the objects that an index finds by a value; see {@link Snapshot#by(Index, Comparable)}. */
    public <V extends Comparable<? super V>> List<Entry<T>> by(Index<T, V> index, V value) {
        return present.by(index, value);
    }

    /** Returns the objects that an index finds by values with a prefix; see {@link Snapshot#byPrefix}. */
    public List<Entry<T>> byPrefix(Index<T, String> index, String prefix) {
        return present.byPrefix(index, prefix);
    }

    /** Returns the number of objects. */
    public int size() {
        return present.size();
    }

    /** Returns the approximate memory of the objects in bytes. */
    public long bytes() {
        return present.bytes();
    }

    /** Declares an index, at any time; it is complete when this returns. Has no effect when it is declared already. */
    public void index(Index<T, ?> index) {
        IdentityHashMap<Entry<T>, List<?>> found = new IdentityHashMap<>();
        while (!indexed(index, found)) {
            // foreign code runs without the lock; states that arrive meanwhile are indexed in another round
            for (Entry<T> object : present.list()) {
                if (!found.containsKey(object)) {
                    found.put(object, values(index, object));
                }
            }
        }
    }

    private boolean indexed(Index<T, ?> index, IdentityHashMap<Entry<T>, List<?>> found) {
        synchronized (lock) {
            Snapshot<T> before = present;
            if (before.has(index)) {
                return true;
            }
            List<Entry<T>> all = before.list();
            if (index.custom()) {
                List<Entry<T>> valued = new ArrayList<>(all.size());
                for (Entry<T> object : all) {
                    List<?> values = found.get(object);
                    if (values == null) {
                        return false;
                    }
                    valued.add(object.with(appended(object.values(), List.of(values))));
                }
                all = valued;
                valued.forEach(object -> byKey.put(object.key(), object));
            }
            present = before.indexed(index, all);
            return true;
        }
    }

    private static Object[] appended(Object[] values, List<?> more) {
        Object[] all = Arrays.copyOf(values, values.length + more.size());
        System.arraycopy(more.toArray(), 0, all, values.length, more.size());
        return all;
    }

    // an index that fails for an object must not keep the other objects out of the cache
    @SuppressWarnings("CatchThrowable")
    private List<?> values(Index<T, ?> index, Entry<T> object) {
        try {
            return index.values(object);
        } catch (Throwable e) {
            problems.accept(object.key(), e);
            return List.of();
        }
    }

    /** Returns a state with the values of the custom indexes. Runs foreign code: not to be called with the lock. */
    Entry<T> prepared(Entry<T> object) {
        List<Index<T, ?>> custom = present.slots() == 0 ? List.of() : present.custom();
        if (object.values().length >= custom.size()) {
            return object;
        }
        List<Object> values = new ArrayList<>();
        for (int i = object.values().length; i < custom.size(); i++) {
            values.add(values(custom.get(i), object));
        }
        return object.with(appended(object.values(), values));
    }

    /** Returns whether a state has the values of all custom indexes. With the lock. */
    boolean isPrepared(Entry<T> object) {
        return object.values().length == present.slots();
    }

    /** Returns the state at a key; null when there is none. */
    @Nullable
    Entry<T> at(ObjectKey key) {
        return byKey.get(key);
    }

    /** Replaces a state. With the lock. */
    void replace(@Nullable Entry<T> before, @Nullable Entry<T> after) {
        present = present.replaced(before, after);
        if (after != null) {
            Entry<T> unused = byKey.put(after.key(), after);
        } else if (before != null) {
            Entry<T> unused = byKey.remove(before.key());
        }
    }

    /**
     * A state of an object, as a cache keeps it: its text, and its most used fields. It is immutable and may be kept;
     * reading metadata costs nothing, {@link #object} decodes.
     */
    public static final class Entry<T extends HasMetadata> {
        /**
         * The approximate memory of a state in addition to its text: this, the key, uid and version, its entries in
         * tree and map.
         */
        private static final int OVERHEAD = 56 + 24 + 2 * 56 + 80 + 8 + 48;

        static final Object[] NO_VALUES = {};

        private final Source<T> source;
        private final ObjectKey key;
        private final String uid;
        private final String resourceVersion;
        private final long generation;
        private final Labels labels;
        private final List<Encoded.Header.Owner> owners;
        private final boolean deleted;
        private final byte[] json;

        /** The values of the custom indexes of the cache, in their order. */
        private final Object[] values;

        Entry(
                Source<T> source,
                ObjectKey key,
                String uid,
                String resourceVersion,
                long generation,
                Labels labels,
                List<Encoded.Header.Owner> owners,
                boolean deleted,
                byte[] json,
                Object[] values) {
            this.source = source;
            this.key = key;
            this.uid = uid;
            this.resourceVersion = resourceVersion;
            this.generation = generation;
            this.labels = labels;
            this.owners = owners;
            this.deleted = deleted;
            this.json = json;
            this.values = values;
        }

        /** The common data of all states of a cache. */
        record Source<T extends HasMetadata>(
                Class<T> type, Projection projection, Interner<String> strings, Interner<Labels> labels) {
            Source(Class<T> type, Projection projection) {
                this(type, projection, new Interner<>(), new Interner<>());
            }

            Source<T> with(Projection other) {
                return new Source<>(type, other, strings, labels);
            }

            /**
             * Returns a state with this text.
             *
             * @throws IllegalArgumentException when it is not an object with a name
             */
            Entry<T> read(HasMetadata object) {
                byte[] json = ModelCodec.encode(object);
                Encoded.Header header = object instanceof Encoded encoded ? encoded.header() : Encoded.Header.of(json);
                if (header.key().name().isEmpty()) {
                    throw new IllegalArgumentException("metadata.name: missing, so this is not an object");
                }
                ObjectKey key = header.key();
                return new Entry<>(
                        this,
                        new ObjectKey(strings.intern(key.namespace()), key.name()),
                        header.uid(),
                        header.resourceVersion(),
                        header.generation(),
                        labels.intern(Labels.of(header.labels(), strings)),
                        header.owners(),
                        header.deleted(),
                        projection.of(json),
                        NO_VALUES);
            }
        }

        Entry<T> with(Object[] newValues) {
            return new Entry<>(source, key, uid, resourceVersion, generation, labels, owners, deleted, json, newValues);
        }

        Object[] values() {
            return values;
        }

        /** Returns the key. */
        public ObjectKey key() {
            return key;
        }

        /** Returns the uid, which distinguishes objects that had the same key. */
        public String uid() {
            return uid;
        }

        /** Returns the resource version of this state. */
        public String resourceVersion() {
            return resourceVersion;
        }

        /** Returns the generation, which counts changes of the desired state; 0 when the kind does not count them. */
        public long generation() {
            return generation;
        }

        /** Returns the labels, sorted by key; unmodifiable. */
        public Map<String, String> labels() {
            return labels;
        }

        /** Returns the value of a label. */
        public Optional<String> label(String name) {
            return Optional.ofNullable(labels.get(name));
        }

        /** Returns the value of an annotation, which is looked up in the text. */
        public Optional<String> annotation(String name) {
            return Optional.ofNullable(annotations().get(name));
        }

        /** Returns the annotations, read from the text at each call; unmodifiable. */
        public Map<String, String> annotations() {
            return Encoded.Header.of(json).annotations();
        }

        /** Returns the owner references. */
        public List<Encoded.Header.Owner> owners() {
            return owners;
        }

        /** Returns the owner that manages it; empty when there is none. */
        public Optional<Encoded.Header.Owner> controller() {
            for (Encoded.Header.Owner owner : owners) {
                if (owner.controller()) {
                    return Optional.of(owner);
                }
            }
            return Optional.empty();
        }

        /** Returns whether it is marked for deletion. */
        public boolean deleted() {
            return deleted;
        }

        /** Returns whether the selector matches its labels. */
        public boolean matches(LabelSelector selector) {
            return selector.matches(labels);
        }

        /**
         * Returns the object, decoded for the caller alone.
         *
         * @throws IllegalArgumentException when it does not fit the class; the message names the object and field
         */
        public T object() {
            return object(source.type());
        }

        /** Returns the object decoded to another class; see {@link #object()}. */
        public <O extends HasMetadata> O object(Class<O> type) {
            try {
                return ModelCodec.decode(json, type);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
            }
        }

        /** Returns the object as its text, which is shared and must not be changed. */
        public Encoded encoded() {
            return Encoded.of(json);
        }

        int bytes() {
            return json.length + OVERHEAD;
        }

        /** Returns the version as a number; -1 when it is not one. */
        long version() {
            return version(resourceVersion);
        }

        static long version(@Nullable String text) {
            if (text == null || text.isEmpty() || text.length() > 18) {
                return -1;
            }
            long number = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c < '0' || c > '9') {
                    return -1;
                }
                number = number * 10 + (c - '0');
            }
            return number;
        }

        @Override
        public String toString() {
            return key + "@" + resourceVersion;
        }
    }
}
