package dev.evenkeel.controller.cache;

import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of an {@link Informer}, for reading.
 *
 * <h2>The problem</h2>
 *
 * <p>Many read, some of them all objects; one writes, and must not wait for them. No reader may spoil what others read.
 * And there may be a hundred thousand objects, of which a reader wants ten.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A {@link Snapshot} is the objects and all indexes of one moment; the present one is replaced as a whole.
 *   <li>What readers get never changes ({@link Cached}), or is decoded for them alone.
 *   <li>An index finds an object by exactly the values that its function gave for the present state; by none when the
 *       function threw.
 *   <li>Of a namespace that is not listed nothing is answered: asked for one of its objects or all of them, it throws an
 *       {@link IllegalArgumentException}. "There is none" would be a lie. To ask the server instead would make a network
 *       call, which may be refused, of what nobody expects to be one; who wants that asks the client. All objects are
 *       those of all namespaces that are listed.
 * </ol>
 *
 * <h2>Concurrency and cost</h2>
 *
 * <p>Readers take no lock: they read one reference. Writers take a short one; functions of custom indexes run before it.
 * A change costs about a microsecond, and half of that for each index. An object needs its text and about 330 bytes, an
 * index entry about 31. Why not maps of objects: who lists them holds up who writes, model objects need several times
 * their text, and can be changed by whoever gets them.
 *
 * @param <T> class of the objects
 */
public final class Cache<T extends HasMetadata> {
    private final ReentrantLock lock;
    private final BiConsumer<ObjectKey, Throwable> problems;
    private volatile Snapshot<T> present;

    /**
     * The present state of each object once more, for those who ask for one: a hash finds it with two or three looks at
     * memory where the tree needs a dozen, which in a large cache is most of what a read costs.
     */
    private final ConcurrentMap<ObjectKey, Cached<T>> byKey = new ConcurrentHashMap<>();

    /**
     * A cache.
     *
     * @param lock of those who write
     * @param problems hears which object an index could not deal with
     * @param namespaces whose objects it will have
     */
    Cache(ReentrantLock lock, BiConsumer<ObjectKey, Throwable> problems, Namespaces namespaces) {
        this.lock = lock;
        this.problems = problems;
        this.present = Snapshot.empty(namespaces);
    }

    /** What it holds now. */
    public Snapshot<T> snapshot() {
        return present;
    }

    /** An object, decoded: the caller's own. */
    public Optional<T> find(ObjectKey key) {
        return get(key).map(Cached::object);
    }

    /** An object. Who reads several that belong together takes a {@link #snapshot}. */
    public Optional<Cached<T>> get(ObjectKey key) {
        Cached<T> object = at(key);
        return object == null ? present.none(key) : Optional.of(object);
    }

    /** All objects, in the order of their keys. */
    public List<Cached<T>> list() {
        return present.list();
    }

    /** The objects of a namespace. */
    public List<Cached<T>> list(String namespace) {
        return present.list(namespace);
    }

    /** The selected objects of all namespaces. */
    public List<Cached<T>> list(LabelSelector labels) {
        return present.list(labels);
    }

    /** The selected objects; the namespace is empty for all. */
    public List<Cached<T>> list(String namespace, LabelSelector labels) {
        return present.list(namespace, labels);
    }

    /** The selected objects; see {@link Snapshot#list(ListOptions)}. */
    public List<Cached<T>> list(ListOptions selection) {
        return present.list(selection);
    }

    /** All objects, in the order of their keys. */
    public Stream<Cached<T>> stream() {
        return present.stream();
    }

    /** The objects that an index finds by a value; see {@link Snapshot#by(Index, Comparable)}. */
    public <V extends Comparable<? super V>> List<Cached<T>> by(Index<T, V> index, V value) {
        return present.by(index, value);
    }

    /** How many objects there are. */
    public int size() {
        return present.size();
    }

    /** About how much memory the objects need, in bytes. */
    public long bytes() {
        return present.bytes();
    }

    /** Declares an index, at any time; it has what is there when this returns. Nothing happens when it is declared. */
    public void index(Index<T, ?> index) {
        IdentityHashMap<Cached<T>, List<?>> found = new IdentityHashMap<>();
        while (!indexed(index, found)) {
            // the function is somebody else's code, so it runs without the lock; what came meanwhile is another round
            for (Cached<T> object : present.list()) {
                if (!found.containsKey(object)) {
                    found.put(object, values(index, object));
                }
            }
        }
    }

    private boolean indexed(Index<T, ?> index, IdentityHashMap<Cached<T>, List<?>> found) {
        lock.lock();
        try {
            Snapshot<T> before = present;
            if (before.has(index)) {
                return true;
            }
            List<Cached<T>> all = before.list();
            if (index.custom()) {
                List<Cached<T>> valued = new ArrayList<>(all.size());
                for (Cached<T> object : all) {
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
        } finally {
            lock.unlock();
        }
    }

    private static Object[] appended(Object[] values, List<?> more) {
        Object[] all = java.util.Arrays.copyOf(values, values.length + more.size());
        for (int i = 0; i < more.size(); i++) {
            all[values.length + i] = more.get(i);
        }
        return all;
    }

    // an index that fails for an object must not keep the cache from having the others
    @SuppressWarnings("CatchThrowable")
    private List<?> values(Index<T, ?> index, Cached<T> object) {
        try {
            return index.values(object);
        } catch (Throwable e) {
            problems.accept(object.key(), e);
            return List.of();
        }
    }

    /** A state with what the custom indexes say of it. Runs their code: not to be called with the lock. */
    Cached<T> prepared(Cached<T> object) {
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

    /** Whether a state has what all custom indexes say of it. With the lock. */
    boolean isPrepared(Cached<T> object) {
        return object.values().length == present.slots();
    }

    /** The state at a key; null when there is none. */
    @Nullable
    Cached<T> at(ObjectKey key) {
        return byKey.get(key);
    }

    /** Replaces a state. With the lock. */
    void replace(@Nullable Cached<T> before, @Nullable Cached<T> after) {
        present = present.replaced(before, after);
        if (after != null) {
            Cached<T> unused = byKey.put(after.key(), after);
        } else if (before != null) {
            Cached<T> unused = byKey.remove(before.key());
        }
    }
}
