package dev.evenkeel.controller.cache;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The changes that a handler of an {@link Informer} has still to receive.
 *
 * <p>Changes wait in a mailbox that has at most one entry for each key: the state that the handler knows, and the
 * present one. Later changes update the waiting entry. So a handler that is slow, or hangs, costs memory for as many
 * entries as there are objects, and receives the present state when it continues; it never delays the sender.
 * Invariants:
 *
 * <ol>
 *   <li>{@code told} of an entry is the state of the key that the handler received last; null when none, or its
 *       deletion.
 *   <li>Entries are delivered in the order of their creation, by one task at a time.
 *   <li>An object that was created and deleted while its entry waited is reported as both. The code that created it
 *       knows that it existed, and would not receive the deletion: the cache shows an own write before any handler
 *       receives it.
 * </ol>
 */
final class Subscription<T extends HasMetadata> implements Informer.Registration {
    private static final class Entry<T extends HasMetadata> {
        final long number;
        final Cache.@Nullable Entry<T> told;

        Cache.@Nullable Entry<T> last;

        Cache.@Nullable Entry<T> now;

        /** An object that was created and deleted while the entry waited. */
        Cache.@Nullable Entry<T> passed;

        boolean initial;
        boolean unknown;
        boolean resync;

        Entry(long number, Cache.@Nullable Entry<T> told) {
            this.number = number;
            this.told = told;
        }
    }

    private final Informer.HandlerOptions<T> options;
    private final Informer.Handler<T> handler;
    private final Scheduler scheduler;
    private final BiConsumer<ObjectKey, Throwable> problems;
    private final CompletableFuture<Void> synced = new CompletableFuture<>();
    private final CompletableFuture<Void> removed = new CompletableFuture<>();
    private final LinkedHashMap<ObjectKey, Entry<T>> entries = new LinkedHashMap<>();
    private final Runnable onRemove;

    private long made;
    private long syncedAt = Long.MAX_VALUE;
    private boolean telling;
    private boolean over;
    private Scheduler.@Nullable Timer timer;

    Subscription(
            Informer.HandlerOptions<T> options,
            Informer.Handler<T> handler,
            Scheduler scheduler,
            BiConsumer<ObjectKey, Throwable> problems,
            Consumer<Subscription<T>> reminder,
            Consumer<Subscription<T>> onRemove) {
        this.options = options;
        this.handler = handler;
        this.scheduler = scheduler;
        this.problems = problems;
        this.onRemove = () -> onRemove.accept(this);
        if (!options.resyncInterval().isZero()) {
            remind(reminder);
        }
    }

    @Override
    public CompletableFuture<Void> synced() {
        return synced.copy();
    }

    @Override
    public synchronized int pending() {
        return entries.size();
    }

    @Override
    public void close() {
        boolean idle;
        synchronized (this) {
            over = true;
            entries.clear();
            idle = !telling;
            if (timer != null) {
                timer.cancel();
            }
        }
        onRemove.run();
        if (idle) {
            removed.complete(null);
        }
    }

    @Override
    public CompletableFuture<Void> removed() {
        return removed.copy();
    }

    private void remind(Consumer<Subscription<T>> reminder) {
        long nanos = options.resyncInterval().toNanos();
        // handlers of a process start at different moments
        Duration next = Duration.ofNanos(
                nanos + (long) (nanos * 0.1 * scheduler.random().nextDouble()));
        Scheduler.Timer set = scheduler.schedule(next, () -> {
            Scheduler.Job unused = scheduler.execute("resync " + options.name(), () -> {
                reminder.accept(this);
                remind(reminder);
            });
        });
        synchronized (this) {
            timer = set;
            if (over) {
                set.cancel();
            }
        }
    }

    /** Reports the present state of an object again, unless a change of it is pending. */
    synchronized void resync(Cache.Entry<T> object) {
        if (over || entries.containsKey(object.key())) {
            return;
        }
        Entry<T> entry = new Entry<>(++made, object);
        entry.now = object;
        entry.resync = true;
        entries.put(object.key(), entry);
        wake();
    }

