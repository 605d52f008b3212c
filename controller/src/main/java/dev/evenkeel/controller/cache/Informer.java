package dev.evenkeel.controller.cache;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows all objects of a kind, keeps them in a {@link Cache}, and reports changes to handlers.
 *
 * <p>It consists of three parts: a {@link Reflector} lists and watches, a {@link Replica} merges its results and this
 * process's own writes into one sequence of states, and a {@link Subscription} for each handler reports changes at the
 * handler's pace. Of several {@link Informers.Namespaces} each has a reflector and a replica of its own, for one cache.
 * Invariants:
 *
 * <ol>
 *   <li>An object that cannot be read is reported and left out; it does not affect other objects.
 *   <li>A list or an event of one namespace changes only that namespace in the cache. The first list is complete when
 *       that of each namespace is.
 *   <li>A change is reported to handlers after the cache shows it.
 *   <li>No foreign code runs while a lock is held.
 * </ol>
 *
 * @param <T> class of the objects
 */
public final class Informer<T extends HasMetadata> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    /** The number of attempts to read a key after it was written. */
    private static final int READS = 8;

    private static final Pattern NAMESPACE = Pattern.compile("\"namespace\"\\s*:\\s*\"([^\"]*)\"");
    private static final Pattern NAME = Pattern.compile("\"name\"\\s*:\\s*\"([^\"]*)\"");

    /** A caller that waits for an event of the watch. */
    private record Waiter<T extends HasMetadata>(
            ObjectKey key, Predicate<Cache.@Nullable Entry<T>> awaited, CompletableFuture<Void> seen) {}

    private final Kind<T> kind;
    private final ListOptions selection;
    private final Scheduler scheduler;
    private final InformerOptions options;
    private final Client client;
    private final Object lock = new Object();
    private final Cache<T> cache;

    /** The sections that are listed and watched separately, by namespace; one without namespace follows everything. */
    private final SequencedMap<String, Section<?>> sections = new LinkedHashMap<>();

    private final List<Subscription<T>> registrations = new CopyOnWriteArrayList<>();
    private final List<Waiter<T>> waiters = new CopyOnWriteArrayList<>();
    private final AtomicLong problems = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    private volatile Cache.Entry.Source<T> source;
    private volatile CompletableFuture<Void> synced = new CompletableFuture<>();
    private boolean listedOnce;
    private boolean closed;

    /**
     * Creates an informer, not yet started.
     *
     * @param selection selected objects; only its namespace and selectors count
     */
    public Informer(Client client, Kind<T> kind, ListOptions selection, Scheduler scheduler, InformerOptions options) {
        this(client, kind, selection, Informers.Namespaces.ALL, scheduler, options);
    }

    /**
     * Creates an informer, not yet started.
     *
     * @param selection selected objects; only its namespace, which is one of these, and its selectors count
     * @param namespaces namespaces to follow when the selection has none, and that may be read
     */
    Informer(
            Client client,
            Kind<T> kind,
            ListOptions selection,
            Informers.Namespaces namespaces,
            Scheduler scheduler,
            InformerOptions options) {
        this.client = client;
        this.kind = kind;
        this.selection = selection;
        this.scheduler = scheduler;
        this.options = options;
        this.source = new Cache.Entry.Source<>(kind.javaType(), options.projection());
        this.cache = new Cache<>(lock, this::problem, namespaces);
        Kind<?> as = kind.javaType() == PartialObjectMetadata.class ? kind : kind.encoded();
        for (ListOptions part : namespaces.within(selection)) {
            sections.put(part.namespace(), new Section<>(as, part));
        }
    }

    /** Starts listing and watching; returns at once. */
    public void start() {
        sections.values().forEach(section -> section.reflector.start());
    }

    /** Returns the kind of the objects. */
    public Kind<T> kind() {
        return kind;
    }

    /** Returns the selection of the objects; without a namespace, those of all namespaces of its manager. */
    public ListOptions selection() {
        return selection;
    }

    /** Returns the cache of the objects. */
    public Cache<T> cache() {
        return cache;
    }

    /** Completes when the first list is in the cache. Handlers have their own: {@link Registration#synced}. */
    public CompletableFuture<Void> synced() {
        return synced.copy();
    }

    /**
     * Returns the missing first lists, for display: the kind, such as {@code pods}, or with several namespaces
     * {@code pods in web}.
     */
    public List<String> unsynced() {
        synchronized (lock) {
            return sections.values().stream()
                    .filter(section -> !section.complete())
                    .map(section -> section.reflector.followed)
                    .toList();
        }
    }

    /** Adds a handler; see {@link #handle(HandlerOptions, Handler)}. */
    public Registration handle(String name, Handler<T> handler) {
        return handle(HandlerOptions.named(name), handler);
    }

    /**
     * Adds a handler, at any time: existing objects are reported to it first. A handler that is added twice receives
     * everything twice.
     *
     * @throws IllegalStateException when the informer is closed
     */
    public Registration handle(HandlerOptions<T> handlerOptions, Handler<T> handler) {
        Subscription<T> registration = new Subscription<>(
                handlerOptions, handler, scheduler, this::problem, this::remind, registrations::remove);
        synchronized (lock) {
            if (closed) {
                registration.close(); // else its reminder would go on
                throw new IllegalStateException("the informer of " + kind.id() + " is closed: create a new one");
            }
            cache.snapshot().list().forEach(object -> registration.moved(null, null, object, true, false));
            registrations.add(registration);
            if (listedOnce) {
                registration.complete();
            }
        }
        return registration;
    }

    private void remind(Subscription<T> registration) {
        synchronized (lock) {
            cache.snapshot().list().forEach(registration::resync);
        }
    }

    /** Returns statistics. */
    public Statistics figures() {
        Snapshot<T> present = cache.snapshot();
        Stream<Duration> quiet = sections.values().stream().map(section -> section.reflector.quiet());
        return new Statistics(
                synced.isDone(),
                present.size(),
                present.bytes(),
                quiet.max(Comparator.naturalOrder()).orElse(Duration.ZERO),
                sum(section -> section.reflector.relists()),
                sum(section -> section.reflector.restarts()),
                failures.get(),
                problems.get(),
                (int) sum(section -> section.replica.ahead()));
    }

    private long sum(ToLongFunction<Section<?>> figure) {
        return sections.values().stream().mapToLong(figure).sum();
    }

    /** Returns the number of objects that could not be read, indexed or handled. */
    public long problems() {
        return problems.get();
    }

    /** Ends the watch and the handlers; the cache stays as it is. Returns at once. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
        }
        sections.values().forEach(section -> section.reflector.stop());
        registrations.forEach(Subscription::close);
    }

    /** Completes when it was closed, and its running calls have returned. */
    public CompletableFuture<Void> ended() {
        return CompletableFuture.allOf(sections.values().stream()
                .map(section -> section.reflector.ended())
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Keeps these fields in addition. {@link #synced} is then that of the list that delivers them. */
    void widen(Projection more) {
        synchronized (lock) {
            if (source.projection().covers(more)) {
                return;
            }
            source = source.with(source.projection().union(more));
            if (synced.isDone()) {
                synced = new CompletableFuture<>();
            }
        }
        sections.values().forEach(section -> section.reflector.relist());
    }

    private void problem(ObjectKey key, Throwable problem) {
        problems.incrementAndGet();
        var warning = LOG.atWarn().addKeyValue("kind", kind.id()).addKeyValue("object", key);
        warning.setCause(problem).log("an object could not be read, indexed or handled");
    }

    private void moved(
            Cache.@Nullable Entry<T> before,
            Cache.@Nullable Entry<T> last,
            Cache.@Nullable Entry<T> after,
            boolean initial,
            boolean unknown) {
        registrations.forEach(each -> each.moved(before, last, after, initial, unknown));
    }

    /** A part that is listed and watched separately: a reflector, and the replica that receives its results. */
    private final class Section<O extends HasMetadata> implements Reflector.Sink<O> {
        final Replica<T> replica;
        final Reflector<O> reflector;
        private Cache.Entry.Source<T> listedInto = source;

        /** The fields kept of the objects of the last complete list. With the lock. */
        private @Nullable Projection listed;

        Section(Kind<O> as, ListOptions part) {
            replica = new Replica<>(cache, lock, part, Informer.this::moved);
            reflector = new Reflector<>(client, as, part, scheduler, options, this);
        }

        @Override
        public void listBegins(long turn, boolean latest) {
            listedInto = source;
            replica.listBegins(turn, latest);
        }

        @Override
        public void listed(long turn, O object) {
            Cache.Entry<T> read = read(object);
            if (read != null) {
                replica.listed(turn, read);
                delivered(read.key(), read);
            }
        }

        @Override
        public void unlisted(long turn, O object, String version) {
            Cache.Entry<T> read = read(object);
            if (read != null) {
                replica.unlisted(turn, read.key(), read.uid(), read, Cache.Entry.version(version));
            }
        }

        @Override
        public void listEnds(long turn, String version) {
            if (!replica.listEnds(turn, version)) {
                return;
            }
            CompletableFuture<Void> done = null;
            synchronized (lock) {
                listed = listedInto.projection();
                if (all(section -> section.listed != null)) {
                    listedOnce = true;
                    registrations.forEach(Subscription::complete);
                }
                if (all(Section::complete)) {
                    done = synced;
                }
            }
            if (done != null) {
                done.complete(null);
            }
        }

        /** Returns whether there is a complete list, with all fields that are to be kept. With the lock. */
        boolean complete() {
            return Objects.equals(listed, source.projection());
        }

        private boolean all(Predicate<Section<?>> condition) {
            return sections.values().stream().allMatch(condition);
        }

        @Override
        public void watchBegins(long turn) {
            replica.watchBegins(turn);
        }

        @Override
        public void event(long turn, Watch.Event<O> event) {
            Cache.Entry<T> read = event.type() == Watch.Type.BOOKMARK ? null : read(event.object());
            if (read == null) {
                replica.reached(turn, event.resourceVersion());
            } else if (event.type() == Watch.Type.DELETED) {
                replica.deleted(turn, read.key(), read.uid(), read, event.resourceVersion());
                delivered(read.key(), null);
            } else {
                replica.changed(turn, read, event.resourceVersion());
                delivered(read.key(), read);
            }
        }

        @Override
        public void failed(RuntimeException failure) {
            failures.incrementAndGet();
        }
    }

    private Cache.@Nullable Entry<T> read(HasMetadata object) {
        try {
            return source.read(object);
        } catch (RuntimeException e) {
            problem(guessed(object), e);
            return null;
        }
    }

    /** Returns the presumable key of an unreadable object, for display. */
    private static ObjectKey guessed(HasMetadata object) {
        String text = String.valueOf(object);
        int metadata = Math.max(0, text.indexOf("\"metadata\""));
        return new ObjectKey(guessed(text, metadata, NAMESPACE), guessed(text, metadata, NAME));
    }

    private static String guessed(String text, int from, Pattern field) {
        Matcher found = field.matcher(text);
        return found.find(from) ? found.group(1) : "?";
    }

    private void delivered(ObjectKey key, Cache.@Nullable Entry<T> object) {
        for (Waiter<T> waiter : waiters) { // each is removed by who waits
            if (waiter.key().equals(key) && waiter.awaited().test(object)) {
                waiter.seen().complete(null);
            }
        }
    }

    // ---- this process's own writes, see ObservingClient

    private @Nullable Section<?> section(ObjectKey key) {
        Section<?> everything = sections.get("");
        return everything == null ? sections.get(key.namespace()) : everything;
    }

    /** Returns whether a key is in a followed namespace. Only own writes in these are reported to this informer. */
    boolean concerns(ObjectKey key) {
        return section(key) != null;
    }

    private Replica<T> replica(ObjectKey key) {
        Section<?> section = section(key);
        if (section == null) {
            throw new IllegalArgumentException(key + " is in none of the namespaces " + sections.keySet());
        }
        return section.replica;
    }

    String uid(ObjectKey key) {
        Section<?> section = section(key);
        return section == null ? "" : section.replica.uid(key);
    }

    /** Reports a write that was answered with this state. */
    void written(HasMetadata object) throws InterruptedException {
        Cache.Entry<T> read = readOwn(object);
        if (read != null && replica(read.key()).written(read) == Replica.Verdict.WAIT) {
            await(read.key(), seen -> seen != null && seen.resourceVersion().equals(read.resourceVersion()));
        }
    }

    /** Reports a delete that was answered: the object does not exist any more. */
    void gone(ObjectKey key, String uidBefore, String uid) throws InterruptedException {
        if (replica(key).gone(key, uidBefore, uid) == Replica.Verdict.READ) {
            readAgain(key);
        }
    }

    /** Reports the deletion of this object. */
    void gone(HasMetadata known) throws InterruptedException {
        Cache.Entry<T> read = readOwn(known);
        if (read != null && replica(read.key()).gone(read) == Replica.Verdict.READ) {
            readAgain(read.key());
        }
    }

    private Cache.@Nullable Entry<T> readOwn(HasMetadata object) {
        boolean fits = kind.javaType() != PartialObjectMetadata.class || object instanceof PartialObjectMetadata;
        try {
            return read(fits ? object : ModelCodec.convert(object, PartialObjectMetadata.class));
        } catch (RuntimeException e) {
            problem(guessed(object), e);
            return null;
        }
    }

    /**
     * Reads a key as a list of one, which has a version even if the object does not exist. A failed read is repeated
     * for {@link InformerOptions#ownWriteWait}; after that the caller continues, and the cache may be older than the
     * write until the watch delivers it.
     */
    void readAgain(ObjectKey key) throws InterruptedException {
        long end = scheduler.nanoTime() + options.ownWriteWait().toNanos();
        Duration pause = options.ownWriteWait().dividedBy(READS);
        FieldSelector name = FieldSelector.equal("metadata.name", key.name());
        ListOptions one = ListOptions.in(key.namespace()).fields(name);
        while (true) {
            Listing<Encoded> found;
            try {
                found = client.list(kind.in(Encoded.class), one);
            } catch (RuntimeException e) {
                failures.incrementAndGet();
                if (scheduler.nanoTime() + pause.toNanos() > end) {
                    String text =
                            "could not be read after a write; the cache may be older until the watch delivers it: {}";
                    String cause = String.valueOf(e.getMessage());
                    var warning = LOG.atWarn().addKeyValue("kind", kind.id()).addKeyValue("object", key);
                    warning.log(text, cause);
                    return;
                }
                boolean unused = scheduler.await(new CompletableFuture<>(), pause);
                continue;
            }
            readAgain(key, found);
            return;
        }
    }

    private void readAgain(ObjectKey key, Listing<Encoded> found) throws InterruptedException {
        for (Encoded object : found.items()) {
            if (object.header().key().equals(key)) {
                written(object);
                return;
            }
        }
        if (replica(key).absent(key, found.resourceVersion()) == Replica.Verdict.WAIT) {
            await(key, seen -> seen == null);
        }
    }

    private void await(ObjectKey key, Predicate<Cache.@Nullable Entry<T>> awaited) throws InterruptedException {
        Waiter<T> waiter = new Waiter<>(key, awaited, new CompletableFuture<>());
        waiters.add(waiter);
        try {
            if (!awaited.test(cache.at(key))) {
                boolean unused = scheduler.await(waiter.seen(), options.ownWriteWait());
            }
        } finally {
            waiters.remove(waiter);
        }
    }

    /**
     * A change of an object of an {@link Informer}, as reported to one handler. A handler sees some of the states of
     * each object, in their order, ending with the present one; an object that was deleted and created again is
     * reported as both.
     */
    public sealed interface Change<T extends HasMetadata> {
        /** Returns the object, or its last known state. */
        Cache.Entry<T> object();

        /** Returns the key of the object. */
        default ObjectKey key() {
            return object().key();
        }

        /**
         * An object that is new to the handler.
         *
         * @param initial true when the object existed before the handler or the informer was started
         */
        record Added<T extends HasMetadata>(Cache.Entry<T> object, boolean initial) implements Change<T> {}

        /**
         * An object that was modified.
         *
         * @param before the state that was last reported
         */
        record Updated<T extends HasMetadata>(Cache.Entry<T> before, Cache.Entry<T> object) implements Change<T> {}

        /**
         * An object that was deleted.
         *
         * @param object its last state, or the last known one
         * @param finalStateUnknown true when the object may have changed before its deletion: the watch had a gap, or
         *     this process deleted it
         */
        record Deleted<T extends HasMetadata>(Cache.Entry<T> object, boolean finalStateUnknown) implements Change<T> {}

        /** A periodic report of an object that did not change. */
        record Resync<T extends HasMetadata>(Cache.Entry<T> object) implements Change<T> {}
    }

    /**
     * Receives the changes of the objects of an {@link Informer}, one at a time. A slow handler delays no other
     * handler: further changes of the same object are merged meanwhile. A change counts as reported even if the handler
     * throws.
     */
    @FunctionalInterface
    public interface Handler<T extends HasMetadata> {
        /** Handles one change. */
        void changed(Informer.Change<T> change);
    }

    /**
     * The options of a handler.
     *
     * @param resyncInterval the interval at which all objects are reported again; zero for never
     * @param predicate selects states: an object that starts to match is reported as added, one that stops matching as
     *     deleted. Must always return the same for the same state
     */
    public record HandlerOptions<T extends HasMetadata>(
            String name, Duration resyncInterval, Predicate<Cache.Entry<T>> predicate) {
        /** Refuses a negative resync interval. */
        public HandlerOptions {
            if (resyncInterval.isNegative()) {
                throw new IllegalArgumentException(
                        "resyncInterval must not be negative: " + resyncInterval + "; zero means never");
            }
        }

        /** Returns options for all changes, without resync. */
        public static <T extends HasMetadata> HandlerOptions<T> named(String name) {
            return new HandlerOptions<>(name, Duration.ZERO, object -> true);
        }

        /** Returns a copy with the given resync interval. */
        public HandlerOptions<T> resyncInterval(Duration value) {
            return new HandlerOptions<>(name, value, predicate);
        }

        /** Returns a copy with the given filter. */
        public HandlerOptions<T> predicate(Predicate<Cache.Entry<T>> value) {
            return new HandlerOptions<>(name, resyncInterval, value);
        }
    }

    /**
     * Statistics of an {@link Informer}.
     *
     * @param synced true when the first list is in the cache
     * @param bytes their approximate size
     * @param quiet the time since the server last sent anything, bookmarks included; of several namespaces, the longest
     * @param relists the number of lists after the first
     * @param watchRestarts the number of watches after the first
     * @param failures the number of failed lists and watches
     * @param problems the number of objects that could not be read, indexed or handled
     * @param ahead the number of keys whose writes by this process the watch has not delivered yet
     */
    public record Statistics(
            boolean synced,
            int objects,
            long bytes,
            Duration quiet,
            long relists,
            long watchRestarts,
            long failures,
            long problems,
            int ahead) {}

    /** A handler at an informer. */
    public interface Registration extends AutoCloseable {
        /** Completes when the handler has returned from all that existed when it was added. */
        CompletableFuture<Void> synced();

        /** Returns the number of changes that the handler has not received yet. */
        int pending();

        /** Removes the handler; it receives nothing more. {@link #removed} completes when it has returned. */
        @Override
        void close();

        /** Completes when the handler was removed and has returned. The handler itself must not wait for it. */
        CompletableFuture<Void> removed();
    }
}
