package dev.evenkeel.engine.internal.read;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.admission.Documents;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Types;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Event;
import dev.evenkeel.engine.spi.Store.Range;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
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
    private final LongFunction<Store.Snapshot> states;
    private final Range range;
    /** The objects that the user has seen, if it may not see all; else null. */
    private final @Nullable Map<Store.Key, Store.Entry> shown;

    private final Queue<WatchEvent> corrections = new ArrayDeque<>();
    private volatile boolean permissionsChanged;
    private volatile Runnable onClose = () -> {};
    private @Nullable ApiException failure;
    private int at;
    private boolean mark;
    private long seen;
    private volatile boolean ended;
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
        this.states = cluster.store()::snapshot;
        this.range = selection.range(collection);
        this.shown = selection.guarded() ? new LinkedHashMap<>() : null;
        seen = after;
        try {
            watch.set(cluster.store().watch(range, after, this::signal));
        } catch (CompactedException e) {
            failure = WatchVerb.expired(e);
        }
        if (shown != null && initial.isEmpty() && Long.compareUnsigned(after, revision.getAsLong()) <= 0) {
            shown.putAll(visible());
        }
    }

    /** Returns the objects that the user sees in the state that the watch has reached; the watch fails if it is gone. */
    private Map<Store.Key, Store.Entry> visible() {
        Map<Store.Key, Store.Entry> visible = new LinkedHashMap<>();
        try {
            states.apply(seen).range(range.collection(), range.namespace(), null, entry -> {
                if (selection.matches(entry)) {
                    visible.put(entry.key(), entry);
                }
                return true;
            });
        } catch (CompactedException e) {
            failure = WatchVerb.expired(e);
        }
        return visible;
    }

    private void signal() {
        if (ready.availablePermits() == 0) {
            ready.release();
        }
        onReady.run();
    }

    @Override
    public List<WatchEvent> poll(int max) {
        List<WatchEvent> events = next(max);
        if (target.type().conversion().isPresent()) {
            convert(events);
        }
        return events;
    }

    /** Converts the objects of events now; the first that cannot be converted ends the watch. */
    private void convert(List<WatchEvent> events) {
        for (int i = 0; i < events.size(); i++) {
            try {
                if (events.get(i) instanceof WatchEvent.Changed(Seen change)) {
                    change.convert();
                }
            } catch (ApiException e) {
                events.subList(i, events.size()).clear();
                events.add(new WatchEvent.Failed(e.status()));
                close();
                return;
            }
        }
    }

    private List<WatchEvent> next(int max) {
        List<WatchEvent> events = new ArrayList<>();
        while (at < initial.size() && events.size() < max) {
            Store.Entry entry = initial.get(at++);
            events.add(new WatchEvent.Changed(new Seen(null, WatchEvent.Type.ADDED, entry, entry.revision())));
            if (shown != null) {
                shown.put(entry.key(), entry);
            }
        }
        if (at == initial.size() && mark && events.size() < max) {
            mark = false;
            events.add(new WatchEvent.Bookmark(seen, true));
        }
        if (at == initial.size() && permissionsChanged && shown != null) {
            permissionsChanged = false;
            correct(shown);
        }
        while (!corrections.isEmpty() && events.size() < max) {
            events.add(corrections.remove());
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
                    return next(max);
                }
                onReady.run();
                break;
            }
            if (polled.isEmpty()) {
                seen = Math.max(seen, present);
                if (ended && events.isEmpty()) {
                    close();
                } else if (source.closed()) {
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
        if (shown != null) {
            addVisible(event, events, shown);
            return;
        }
        Store.Entry current = event.current();
        Store.Entry previous = event.previous();
        boolean was = previous != null && selection.matches(previous);
        if (current != null && selection.matches(current)) {
            WatchEvent.Type type = was ? WatchEvent.Type.MODIFIED : WatchEvent.Type.ADDED;
            events.add(new WatchEvent.Changed(new Seen(event, type, current, event.revision())));
        } else if (previous != null && was) {
            events.add(new WatchEvent.Changed(new Seen(event, WatchEvent.Type.DELETED, previous, event.revision())));
        }
    }

    /**
     * Adds an event of a user that does not see all objects. Whether it saw the object before is known for those that this
     * watch has shown; of others, which an earlier watch may have shown, it depends on their previous content.
     */
    private void addVisible(Event event, List<WatchEvent> events, Map<Store.Key, Store.Entry> visible) {
        Store.Entry current = event.current();
        Store.Entry previous = event.previous();
        Store.Entry last = visible.get(event.key());
        if (last == null && previous != null && selection.matches(previous)) {
            last = previous;
        }
        if (current != null && selection.matches(current)) {
            visible.put(event.key(), current);
            WatchEvent.Type type = last == null ? WatchEvent.Type.ADDED : WatchEvent.Type.MODIFIED;
            events.add(new WatchEvent.Changed(new Seen(event, type, current, event.revision())));
        } else if (last != null) {
            visible.remove(event.key());
            events.add(new WatchEvent.Changed(new Seen(event, WatchEvent.Type.DELETED, last, event.revision())));
        }
    }

    /** Finds what the user sees no longer, or sees now, in the state that the watch has reached. */
    private void correct(Map<Store.Key, Store.Entry> visible) {
        Map<Store.Key, Store.Entry> now = visible();
        if (failure != null) {
            return;
        }
        visible.forEach((key, entry) -> {
            if (!now.containsKey(key)) {
                corrections.add(new WatchEvent.Changed(new Seen(null, WatchEvent.Type.DELETED, entry, seen)));
            }
        });
        now.forEach((key, entry) -> {
            if (!visible.containsKey(key)) {
                corrections.add(new WatchEvent.Changed(new Seen(null, WatchEvent.Type.ADDED, entry, entry.revision())));
            }
        });
        visible.clear();
        visible.putAll(now);
    }

    /** Lets the next poll look again at what the user may see. */
    void permissionsChanged() {
        permissionsChanged = true;
        signal();
    }

    /** Returns true if the type of the watched objects is one of these. */
    boolean isOf(Types types) {
        return types.type(target.type().id()).filter(target.type()::equals).isPresent();
    }

    /** Ends the watch behind what was committed so far. */
    void end() {
        ended = true;
        signal();
    }

    /** Sets what is called when the watch is closed. */
    void onClose(Runnable action) {
        onClose = action;
        if (closed) {
            action.run();
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
        onClose.run();
        Store.Watch source = watch.getAndSet(null);
        if (source != null) {
            source.close();
        }
        ready.release();
    }

    /** The identity of a representation of a change among all watches. */
    private record View(WatchEvent.Type type, String version, Object name) {}

    /** A change, seen through the selection; without an event an object that is shown to this watch only: of the initial
     * state, or because of other permissions. */
    private final class Seen implements WatchEvent.Change {
        private final @Nullable Event event;
        private final WatchEvent.Type type;
        private final Store.Entry entry;

        private final long revision;
        private @Nullable Document converted;

        Seen(@Nullable Event event, WatchEvent.Type type, Store.Entry entry, long revision) {
            this.revision = revision;
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
            Document known = converted;
            return known == null ? Documents.of(entry, revision(), target, strategy) : known;
        }

        void convert() {
            converted = document();
        }

        @Override
        public long revision() {
            return revision;
        }

        @Override
        public <T> T memo(Object name, Supplier<T> maker) {
            return event == null
                    ? maker.get()
                    : event.memo(new View(type, target.version().name(), name), maker);
        }
    }
}
