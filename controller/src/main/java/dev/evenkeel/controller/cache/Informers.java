package dev.evenkeel.controller.cache;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.internal.DnsNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * The shared informers of a process: one for each kind and selection.
 *
 * <p>A user {@linkplain #acquire acquires} an informer, at any time, and closes the lease when done; closing the last
 * lease ends the watch and frees the memory. Reading never starts an informer. Writes by {@link #client()} are visible
 * in these informers at once.
 *
 * <p>Invariants: an informer is in the pool while it has leases, and only then; it keeps the fields that any of its
 * leases requested.
 */
public final class Informers implements AutoCloseable {
    private record Wanted(Kind<?> kind, String namespace, LabelSelector labels, FieldSelector fields) {}

    private static final class Shared {
        final Informer<?> informer;
        int leases;

        Shared(Informer<?> informer) {
            this.informer = informer;
        }
    }

    private final Client source;
    private final Scheduler scheduler;
    private final InformerOptions options;
    private final Namespaces namespaces;
    private final ObservingClient observing;
    private final Map<Wanted, Shared> pool = new LinkedHashMap<>();
    private boolean started = true;
    private boolean closed;
    private volatile List<Informer<?>> informers = List.of();

    /** Creates a pool whose informers read from a client, and start when they are acquired. */
    public Informers(Client client, Scheduler scheduler, InformerOptions options) {
        this(client, client, Namespaces.ALL, scheduler, options);
    }

    /**
     * Creates a pool whose informers read from another client than the one for writes: one that shows the same objects,
     * but perhaps not all of them.
     *
     * @param namespaces namespaces that are listed and watched
     */
    public Informers(
            Client client, Client source, Namespaces namespaces, Scheduler scheduler, InformerOptions options) {
        this.source = source;
        this.namespaces = namespaces;
        this.scheduler = scheduler;
        this.options = options;
        this.observing = new ObservingClient(client, () -> informers);
    }

    /**
     * Returns the client for writes: the caches of this pool never show a state older than its answered writes. Its
     * reads are those of the underlying client.
     */
    public Client client() {
        return observing;
    }

    /** Returns the namespaces that are listed and watched. */
    public Namespaces namespaces() {
        return namespaces;
    }

    /** Acquires the informer of a kind, with all its objects and the fields of the pool's options. */
    public <T extends HasMetadata> Lease<T> acquire(Kind<T> kind) {
        return acquire(kind, ListOptions.ALL, options.projection());
    }

    /**
     * Acquires an informer; returns at once.
     *
     * @param selection selected objects: its namespace and selectors count
     * @param projection fields that are needed at least
     * @throws IllegalArgumentException when the selection's namespace is none of the pool's
     * @throws IllegalStateException when the pool is closed
     */
    @SuppressWarnings("unchecked") // the kind is part of the key
    public <T extends HasMetadata> Lease<T> acquire(Kind<T> kind, ListOptions selection, Projection projection) {
        Namespaces its = namespaces.of(kind);
        if (!selection.namespace().isEmpty()) {
            its.require(selection.namespace(), "selection of " + kind.id(), "select in one of these");
        }
        List<ListOptions> parts = its.within(selection);
        ListOptions followed = parts.size() == 1 ? parts.getFirst() : selection;
        Wanted wanted = new Wanted(kind, followed.namespace(), followed.labels(), followed.fields());
        Shared shared;
        boolean start;
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("the informers are closed: create new ones for " + kind.id());
            }
            shared = pool.computeIfAbsent(
                    wanted,
                    absent -> new Shared(
                            new Informer<>(source, kind, followed, its, scheduler, options.projection(projection))));
            shared.leases++;
            publish();
            start = started;
        }
        Informer<T> informer = (Informer<T>) shared.informer;
        informer.widen(projection);
        if (start) {
            informer.start();
        }
        return new Lease<>(informer, () -> release(wanted, shared));
    }

    private void release(Wanted wanted, Shared shared) {
        synchronized (this) {
            shared.leases--;
            if (shared.leases > 0) {
                return;
            }
            pool.remove(wanted, shared);
            publish();
        }
        shared.informer.close();
    }

    private void publish() {
        informers = pool.values().stream()
                .<Informer<?>>map(shared -> shared.informer)
                .toList();
    }

    /** Keeps informers from starting until {@link #start}, so that handlers are registered before the first object. */
    public synchronized Informers paused() {
        started = false;
        return this;
    }

    /** Starts the paused informers; later ones start when they are acquired. */
    public void start() {
        synchronized (this) {
            started = true;
        }
        informers.forEach(Informer::start);
    }

    /** Returns the present informers. */
    public List<Informer<?>> all() {
        return informers;
    }

    /** Completes when the present informers have their first list. */
    public CompletableFuture<Void> synced() {
        return CompletableFuture.allOf(informers.stream().map(Informer::synced).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Waits for {@link #synced()}.
     *
     * @return whether all are synced in time
     */
    public boolean waitForSync(Duration atMost) throws InterruptedException {
        return scheduler.await(synced(), atMost);
    }

    /** Ends all informers; leases stay readable, and do not change any more. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        informers.forEach(Informer::close);
    }

    /** The right to an informer. */
    public static final class Lease<T extends HasMetadata> implements AutoCloseable {
        private final Informer<T> informer;
        private final List<Informer.Registration> registrations = new ArrayList<>();
        private final Runnable release;
        private boolean released;

        private Lease(Informer<T> informer, Runnable release) {
            this.informer = informer;
            this.release = release;
        }

        /** Returns the informer, which must not be closed. */
        public Informer<T> informer() {
            return informer;
        }

        /** Returns the cache of its objects. */
        public Cache<T> cache() {
            return informer.cache();
        }

        /** Adds a handler, which is removed when the lease is closed. */
        public Informer.Registration handle(Informer.HandlerOptions<T> options, Informer.Handler<T> handler) {
            Informer.Registration registration = informer.handle(options, handler);
            synchronized (this) {
                registrations.add(registration);
                if (released) {
                    registration.close();
                }
            }
            return registration;
        }

        /** Releases the informer and removes the handlers of this lease; has no effect the second time. */
        @Override
        public void close() {
            synchronized (this) {
                if (released) {
                    return;
                }
                released = true;
                registrations.forEach(Informer.Registration::close);
            }
            release.run();
        }
    }

    /**
     * The namespaces that are listed, watched and cached: all, or some. For kinds without namespaces it is always all.
     *
     * <p>A process that may read only some namespaces cannot list a kind in all of them. So each is listed and watched
     * separately, for one cache. Reading any other namespace from such a cache is refused: an empty result would be
     * taken for absence, and the missing objects would be created again, or cleaned up.
     */
    public static final class Namespaces {
        /** All namespaces. */
        public static final Namespaces ALL = new Namespaces(new TreeSet<>());

        /** The names; empty for all. */
        private final SortedSet<String> names;

        private Namespaces(SortedSet<String> names) {
            this.names = names;
        }

        /**
         * Returns the given namespaces, in any order.
         *
         * @throws IllegalArgumentException when there are none, or one of them is not a valid name of a namespace
         */
        public static Namespaces of(Collection<String> names) {
            if (names.isEmpty()) {
                throw new IllegalArgumentException(
                        "namespaces: must not be empty: name one or more, or leave them out for all");
            }
            for (String name : names) {
                if (!DnsNames.isLabel(name)) {
                    throw new IllegalArgumentException("namespaces: each must be a lowercase RFC 1123 label of at most "
                            + DnsNames.MAX_LABEL + " characters: \"" + name + "\"; leave them out for all");
                }
            }
            return new Namespaces(new TreeSet<>(names));
        }

        /** Returns the given namespaces, in any order. */
        public static Namespaces of(String... names) {
            return of(List.of(names));
        }

        /** Returns whether all are meant, including future ones. */
        public boolean isAll() {
            return names.isEmpty();
        }

        /** Returns whether this is one of them. */
        public boolean has(String namespace) {
            return names.isEmpty() || names.contains(namespace);
        }

        /** Returns the namespaces of the objects of a kind: all when it has no namespaces. */
        public Namespaces of(Kind<?> kind) {
            return kind.namespaced() ? this : ALL;
        }

        /**
         * Refuses a namespace that is not one of them.
         *
         * @param what operation that requires it, for the message
         * @param instead alternative to adding it, for the message
         * @throws IllegalArgumentException when it is not one of them
         */
        public void require(String namespace, String what, String instead) {
            if (!has(namespace)) {
                throw new IllegalArgumentException(what + ": namespace \"" + namespace + "\" is none of " + names
                        + ": add it to namespaces(...) of the manager, or " + instead);
            }
        }

        /** Returns the lists that together cover a selection. */
        List<ListOptions> within(ListOptions selection) {
            return names.isEmpty() || !selection.namespace().isEmpty()
                    ? List.of(selection)
                    : names.stream()
                            .map(name -> ListOptions.in(name)
                                    .labels(selection.labels())
                                    .fields(selection.fields()))
                            .toList();
        }

        /** Returns the names, in order; for all, {@code all namespaces}. */
        @Override
        public String toString() {
            return names.isEmpty() ? "all namespaces" : names.toString();
        }
    }
}
