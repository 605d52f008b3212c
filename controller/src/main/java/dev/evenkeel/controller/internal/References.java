package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Informers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Dependencies that the reconciliations of one controller have tracked: the observers, which are keys of primary
 * objects, by the tracked objects.
 *
 * <h2>The problem</h2>
 *
 * <p>An object's dependency may become known only during its reconciliation, and may not exist yet. The end of a
 * dependency is not reported: the last reconciliations just did not track it any more.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>An observer of an object is found from the return of {@link #track} until its lease is over: a reconciler that
 *       tracks first and then reads misses no change.
 *   <li>Tracking again renews the lease. All leases are equally long, so their order is that of their renewal, and the
 *       oldest is first: it is dropped by the next operation.
 *   <li>Nothing is kept of an observer that was forgotten, or of an object without observers.
 * </ol>
 *
 * <h2>Concurrency and cost</h2>
 *
 * <p>One lock, under which no foreign code is called. Tracking has constant cost, as has finding the observers of a
 * name; selectors of the object's kind are tried one by one, those of its namespace and those of all. The cost of
 * dropping is part of tracking.
 */
public final class References {
    /** The location of tracked objects; the namespace is empty for cluster-scoped objects and all namespaces. */
    private record Scope(String group, String kind, String namespace) {
        static Scope of(Tracker.Target tracked) {
            return new Scope(tracked.group(), tracked.kind(), tracked.namespace());
        }
    }

    private record Observers(Map<String, Set<ObjectKey>> byName, Map<LabelSelector, Set<ObjectKey>> bySelector) {
        Observers() {
            this(new HashMap<>(), new LinkedHashMap<>());
        }

        void add(Tracker.Target tracked, ObjectKey observer) {
            boolean unused = tracked.selector()
                    .map(selector -> bySelector.computeIfAbsent(selector, any -> new LinkedHashSet<>()))
                    .orElseGet(() -> byName.computeIfAbsent(tracked.name(), any -> new LinkedHashSet<>()))
                    .add(observer);
        }

        void remove(Tracker.Target tracked, ObjectKey observer) {
            tracked.selector()
                    .ifPresentOrElse(
                            selector -> remove(bySelector, selector, observer),
                            () -> remove(byName, tracked.name(), observer));
        }

        private static <K> void remove(Map<K, Set<ObjectKey>> sets, K key, ObjectKey observer) {
            Set<ObjectKey> unused = sets.computeIfPresent(key, (same, set) -> {
                set.remove(observer);
                return set.isEmpty() ? null : set;
            });
        }

        void select(Map<String, String> labels, Collection<ObjectKey> found) {
            bySelector.forEach((selector, observers) -> {
                if (selector.matches(labels)) {
                    found.addAll(observers);
                }
            });
        }

        boolean isEmpty() {
            return byName.isEmpty() && bySelector.isEmpty();
        }
    }

    private record Lease(Tracker.Target tracked, ObjectKey observer) {}

    private final String controller;
    private final List<? extends Kind<?>> kinds;
    private final Informers.Namespaces namespaces;
    private final Scheduler scheduler;
    private final long length;
    private final Map<Scope, Observers> scopes = new HashMap<>();
    private final Map<ObjectKey, Set<Tracker.Target>> tracked = new HashMap<>();

    /** The renewal time of each lease, the oldest first. */
    private final SequencedMap<Lease, Long> leases = new LinkedHashMap<>();

    /** Creates the references to these kinds and namespaces; a length of zero stands for leases without end. */
    References(
            String controller,
            List<? extends Kind<?>> kinds,
            Informers.Namespaces namespaces,
            Scheduler scheduler,
            Duration length) {
        this.controller = controller;
        this.kinds = kinds;
        this.namespaces = namespaces;
        this.scheduler = scheduler;
        this.length = length.isZero() ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(length);
    }

    public static References of(Controller<?> controller, Informers.Namespaces namespaces, Scheduler scheduler) {
        Duration length = controller.resyncInterval().multipliedBy(2);
        return new References(controller.name(), controller.tracked(), namespaces, scheduler, length);
    }

    /** Returns the tracker of the reconciliation of an observer; an exception of {@code before} prevents tracking. */
    public Tracker tracker(ObjectKey observer, Client client, Caches<?> caches, Consumer<Tracker.Target> before) {
        record Tracking(
                References references,
                ObjectKey observer,
                Client client,
                Caches<?> caches,
                Consumer<Tracker.Target> before)
                implements Tracker {
            @Override
            public <O extends HasMetadata> Optional<O> find(Kind<O> kind, ObjectKey key) {
                Optional<Cache<O>> cache = caches.complete(kind);
                if (cache.isEmpty()) {
                    return Tracker.super.find(kind, key);
                }
                track(Target.of(kind, key));
                return cache.get().find(key);
            }

            @Override
            public <O extends HasMetadata> Listing<O> list(Kind<O> kind, ListOptions options) {
                Optional<Cache<O>> cache = caches.complete(kind);
                ListOptions selection = ListOptions.in(options.namespace()).labels(options.labels());
                if (cache.isEmpty() || !options.equals(selection)) {
                    return Tracker.super.list(kind, options);
                }
                track(Target.selecting(kind, options.namespace(), options.labels()));
                List<O> objects = cache.get().list(selection).stream()
                        .map(Cache.Entry::object)
                        .toList();
                return new Listing<>(objects, "", "");
            }

            @Override
            public void track(Tracker.Target tracked) {
                before.accept(tracked);
                references.track(tracked, observer);
            }
        }
        return new Tracking(this, observer, client, caches, before);
    }

    /** Records that an observer depends on an object, from now on. */
    void track(Tracker.Target reference, ObjectKey observer) {
        if (kinds.stream().noneMatch(kind -> isOf(kind, reference))) {
            throw new IllegalArgumentException("controller " + controller + " does not track "
                    + (reference.group().isEmpty() ? "" : reference.group() + "/")
                    + reference.kind() + ", so changes of " + reference + " would not trigger " + observer
                    + ": declare it with Controller.tracks(" + reference.kind() + ".class); it tracks "
                    + kinds.stream().map(Kind::id).toList());
        }
        if (!reference.namespace().isEmpty()) {
            String instead = "read it without tracking: its changes would not trigger " + observer;
            namespaces.require(reference.namespace(), "controller " + controller + ": track " + reference, instead);
        }
        synchronized (this) {
            expire();
            leases.putLast(new Lease(reference, observer), scheduler.nanoTime());
            if (tracked.computeIfAbsent(observer, any -> new LinkedHashSet<>()).add(reference)) {
                scopes.computeIfAbsent(Scope.of(reference), any -> new Observers())
                        .add(reference, observer);
            }
        }
    }

    private static boolean isOf(Kind<?> kind, Tracker.Target reference) {
        return kind.group().equals(reference.group()) && kind.kind().equals(reference.kind());
    }

    synchronized Set<ObjectKey> observers(Kind<?> kind, ObjectKey key, Map<String, String> labels) {
        expire();
        Set<ObjectKey> found = new LinkedHashSet<>();
        Observers here = scopes.get(new Scope(kind.group(), kind.kind(), key.namespace()));
        if (here != null) {
            found.addAll(here.byName().getOrDefault(key.name(), Set.of()));
            here.select(labels, found);
        }
        if (!key.namespace().isEmpty()) {
            Observers everywhere = scopes.get(new Scope(kind.group(), kind.kind(), ""));
            if (everywhere != null) {
                everywhere.select(labels, found);
            }
        }
        return found;
    }

    /** Forgets an observer whose object was deleted. */
    public synchronized void forget(ObjectKey observer) {
        Set<Tracker.Target> references = tracked.get(observer);
        if (references != null) {
            List.copyOf(references).forEach(reference -> {
                Lease lease = new Lease(reference, observer);
                leases.remove(lease);
                drop(lease);
            });
        }
    }

    synchronized int size() {
        return leases.size();
    }

    private void expire() {
        long now = scheduler.nanoTime();
        while (!leases.isEmpty() && now - leases.firstEntry().getValue() > length) {
            drop(leases.pollFirstEntry().getKey());
        }
    }

    private void drop(Lease lease) {
        Set<Tracker.Target> unused = tracked.computeIfPresent(lease.observer(), (same, references) -> {
            references.remove(lease.tracked());
            return references.isEmpty() ? null : references;
        });
        Observers unused2 = scopes.computeIfPresent(Scope.of(lease.tracked()), (same, observers) -> {
            observers.remove(lease.tracked(), lease.observer());
            return observers.isEmpty() ? null : observers;
        });
    }
}
