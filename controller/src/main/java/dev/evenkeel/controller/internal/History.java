package dev.evenkeel.controller.internal;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.ControllerEvent;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.internal.queue.Causes;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The last reconciliation of each existing object, for explanations. Text is produced on demand only. */
final class History {
    private record Entry(
            long atMillis,
            long takenNanos,
            ControllerEvent.Outcome outcome,
            Causes causes,
            @Nullable String error) {}

    private final Clock clock;
    private final Map<ObjectKey, Entry> entries = new ConcurrentHashMap<>();

    History(Clock clock) {
        this.clock = clock;
    }

    void record(
            ObjectKey key,
            Duration taken,
            ControllerEvent.Outcome outcome,
            Causes causes,
            @Nullable Throwable failure) {
        entries.put(
                key,
                new Entry(
                        clock.millis(), taken.toNanos(), outcome, causes, failure == null ? null : failure.toString()));
    }

    void remove(ObjectKey key) {
        entries.remove(key);
    }

    Optional<Manager.Explanation.Last> last(ObjectKey key) {
        return Optional.ofNullable(entries.get(key))
                .map(entry -> new Manager.Explanation.Last(
                        java.time.Instant.ofEpochMilli(entry.atMillis()),
                        Duration.ofNanos(entry.takenNanos()),
                        entry.outcome(),
                        texts(entry.causes()),
                        entry.error() == null ? "" : entry.error()));
    }

    static List<String> texts(Causes causes) {
        List<String> texts = new ArrayList<>();
        causes.list().forEach(cause -> texts.add(cause.toString()));
        if (causes.dropped() > 0) {
            texts.add("and " + causes.dropped() + " more");
        }
        return texts;
    }
}
