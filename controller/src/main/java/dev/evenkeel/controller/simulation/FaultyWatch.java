package dev.evenkeel.controller.simulation;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a watch: brings the events of the server's in their order, each some time after it happened, until it
 * is cut.
 *
 * <p>Each watch has a delay of its own, so that what is in order in one is not in order with what comes through another.
 */
final class FaultyWatch<T extends HasMetadata> implements Watch<T> {
    private static final double PROMPT = 1e6;
    private static final double SLOW = 2e9;

    private final Simulation simulation;
    private final Incarnation incarnation;
    private final String name;
    private final Watch<T> inner;
    private final Faults faults;
    private final @Nullable Kind<T> kind;
    private final double lag;
    private final ArrayDeque<Item<T>> items = new ArrayDeque<>();
    private final @Nullable Task timeUp;
    private @Nullable Runnable listener;
    private long last;
    private boolean deaf;
    private boolean over;
    private boolean closed;

    /** What arrives: an event, a failure, or the end when it is neither. */
    private record Item<T extends HasMetadata>(
            long due, @Nullable Event<T> event, @Nullable RuntimeException failure) {}

    private FaultyWatch(
            Simulation simulation,
            Incarnation incarnation,
            String name,
            Watch<T> inner,
            Faults faults,
            @Nullable Kind<T> kind,
            double lag,
            long lifetime) {
        this.simulation = simulation;
        this.incarnation = incarnation;
        this.name = name;
        this.inner = inner;
        this.faults = faults;
        this.kind = kind;
        this.lag = lag;
        incarnation.watches.add(this);
        simulation.opened(this);
        timeUp = lifetime == Long.MAX_VALUE
                ? null
                : simulation.add(
                        Task.Sort.THREAD,
                        "time of " + name + " is up",
                        incarnation,
                        null,
                        simulation.nanos() + lifetime,
                        () -> finish(null));
    }

    /** A watch of somebody else, as it is. */
    static <T extends HasMetadata> FaultyWatch<T> plain(
            Simulation simulation, Incarnation incarnation, String name, Watch<T> inner) {
        return new FaultyWatch<>(simulation, incarnation, name, inner, Faults.NONE, null, 0, Long.MAX_VALUE);
    }

    /** The watch of a server, over a connection that ends after this time, in nanoseconds. */
    static <T extends HasMetadata> FaultyWatch<T> of(
            Simulation simulation, Incarnation incarnation, Kind<T> kind, Watch<T> inner, long lifetime) {
        Faults faults = simulation.faults();
        double lag = simulation.happens(Fault.SLOW_WATCH) ? SLOW * simulation.fraction() : PROMPT;
        return new FaultyWatch<>(simulation, incarnation, "watch of " + kind.id(), inner, faults, kind, lag, lifetime);
    }

    /** A watch that has failed already. */
    static <T extends HasMetadata> FaultyWatch<T> failed(
            Simulation simulation, Incarnation incarnation, Kind<T> kind, Watch<T> inner, RuntimeException failure) {
        FaultyWatch<T> watch = of(simulation, incarnation, kind, inner, Long.MAX_VALUE);
        watch.finish(failure);
        return watch;
    }

    /** Takes over what the server has. */
    void pump() {
        while (!over && inner.ready()) {
            Optional<Event<T>> event;
            try {
                event = inner.next();
            } catch (InterruptedException e) {
                throw new IllegalStateException("a watch that was ready waited", e);
            } catch (RuntimeException e) {
                finish(e);
                return;
            }
            if (event.isEmpty()) {
                finish(null);
                return;
            }
            if (!deaf) {
                bring(event.get());
            }
        }
    }