    /** Adds a transition; see {@link Replica.Teller#moved}. */
    void moved(
            Cache.@Nullable Entry<T> before,
            Cache.@Nullable Entry<T> last,
            Cache.@Nullable Entry<T> after,
            boolean initial,
            boolean unknown) {
        Cache.Entry<T> some = after != null ? after : before;
        if (some == null) {
            return;
        }
        synchronized (this) {
            if (over) {
                return;
            }
            Entry<T> entry = entries.get(some.key());
            if (entry == null) {
                entry = new Entry<>(++made, before);
                entry.initial = initial;
                entries.put(some.key(), entry);
            }
            entry.initial &= initial;
            entry.resync = false;
            if (last != null && entry.told != null && entry.told.uid().equals(last.uid())) {
                entry.last = last;
                entry.unknown = unknown;
            }
            entry.now = after;
            entry.passed = entry.told == null && after == null ? last == null ? before : last : null;
            wake();
        }
    }

    /** Called when all initial objects have been put into the mailbox. */
    synchronized void complete() {
        if (syncedAt == Long.MAX_VALUE) {
            syncedAt = made;
            wake();
        }
    }

    private void wake() {
        if (!telling) {
            telling = true;
            Scheduler.Job unused = scheduler.execute("handler " + options.name(), this::tell);
        }
    }

    private void tell() {
        while (true) {
            Entry<T> entry = null;
            boolean nowSynced;
            boolean nowRemoved;
            synchronized (this) {
                Iterator<Entry<T>> first = entries.values().iterator();
                if (first.hasNext()) {
                    entry = first.next();
                }
                nowSynced = !over && (entry == null ? syncedAt != Long.MAX_VALUE : entry.number > syncedAt);
                if (entry != null) {
                    first.remove();
                } else {
                    telling = false;
                }
                nowRemoved = over;
            }
            if (nowSynced) {
                synced.complete(null);
            }
            if (entry == null) {
                if (nowRemoved) {
                    removed.complete(null);
                }
                return;
            }
            tell(entry);
        }
    }

    // a handler may throw anything: other handlers and further changes continue
    @SuppressWarnings("CatchThrowable")
    private void tell(Entry<T> entry) {
        Cache.Entry<T> some = entry.now != null ? entry.now : entry.told != null ? entry.told : entry.passed;
        if (some == null) {
            return;
        }
        List<Informer.Change<T>> changes;
        try {
            changes = changes(entry);
        } catch (Throwable e) {
            problems.accept(some.key(), e);
            return;
        }
        for (Informer.Change<T> change : changes) {
            try {
                handler.changed(change);
            } catch (Throwable e) {
                problems.accept(some.key(), e);
            }
        }
    }

    private List<Informer.Change<T>> changes(Entry<T> entry) {
        Cache.Entry<T> told = entry.told != null && options.predicate().test(entry.told) ? entry.told : null;
        Cache.Entry<T> now = entry.now != null && options.predicate().test(entry.now) ? entry.now : null;
        List<Informer.Change<T>> changes = new ArrayList<>(2);
        if (entry.passed != null && options.predicate().test(entry.passed)) {
            changes.add(new Informer.Change.Added<>(entry.passed, entry.initial));
            changes.add(new Informer.Change.Deleted<>(entry.passed, entry.unknown));
        }
        if (told != null && (now == null || !now.uid().equals(told.uid()))) {
            changes.add(new Informer.Change.Deleted<>(
                    entry.last == null ? told : entry.last, entry.last != null && entry.unknown));
            told = null;
        }
        if (now != null) {
            if (told == null) {
                changes.add(new Informer.Change.Added<>(now, entry.initial));
            } else if (entry.resync) {
                changes.add(new Informer.Change.Resync<>(now));
            } else {
                changes.add(new Informer.Change.Updated<>(told, now));
            }
        }
        return changes;
    }
}
