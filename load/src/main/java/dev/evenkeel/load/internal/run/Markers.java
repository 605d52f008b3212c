package dev.evenkeel.load.internal.run;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.load.LoadObject;
import dev.evenkeel.load.Marker;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.internal.drive.Disruption;
import dev.evenkeel.load.internal.drive.Driver;
import dev.evenkeel.load.internal.drive.Effects;
import dev.evenkeel.load.internal.drive.Pace;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates markers, and deletes them again, while it is on. The last ones are deleted when it is turned off.
 *
 * <p>A marker stays until its effect is visible: those that a slow controller has not come to yet have the longest
 * latencies, and would have none if they were deleted.
 */
final class Markers implements AutoCloseable {
    /** Markers that stay, although their effects are visible. */
    private static final int KEPT = 10;

    /** The maximum number of markers at the same time; no further ones are created while it is reached. */
    private static final int MOST = 2_000;

    /** Markers that are deleted for each that is created, so that their number falls again. */
    private static final int DELETED = 2;

    private final Marker marker;
    private final Effects effects;
    private final Driver driver;
    private final List<String> namespaces;
    private final Scheduler scheduler;
    private final Duration period;
    private final Deque<LoadObject> present = new ArrayDeque<>();
    private long number;
    private volatile boolean on;
    private volatile Scheduler.@Nullable Timer timer;

    Markers(Marker marker, Client client, List<String> namespaces, Pace pace) {
        this.marker = marker;
        this.namespaces = marker.template().kind().namespaced() ? namespaces : List.of("");
        if (this.namespaces.isEmpty()) {
            throw new IllegalArgumentException("world.namespaces must be positive for markers in namespaces");
        }
        effects = new Effects(client, operation -> Optional.of(marker.effect()), pace);
        driver = new Driver(client, Disruption.NONE, effects, pace, 0);
        scheduler = pace.scheduler();
        period = Duration.ofNanos((long) (1e9 / marker.perSecond()));
    }

    Effects effects() {
        return effects;
    }

    /** Begins to create markers. */
    void begin() {
        on = true;
        next();
    }

    private void next() {
        // the thread of timers must not wait for answers
        timer = scheduler.schedule(period, () -> {
            Scheduler.Job unused = scheduler.execute("marker", this::tick);
        });
    }

    private synchronized void tick() {
        if (!on) {
            return;
        }
        next();
        try {
            if (present.size() < MOST) {
                LoadObject created =
                        marker.template().object(namespaces.get((int) (number % namespaces.size())), number + 1);
                number++;
                present.add(created);
                driver.make(new Operation.Create(created));
            }
            deleteOldest();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void deleteOldest() throws InterruptedException {
        int left = DELETED;
        for (Iterator<LoadObject> i = present.iterator(); left > 0 && present.size() > KEPT && i.hasNext(); ) {
            LoadObject oldest = i.next();
            if (!effects.isPending(oldest)) {
                i.remove();
                delete(oldest);
                left--;
            }
        }
    }

    private void delete(LoadObject created) throws InterruptedException {
        driver.make(new Operation.Delete(created.kind(), created.key()));
    }

    /** Stops to create markers. */
    synchronized void end() {
        on = false;
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Deletes the last markers. */
    synchronized void delete() throws InterruptedException {
        while (!present.isEmpty()) {
            delete(present.remove());
        }
    }

    @Override
    public void close() {
        on = false;
        if (timer != null) {
            timer.cancel();
        }
        driver.close();
        effects.close();
    }
}
