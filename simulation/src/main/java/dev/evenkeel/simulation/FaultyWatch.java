package dev.evenkeel.simulation;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.Watch;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.simulation.fault.FaultRates;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a watch: delivers the server's events in their order, each some time after it happened, until it is
 * cut.
 *
 * <p>Each watch has a delay of its own, so that events of different watches may be out of order.
 */
final class FaultyWatch<T extends HasMetadata> implements Watch<T> {
    private static final double PROMPT = 1e6;
    private static final double SLOW = 2e9;

    private final Simulation simulation;
    private final VirtualScheduler process;
    private final String name;
    private final Watch<T> inner;
    private final FaultRates faults;
    private final Kind<T> kind;
    private final double lag;
    private final ArrayDeque<Item<T>> items = new ArrayDeque<>();
    private final Task timeout;
    private @Nullable Runnable listener;
    private long last;
    private boolean silent;
    private boolean over;
    private boolean closed;

    /** An event, a failure, or the end if it is neither, with the time of its arrival. */
    private record Item<T extends HasMetadata>(
            long due, @Nullable Event<T> event, @Nullable RuntimeException failure) {}

    /** Creates the watch of a server, over a connection that ends after this number of nanoseconds. */
    FaultyWatch(Simulation simulation, VirtualScheduler process, Kind<T> kind, Watch<T> inner, long lifetime) {
        this.simulation = simulation;
        this.process = process;
        this.name = "watch of " + kind.id();
        this.inner = inner;
        this.faults = simulation.faults();
        this.kind = kind;
        this.lag = simulation.happens(FaultKind.SLOW_WATCH) ? SLOW * simulation.fraction() : PROMPT;
        simulation.opened(this);
        timeout = simulation.add("timeout of " + name, process, simulation.nanos() + lifetime, () -> finish(null));
    }

    /** Takes over the events that the server has. */
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
            } else if (!silent) {
                bring(event.get());
            }
        }
    }

    private void bring(Event<T> event) {
        if (happens(FaultKind.CUT_WATCH)) {
            trace("is cut");
            finish(simulation.fraction() < 0.5 ? null : simulation.lost(name));
        } else if (happens(FaultKind.FAILED_WATCH)) {
            finish(ApiException.of(Status.of(500, "InternalError", "simulated: the watch failed")));
        } else if (happens(FaultKind.SILENT_WATCH)) {
            trace("falls silent");
            silent = true;
            long until = simulation.nanos() + 300_000_000_000L + simulation.upTo(600_000_000_000L);
            simulation.add(name, process, until, () -> finish(simulation.lost(name)));
        } else {
            arrives(event, null);
            if (event.type() != Type.BOOKMARK && happens(FaultKind.BOOKMARK)) {
                arrives(bookmark(event.resourceVersion()), null);
            }
        }
    }

    private void trace(String what) {
        simulation.trace(process.toString(), name + " " + what);
    }

    private boolean happens(FaultKind fault) {
        return faults.rate(fault) > 0 && simulation.happens(fault);
    }

    private Event<T> bookmark(String version) {
        String json = "{\"apiVersion\":\"" + kind.apiVersion() + "\",\"kind\":\"" + kind.kind()
                + "\",\"metadata\":{\"resourceVersion\":\"" + version + "\"}}";
        return new Event<>(
                Type.BOOKMARK, ModelCodec.decode(json.getBytes(StandardCharsets.UTF_8), kind.javaType()), version);
    }

    /** Ends the watch, with a failure or without, after the events in transit. */
    void finish(@Nullable RuntimeException failure) {
        if (!over) {
            over = true;
            release();
            arrives(null, failure);
        }
    }

    private void arrives(@Nullable Event<T> event, @Nullable RuntimeException failure) {
        last = Math.max(last, simulation.nanos() + simulation.exponential(lag));
        items.add(new Item<>(last, event, failure));
        Runnable told = listener;
        if (told != null) {
            told.run();
        } else {
            // another watch may be made of this one: check when the item is due
            simulation.add(name, process, Math.max(last, simulation.nanos()), () -> {});
        }
    }

    /** Calls this whenever {@link #nextDue} may have changed. */
    void listen(Runnable value) {
        listener = value;
    }

    /** Returns the time of the next event in nanoseconds; {@link Long#MAX_VALUE} if none is on its way. */
    long nextDue() {
        if (closed) {
            return Long.MIN_VALUE;
        }
        Item<T> first = items.peek();
        return first == null ? Long.MAX_VALUE : first.due();
    }

    @Override
    public boolean ready() {
        return nextDue() <= simulation.nanos();
    }

    @Override
    public Optional<Event<T>> next() throws InterruptedException {
        simulation.await(process, this::ready);
        Item<T> item = closed ? null : items.poll();
        if (item == null) {
            return Optional.empty();
        }
        RuntimeException failure = item.failure();
        Event<T> event = item.event();
        if (event == null) {
            close();
            trace(failure == null ? "ended" : "failed");
        } else {
            trace(event.type() + " " + event.resourceVersion());
        }
        if (failure != null) {
            throw failure;
        }
        return Optional.ofNullable(event);
    }

    /** Returns true if it no longer holds resources of the server. */
    boolean released() {
        return over;
    }

    private void release() {
        inner.close();
        simulation.closed(this);
        timeout.cancel();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            over = true;
            release();
            if (listener != null && !process.dead()) {
                listener.run();
            }
        }
    }
}
