package dev.evenkeel.controller.cache;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.cache.Informer.Change;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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
 * entries as there are objects, and receives the present state when it continues; it never delays the sender. States in
 * between are skipped, unless a lookup could have found the object by them and by no other.
 * Invariants:
 *
 * <ol>
 *   <li>{@code reported} of an entry is the state of the key that the handler received last; null when none, or its
 *       deletion.
 *   <li>Entries are delivered in the order of their creation, by one task at a time.
 *   <li>An object that was created and deleted while its entry waited is reported as both. The code that created it
 *       knows that it existed, and would not receive the deletion: the cache shows an own write before any handler
 *       receives it.
 *   <li>A state whose index values, labels or owners differ from those before and after is reported although a later one
 *       is waiting. A reconciliation may have found the object by them in the cache, which is ahead of handlers, and is
 *       triggered when they no longer hold. There are as many of these as different values, however often they change.
 * </ol>
 */
final class Subscription<T extends HasMetadata> implements Informer.Registration {
    private static final class Entry<T extends HasMetadata> {
        final long number;
        final Cache.@Nullable Entry<T> reported;
        Cache.@Nullable Entry<T> last;
        Cache.@Nullable Entry<T> now;
        /** An object that was created and deleted while the entry waited. */
        Cache.@Nullable Entry<T> passed;
        /** States to report before {@code now}. */
        List<Cache.Entry<T>> between = List.of();

        boolean initial;
        boolean unknown;
        boolean resync;

        Entry(long number, Cache.@Nullable Entry<T> reported) {
            this.number = number;
            this.reported = reported;
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
    private boolean delivering;
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
            idle = !delivering;
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

    /** Adds a transition; see {@link Replica.Receiver#moved}. */
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
            if (entry.now != null) {
                keep(entry, entry.now, after);
            } else if (entry.passed != null && after != null) {
                keep(entry, entry.passed, after);
            }
            if (last != null && entry.reported != null && entry.reported.uid().equals(last.uid())) {
                entry.last = last;
                entry.unknown = unknown;
            }
            entry.now = after;
            entry.passed = entry.reported == null && after == null ? last == null ? before : last : null;
            wake();
        }
    }

    /** Keeps a state that is replaced, if lookups found the object by it and not by the states around it. */
    private void keep(Entry<T> entry, Cache.Entry<T> state, Cache.@Nullable Entry<T> after) {
        boolean followsReported = entry.reported == null ? after == null : isFoundAlike(entry.reported, state);
        if (!followsReported
                && (after == null || !isFoundAlike(state, after))
                && entry.between.stream().noneMatch(kept -> isFoundAlike(kept, state))) {
            List<Cache.Entry<T>> longer = new ArrayList<>(entry.between);
            longer.add(state);
            entry.between = longer;
        }
    }

    /** Returns whether all lookups find both states, or neither. */
    private static boolean isFoundAlike(Cache.Entry<?> one, Cache.Entry<?> other) {
        return one.labels().equals(other.labels())
                && one.owners().equals(other.owners())
                && Arrays.equals(one.values(), other.values());
    }

    /** Called when all initial objects have been put into the mailbox. */
    synchronized void complete() {
        if (syncedAt == Long.MAX_VALUE) {
            syncedAt = made;
            wake();
        }
    }

    private void wake() {
        if (!delivering) {
            delivering = true;
            Scheduler.Job unused = scheduler.execute("handler " + options.name(), this::deliver);
        }
    }

    private void deliver() {
        while (true) {
            Entry<T> entry;
            boolean nowSynced;
            boolean nowRemoved;
            synchronized (this) {
                var first = entries.pollFirstEntry();
                entry = first == null ? null : first.getValue();
                nowSynced = !over && (entry == null ? syncedAt != Long.MAX_VALUE : entry.number > syncedAt);
                delivering = entry != null;
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
            deliver(entry);
        }
    }

    // a handler may throw anything: other handlers and further changes continue
    @SuppressWarnings("CatchThrowable")
    private void deliver(Entry<T> entry) {
        Cache.Entry<T> some = entry.now != null ? entry.now : entry.reported != null ? entry.reported : entry.passed;
        if (some == null) {
            return;
        }
        List<Change<T>> changes;
        try {
            changes = changes(entry);
        } catch (Throwable e) {
            problems.accept(some.key(), e);
            return;
        }
        for (Change<T> change : changes) {
            try {
                handler.changed(change);
            } catch (Throwable e) {
                problems.accept(some.key(), e);
            }
        }
    }

    private List<Change<T>> changes(Entry<T> entry) {
        Cache.Entry<T> reported = selected(entry.reported);
        Cache.Entry<T> now = selected(entry.now);
        Cache.Entry<T> passed = selected(entry.passed);
        List<Change<T>> changes = new ArrayList<>(2);
        for (Cache.Entry<T> each : entry.between) {
            Cache.Entry<T> state = selected(each);
            if (state != null) {
                if (reported != null && !state.uid().equals(reported.uid())) {
                    changes.add(deletion(entry, reported));
                    reported = null;
                }
                changes.add(
                        reported == null
                                ? new Change.Added<>(state, entry.initial)
                                : new Change.Updated<>(reported, state));
                reported = state;
            }
        }
        Cache.Entry<T> end = passed == null ? now : passed;
        if (reported != null && (end == null || !end.uid().equals(reported.uid()))) {
            changes.add(deletion(entry, reported));
            reported = null;
        }
        if (passed != null) {
            if (reported == null) {
                changes.add(new Change.Added<>(passed, entry.initial));
            }
            changes.add(new Change.Deleted<>(passed, entry.unknown));
        } else if (now != null) {
            changes.add(
                    reported == null
                            ? new Change.Added<>(now, entry.initial)
                            : entry.resync ? new Change.Resync<>(now) : new Change.Updated<>(reported, now));
        }
        return changes;
    }

    /** Returns the deletion of an object, with its last state if that is known. */
    private Change<T> deletion(Entry<T> entry, Cache.Entry<T> reported) {
        Cache.Entry<T> last = entry.last;
        return last == null || !last.uid().equals(reported.uid())
                ? new Change.Deleted<>(reported, false)
                : new Change.Deleted<>(last, entry.unknown);
    }

    private Cache.@Nullable Entry<T> selected(Cache.@Nullable Entry<T> state) {
        return state != null && options.predicate().test(state) ? state : null;
    }
}