    private void bring(Event<T> event) {
        if (kind == null) {
            arrives(event, null);
        } else if (happens(Fault.CUT_WATCH)) {
            simulation.trace(incarnation.toString(), name + " is cut");
            finish(simulation.fraction() < 0.5 ? null : simulation.lost(name));
        } else if (happens(Fault.FAILED_WATCH)) {
            finish(ApiException.of(Status.of(500, "InternalError", "simulated: the watch failed")));
        } else if (happens(Fault.SILENT_WATCH)) {
            simulation.trace(incarnation.toString(), name + " brings nothing any more");
            deaf = true;
            long until = simulation.nanos() + 300_000_000_000L + simulation.upTo(600_000_000_000L);
            var unused = simulation.add(
                    Task.Sort.THREAD, name, incarnation, null, until, () -> finish(simulation.lost(name)));
        } else {
            arrives(event, null);
            if (event.type() != Type.BOOKMARK && happens(Fault.BOOKMARK)) {
                arrives(bookmark(kind, event.resourceVersion()), null);
            }
        }
    }

    private boolean happens(Fault fault) {
        return faults.rate(fault) > 0 && simulation.happens(fault);
    }

    private static <T extends HasMetadata> Event<T> bookmark(Kind<T> kind, String version) {
        String json = "{\"apiVersion\":\"" + kind.apiVersion() + "\",\"kind\":\"" + kind.kind()
                + "\",\"metadata\":{\"resourceVersion\":\"" + version + "\"}}";
        return new Event<>(
                Type.BOOKMARK, ModelCodec.decode(json.getBytes(StandardCharsets.UTF_8), kind.javaType()), version);
    }

    /** Nothing more comes after this. */
    private void finish(@Nullable RuntimeException failure) {
        if (!over) {
            over = true;
            release();
            arrives(null, failure);
        }
    }

    private void arrives(@Nullable Event<T> event, @Nullable RuntimeException failure) {
        long delay = lag == 0 ? 0 : simulation.exponential(lag);
        last = Math.max(last, simulation.nanos() + delay);
        items.add(new Item<>(last, event, failure));
        tell(last);
    }

    private void tell(long due) {
        Runnable told = listener;
        if (told != null) {
            told.run();
        } else {
            // somebody may look at it through something of his own
            var unused = simulation.add(
                    Task.Sort.THREAD, name, incarnation, null, Math.max(due, simulation.nanos()), simulation::changed);
        }
    }

    /** Calls this when {@link #nextDue} may have changed. */
    void listen(Runnable value) {
        listener = value;
    }

    /** When there is something to take. */
    long nextDue() {
        if (closed) {
            return Long.MIN_VALUE;
        }
        Item<T> first = items.peek();
        return first == null ? Long.MAX_VALUE : first.due();
    }

    /** Gives what is due; null is the end. */
    void take(Consumer<Watch.@Nullable Event<T>> event, Consumer<RuntimeException> failed) {
        Item<T> item = closed ? null : items.poll();
        if (item == null) {
            event.accept(null);
            return;
        }
        RuntimeException failure = item.failure();
        Event<T> brought = item.event();
        if (failure != null) {
            close();
            simulation.trace(incarnation.toString(), name + " failed");
            failed.accept(failure);
        } else {
            if (brought == null) {
                close();
                simulation.trace(incarnation.toString(), name + " ended");
            } else {
                simulation.trace(incarnation.toString(), name + " " + brought.type() + " " + brought.resourceVersion());
            }
            event.accept(brought);
        }
    }

    @Override
    public boolean ready() {
        return nextDue() <= simulation.nanos();
    }

    @Override
    public Optional<Event<T>> next() throws InterruptedException {
        simulation.waitFor(incarnation, this::ready);
        Item<T> item = closed ? null : items.poll();
        if (item == null) {
            return Optional.empty();
        }
        RuntimeException failure = item.failure();
        if (failure != null) {
            throw failure;
        }
        return Optional.ofNullable(item.event());
    }

    private void release() {
        inner.close();
        incarnation.watches.remove(this);
        simulation.closed(this);
        if (timeUp != null) {
            timeUp.cancel();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            over = true;
            release();
            if (listener != null && !incarnation.dead()) {
                listener.run();
            }
        }
    }
}
