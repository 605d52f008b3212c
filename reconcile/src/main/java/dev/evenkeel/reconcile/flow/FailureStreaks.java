package dev.evenkeel.reconcile.flow;

import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Counts the consecutive failures of objects, with their first and last time. Success, another generation, or a day
 * without failure end a streak.
 *
 * <p>The problem: deletions of objects are not observed here, and a controller that counts them indefinitely leaks;
 * asking the API from time to time which of them still exist costs requests and a right. So streaks are kept in the
 * order of their last failure, and dropped when they are a day old, or when there are too many. Each call costs the
 * same, however many there are. Safe for use by several threads (D12).
 */
final class FailureStreaks {
    private static final Duration MEMORY = Duration.ofHours(24);
    private static final int LIMIT = 100_000;

    /**
     * A streak of failures.
     *
     * @param generation generation of the object during all of them
     * @param count number of failures; at least 1
     * @param first time of the first failure
     * @param last time of the last failure
     */
    record Streak(long generation, int count, Instant first, Instant last) {}

    private final int limit;
    private final Map<String, Streak> streaks = new LinkedHashMap<>();

    FailureStreaks() {
        this(LIMIT);
    }

    FailureStreaks(int limit) {
        this.limit = limit;
    }

    /** Records a failure; returns the streak so far. */
    Streak failed(HasMetadata object, Instant now) {
        String id = id(object);
        long generation = Objects.requireNonNullElse(object.getMetadata().getGeneration(), 0L);
        synchronized (streaks) {
            forget(now);
            Streak before = streaks.remove(id);
            Streak streak = before == null || before.generation() != generation
                    ? new Streak(generation, 1, now, now)
                    : new Streak(generation, Math.max(before.count(), before.count() + 1), before.first(), now);
            streaks.put(id, streak);
            return streak;
        }
    }

    void ended(HasMetadata object) {
        synchronized (streaks) {
            streaks.remove(id(object));
        }
    }

    int size() {
        synchronized (streaks) {
            return streaks.size();
        }
    }

    private void forget(Instant now) {
        Iterator<Streak> oldest = streaks.values().iterator();
        while (oldest.hasNext()) {
            Streak streak = oldest.next();
            if (streaks.size() < limit && Duration.between(streak.last(), now).compareTo(MEMORY) < 0) {
                return;
            }
            oldest.remove();
        }
    }

    /** Returns the identity of an object: one recreated under the same name differs. */
    private static String id(HasMetadata object) {
        return Objects.requireNonNullElseGet(
                object.getMetadata().getUid(), () -> object.getKind() + " " + ObjectKey.of(object));
    }
}
