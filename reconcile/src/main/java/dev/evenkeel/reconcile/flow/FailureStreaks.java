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
 * What objects have failed with, each in a row: how often, and since when. Success, another generation, or a day
 * without failure end a row.
 *
 * <p>The problem: objects go without saying so, and a controller that counts them indefinitely leaks; asking the API
 * from time to time which of them are still there is work, and needs a right. So what is remembered is in the order of
 * its last failure, and its end is forgotten: when it is a day old, or when there are too many. Each call costs the
 * same, however many there are. Safe for use by several threads (D12).
 */
final class FailureStreaks {
    private static final Duration MEMORY = Duration.ofHours(24);
    private static final int LIMIT = 100_000;

    /**
     * A row of failures.
     *
     * @param generation of the object, in which all of them were
     * @param count how many; at least 1
     * @param first when it began
     * @param last when it last failed
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

    /** It has failed again; the row so far. */
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

    /** It has not failed. */
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

    /** An object that comes again under its name is another one. */
    private static String id(HasMetadata object) {
        return Objects.requireNonNullElseGet(
                object.getMetadata().getUid(), () -> object.getKind() + " " + ObjectKey.of(object));
    }
}
