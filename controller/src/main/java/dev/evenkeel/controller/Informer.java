package dev.evenkeel.controller;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows all objects of a kind, keeps a copy of them, and tells what changes.
 *
 * <h2>The problem</h2>
 *
 * <p>Reading the API for every decision is slow, and asking again and again what changed is slower. So objects are listed
 * once, and then watched from the version of that list on. Watches end, connections break, and a server forgets old
 * versions; whatever happens, the copy must become the server's state again.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>The copy of an object only moves forward on the server's line of states, with gaps where the watch had them.
 *   <li>A listener is told of every move of the copy, after it, in order, by one thread.
 *   <li>What listeners and readers get is their own, or shared with other listeners only: nothing they do to it reaches
 *       the copy. Listeners do not change what they are told.
 *   <li>A watch that ended is taken up where it ended. Only when the server has forgotten that version is everything
 *       listed again, and then what differs is told.
 * </ol>
 *
 * <h2>Concurrency and cost</h2>
 *
 * <p>One virtual thread does it all; readers never wait for it. Objects are kept encoded, so that a reader's own copy
 * costs one decoding, and an object about its size on the wire. Why not hand out shared objects: model objects can be
 * changed, and the one careless reconciler that does it breaks all others.
 *
 * @param <T> class of the objects
 */
public final class Informer<T extends HasMetadata> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    private static final long PAGE = 500;

    private record Copy(String uid, String resourceVersion, byte[] json) {}

    private final Client client;
    private final Kind<T> kind;
    private final ListOptions selection;
    private final Scheduler scheduler;
    private final Backoff backoff;

    private final ConcurrentSkipListMap<ObjectKey, Copy> copies = new ConcurrentSkipListMap<>();
    private final List<Consumer<Change<T>>> listeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> synced = new CompletableFuture<>();
    private final Thread thread;

    private volatile boolean closed;
    private volatile @Nullable Watch<T> watch;
    private String resourceVersion = "";
    private int failures;

    /**
     * An informer that is not started yet.
     *
     * @param selection which objects; only its namespace and selectors count
     * @param scheduler ends waits after failures
     * @param backoff how long to wait after failures
     */
    public Informer(Client client, Kind<T> kind, ListOptions selection, Scheduler scheduler, Backoff backoff) {
        this.client = client;
        this.kind = kind;
        this.selection = selection.withContinue("").withResourceVersion("").withLimit(PAGE);
        this.scheduler = scheduler;
        this.backoff = backoff;
        this.thread = Thread.ofVirtual().name("informer " + kind.id()).unstarted(this::run);
    }

    /** Adds someone to be told, before the start. */
    public void listen(Consumer<Change<T>> listener) {
        if (thread.getState() != Thread.State.NEW) {
            throw new IllegalStateException("the informer of " + kind.id() + " is started already");
        }
        listeners.add(listener);
    }

    /** Starts listing and watching; returns at once. */
    public void start() {
        thread.start();
    }

    /** Completes when the first list is in the copy and all listeners have been told. */
    public CompletableFuture<Void> synced() {
        return synced.copy();
    }

    /** The object as last seen; the caller's own. */
    public Optional<T> find(ObjectKey key) {
        return Optional.ofNullable(copies.get(key)).map(this::decode);
    }

    /** All objects as last seen, in the order of their keys; the caller's own. */
    public List<T> list() {
        return copies.values().stream().map(this::decode).toList();
    }

    /** Ends the watch, and waits for the listener that is being told something. The copy stays. */
    @Override
    public void close() {
        closed = true;
        Watch<T> open = watch;
        if (open != null) {
            open.close();
        }
        thread.interrupt();
        if (thread.getState() != Thread.State.NEW && !thread.equals(Thread.currentThread())) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        while (!closed) {
            try {
                if (resourceVersion.isEmpty()) {
                    relist();
                    synced.complete(null);
                }
                follow();
            } catch (ExpiredException e) {
                LOG.atDebug().addKeyValue("kind", kind.id()).log("history is gone, listing again");
                resourceVersion = "";
                pauseAfterFailure(e);
            } catch (InterruptedException e) {
                if (closed) {
                    return;
                }
            } catch (RuntimeException e) {
                pauseAfterFailure(e);
            }
        }
    }

    private void relist() {
        Listing<T> page = client.list(kind, selection);
        List<T> items = new ArrayList<>(page.items());
        String version = page.resourceVersion();
        while (!page.continueToken().isEmpty()) {
            page = client.list(kind, selection.withContinue(page.continueToken()));
            items.addAll(page.items());
        }
        Set<ObjectKey> present = new HashSet<>();
        for (T item : items) {
            present.add(ObjectKey.of(item));
        }
        for (ObjectKey key : copies.keySet()) {
            if (!present.contains(key)) {
                remove(key);
            }
        }
        for (T item : items) {
            put(item);
        }
        resourceVersion = version;
    }

    private void follow() throws InterruptedException {
        try (Watch<T> open = client.watch(kind, selection.withLimit(0).withResourceVersion(resourceVersion))) {
            watch = open;
            boolean quiet = true;
            while (!closed) {
                Optional<Watch.Event<T>> next = open.next();
                if (next.isEmpty()) {
                    break;
                }
                quiet = false;
                failures = 0;
                Watch.Event<T> event = next.get();
                switch (event.type()) {
                    case ADDED, MODIFIED -> put(event.object());
                    case DELETED -> remove(ObjectKey.of(event.object()));
                    case BOOKMARK -> {}
                }
                resourceVersion = event.resourceVersion();
            }
            if (quiet && !closed) {
                pause(backoff.delay(0));
            }
        } finally {
            watch = null;
        }
    }

    private void put(T object) {
        ObjectKey key = ObjectKey.of(object);
        Copy next = new Copy(
                String.valueOf(object.getMetadata().getUid()),
                String.valueOf(object.getMetadata().getResourceVersion()),
                ModelCodec.encode(object));
        Copy before = copies.put(key, next);
        if (before == null) {
            tell(new Change.Added<>(object));
        } else if (!before.uid().equals(next.uid())) {
            tell(new Change.Deleted<>(decode(before)));
            tell(new Change.Added<>(object));
        } else if (!before.resourceVersion().equals(next.resourceVersion())) {
            tell(new Change.Updated<>(decode(before), object));
        }
    }

    private void remove(ObjectKey key) {
        Copy before = copies.remove(key);
        if (before != null) {
            tell(new Change.Deleted<>(decode(before)));
        }
    }

    private void tell(Change<T> change) {
        for (Consumer<Change<T>> listener : listeners) {
            try {
                listener.accept(change);
            } catch (RuntimeException e) {
                LOG.atError().addKeyValue("kind", kind.id()).setCause(e).log("a listener failed");
            }
        }
    }

    private T decode(Copy copy) {
        return ModelCodec.decode(copy.json(), kind.javaType());
    }

    private void pauseAfterFailure(RuntimeException e) {
        if (closed) {
            return;
        }
        Duration delay = backoff.delay(failures++);
        String why = e instanceof ApiException refused ? refused.getMessage() : e.toString();
        LOG.atWarn()
                .addKeyValue("kind", kind.id())
                .addKeyValue("retryAfter", delay)
                .log("list or watch failed: {}", why);
        try {
            pause(delay);
        } catch (InterruptedException interrupted) {
            // closed, or for nothing: the loop looks
        }
    }

    private void pause(Duration delay) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        scheduler.schedule(delay, over::countDown);
        over.await();
    }
}
