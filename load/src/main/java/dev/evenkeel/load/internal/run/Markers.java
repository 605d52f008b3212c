package dev.evenkeel.load.internal.run;

import dev.evenkeel.client.Client;
import dev.evenkeel.load.LoadObject;
import dev.evenkeel.load.Marker;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Rate;
import dev.evenkeel.load.World;
import dev.evenkeel.load.WorldState;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Creates markers, and deletes them again, while it is on. The last ones are deleted when it is turned off. */
final class Markers implements AutoCloseable {
    /** Markers that are there at the same time. */
    private static final int KEPT = 10;

    private final Marker marker;
    private final Effects effects;
    private final Driver driver;
    private final List<String> namespaces;
    private long number;
    private @Nullable Thread thread;
    private final AtomicBoolean on = new AtomicBoolean();

    Markers(Marker marker, Client client, List<String> namespaces, Pace pace) {
        this.marker = marker;
        this.namespaces = marker.template().kind().namespaced() ? namespaces : List.of("");
        if (this.namespaces.isEmpty()) {
            throw new IllegalArgumentException("world.namespaces must be positive for markers in namespaces");
        }
        effects = new Effects(client, operation -> Optional.of(marker.effect()), pace);
        driver = new Driver(client, Disruption.NONE, effects, pace, 2);
    }

    Effects effects() {
        return effects;
    }

    /** Begins to create markers. */
    void begin() {
        on.set(true);
        thread = Thread.ofVirtual().name("load-markers").start(() -> {
            try {
                Driver.Outcome unused = driver.run(
                        new Steps(),
                        new WorldState(World.EMPTY),
                        new Rate.Constant(2 * marker.perSecond()),
                        Duration.ofDays(365),
                        done -> {});
            } catch (InterruptedException e) {
                // closed
            }
        });
    }

    /** Stops to create markers; returns when the last ones are deleted. */
    void end() throws InterruptedException {
        on.set(false);
        if (thread != null) {
            thread.join();
        }
    }

    /** A creation and a deletion in turn; only deletions at the end. */
    private final class Steps implements Iterator<Operation> {
        private final Deque<LoadObject> present = new ArrayDeque<>();
        private boolean deletes;

        @Override
        public boolean hasNext() {
            return on.get() || !present.isEmpty();
        }

        @Override
        public Operation next() {
            if ((deletes || !on.get()) && (present.size() > KEPT || !on.get())) {
                deletes = false;
                LoadObject oldest = present.remove();
                return new Operation.Delete(oldest.kind(), oldest.key());
            }
            deletes = true;
            LoadObject created = marker.template()
                    .object(namespaces.get((int) (number % namespaces.size())), number + 1);
            number++;
            present.add(created);
            return new Operation.Create(created);
        }
    }

    @Override
    public void close() {
        on.set(false);
        if (thread != null) {
            thread.interrupt();
        }
        driver.close();
        effects.close();
    }
}
