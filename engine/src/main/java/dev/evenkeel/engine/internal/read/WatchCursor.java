package dev.evenkeel.engine.internal.read;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.admission.Documents;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One watch: the entries of its start, then a cursor into the store's history, seen through the selection.
 *
 * <p>An update that leaves the selection is DELETED, with the last content that was selected at the revision of the
 * change; one that enters it is ADDED. The store's event is shared by all watches, and so is what {@link
 * WatchEvent.Change#memo} keeps on it.
 */
final class WatchCursor implements WatchStream {
    private final Target target;
    private final Selection selection;
    private final ResourceStrategy strategy;
    private final List<Store.Entry> initial;
    private final Runnable onReady;
    private final Semaphore ready = new Semaphore(0);
    private final LongSupplier revision;
    private final AtomicReference<Store.@Nullable Watch> watch = new AtomicReference<>();
    private @Nullable ApiException failure;
    private int at;
    private boolean mark;
    private long seen;
    private volatile boolean closed;

    WatchCursor(
            WriteContext cluster,
            Target target,
            Selection selection,
            ResourceStrategy strategy,
            String collection,
            long after,
            List<Store.Entry> initial,
            boolean mark,
            Runnable onReady) {
        this.target = target;
        this.selection = selection;
        this.strategy = strategy;
        this.initial = initial;
        this.mark = mark;
        this.onReady = onReady;
        this.revision = cluster.store()::revision;
        seen = after;
        try {
            watch.set(cluster.store().watch(selection.range(collection), after, this::signal));
        } catch (CompactedException e) {
            failure = WatchVerb.expired(e);
        }
    }

    private void signal() {
        if (ready.availablePermits() == 0) {
            ready.release();
        }
        onReady.run();
    }

    @Override
    public List<WatchEvent> poll(int max) {
        List<WatchEvent> events = new ArrayList<>();
        while (at < initial.size() && events.size() < max) {
            events.add(new WatchEvent.Changed(new Seen(null, WatchEvent.Type.ADDED, initial.get(at++))));
        }
        if (at == initial.size() && mark && events.size() < max) {
            mark = false;
            events.add(new WatchEvent.Bookmark(seen, true));
        }
        ApiException failed = failure;
        if (failed != null) {
            if (!closed) {
                closed = true;
                events.add(new WatchEvent.Failed(failed.status()));
            }
            return events;
        }
        Store.Watch source = watch.get();
        while (source != null && events.size() < max) {
            List<Event> polled;
            long present = revision.getAsLong(); // before the poll: after an empty one there is nothing up to here
            try {
                polled = source.poll(max - events.size());
            } catch (CompactedException e) {
                failure = WatchVerb.expired(e);
                source.close();
                if (events.isEmpty()) {
                    return poll(max);
                }
                onReady.run();
                break;
            }
            if (polled.isEmpty()) {
                seen = Math.max(seen, present);
                if (source.closed()) {
                    closed = true;
                }
                break;
            }
            for (Event event : polled) {
                seen = event.revision();
                add(event, events);
            }
        }
        return events;
    }

    private void add(Event event, List<WatchEvent> events) {
        Store.Entry current = event.current();
        Store.Entry previous = event.previous();
        boolean was = previous != null && selection.matches(previous);
        if (current != null && selection.matches(current)) {
            WatchEvent.Type type = was ? WatchEvent.Type.MODIFIED : WatchEvent.Type.ADDED;
            events.add(new WatchEvent.Changed(new Seen(event, type, current)));
        } else if (previous != null && was) {
            events.add(new WatchEvent.Changed(new Seen(event, WatchEvent.Type.DELETED, previous)));
        }
    }

    @Override
    public List<WatchEvent> take(int max) throws InterruptedException {
        return take(max, Duration.ofNanos(Long.MAX_VALUE));
    }

    @Override
    public List<WatchEvent> take(int max, Duration wait) throws InterruptedException {
        long left = wait.toNanos();
        while (true) {
            List<WatchEvent> events = poll(max);
            if (!events.isEmpty() || closed || left <= 0) {
                return events;
            }
            long begin = System.nanoTime();
            if (ready.tryAcquire(left, TimeUnit.NANOSECONDS)) {
                ready.drainPermits();
            }
            left -= System.nanoTime() - begin;
        }
    }

    @Override
    public WatchEvent.Bookmark bookmark() {
        return new WatchEvent.Bookmark(seen, false);
    }

    @Override
    public boolean closed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        Store.Watch source = watch.getAndSet(null);
        if (source != null) {
            source.close();
        }
        ready.release();
    }

    /** The identity of a representation of a change among all watches. */
    private record View(WatchEvent.Type type, String version, Object name) {}

    /** A change, seen through the selection; without an event an object of the initial state, shown to this watch only. */
    private final class Seen implements WatchEvent.Change {
        private final @Nullable Event event;
        private final WatchEvent.Type type;
        private final Store.Entry entry;

        Seen(@Nullable Event event, WatchEvent.Type type, Store.Entry entry) {
            this.event = event;
            this.type = type;
            this.entry = entry;
        }

        @Override
        public WatchEvent.Type type() {
            return type;
        }

        @Override
        public Document document() {
            return Documents.of(entry, revision(), target, strategy);
        }

        @Override
        public long revision() {
            return event == null ? entry.revision() : event.revision();
        }

        @Override
        public <T> T memo(Object name, Supplier<T> maker) {
            return event == null
                    ? maker.get()
                    : event.memo(new View(type, target.version().name(), name), maker);
        }
    }
}
