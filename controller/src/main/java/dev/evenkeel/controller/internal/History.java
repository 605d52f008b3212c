package dev.evenkeel.controller.internal;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.ControllerEvent.Outcome;
import dev.evenkeel.controller.Manager.Explanation.Last;
import dev.evenkeel.controller.internal.queue.Causes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The last reconciliation of each existing object, for explanations. Text is produced on demand only. */
final class History {
    private final Clock clock;
    private final Map<ObjectKey, Supplier<Last>> entries = new ConcurrentHashMap<>();

    History(Clock clock) {
        this.clock = clock;
    }

    void record(ObjectKey key, Duration taken, Outcome outcome, Causes causes, @Nullable Throwable failure) {
        long at = clock.millis();
        long nanos = taken.toNanos();
        String error = failure == null ? "" : failure.toString();
        entries.put(
                key, () -> new Last(Instant.ofEpochMilli(at), Duration.ofNanos(nanos), outcome, texts(causes), error));
    }

    void remove(ObjectKey key) {
        entries.remove(key);
    }

    Optional<Last> last(ObjectKey key) {
        return Optional.ofNullable(entries.get(key)).map(Supplier::get);
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
