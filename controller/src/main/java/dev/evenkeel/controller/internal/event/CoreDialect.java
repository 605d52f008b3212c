package dev.evenkeel.controller.internal.event;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;

/**
 * Events of the core API, with the rules of client-go's {@code tools/record}.
 *
 * <ol>
 *   <li>A repeated event increments the count of the existing one, by a patch.
 *   <li>More than 10 that differ only in the message, each within 600 s of the previous one, become one whose message
 *       states that it is combined, and whose count is incremented.
 *   <li>For each object a burst of 25 events is written, and then one each 300 s.
 * </ol>
 */
final class CoreDialect extends Dialect {
    private static final Kind<Event> KIND = Kind.of(Event.class);
    private static final int SIMILAR = 10;
    private static final double SIMILAR_SECONDS = 600;
    private static final int BURST = 25;
    private static final double REFILL_SECONDS = 300;
    private static final String COMBINED = "(combined from similar events): ";

    private final Recent<Similar> similar = new Recent<>();
    private final Recent<Seen> seen = new Recent<>();
    private final Recent<Bucket> buckets = new Recent<>();

    /** The messages of events that differ only in these. */
    private static final class Similar {
        final Set<String> messages = new HashSet<>();
        long last;
    }

    private static final class Seen {
        int count;
        String first = "";
        String name = "";
    }

    private static final class Bucket {
        double tokens = BURST;
        long last;
    }

    CoreDialect(Scheduler scheduler, String controller, String instance) {
        super(scheduler, controller, instance);
    }

    @Override
    Write observe(Occurrence occurrence) {
        long now = scheduler.nanoTime();
        String group =
                String.join("\u0000", occurrence.objectKey(), occurrence.type().toString(), occurrence.reason());
        boolean combined = combined(group, occurrence.message(), now);
        String message = combined ? COMBINED + occurrence.message() : occurrence.message();
        Seen event = seen.computeIfAbsent(combined ? group : group + "\u0000" + message, key -> new Seen());
        event.count++;
        if (!allowed(occurrence.objectKey(), now)) {
            return FILTERED;
        }
        String at = time(occurrence.at());
        if (event.first.isEmpty()) {
            event.first = at;
        }
        if (event.name.isEmpty()) {
            event.name = name(occurrence);
            return client -> client.create(KIND, event(occurrence, message, event, at), WriteOptions.DEFAULT);
        }
        Event change = new Event();
        change.setCount(event.count);
        change.setLastTimestamp(at);
        change.setMessage(message);
        return client -> {
            if (!changed(client, KIND, occurrence, event.name, change)) {
                event.name = name(occurrence);
                client.create(KIND, event(occurrence, message, event, at), WriteOptions.DEFAULT);
            }
        };
    }

    private boolean combined(String group, String message, long now) {
        Similar alike = similar.computeIfAbsent(group, key -> new Similar());
        if (!alike.messages.isEmpty() && seconds(now - alike.last) > SIMILAR_SECONDS) {
            alike.messages.clear();
        }
        alike.last = now;
        if (alike.messages.size() < SIMILAR) {
            alike.messages.add(message);
        }
        return !alike.messages.contains(message);
    }

    private boolean allowed(String object, long now) {
        Bucket bucket = buckets.computeIfAbsent(object, key -> new Bucket());
        if (bucket.last != 0) {
            bucket.tokens = Math.min(BURST, bucket.tokens + seconds(now - bucket.last) / REFILL_SECONDS);
        }
        bucket.last = now;
        if (bucket.tokens < 1) {
            return false;
        }
        bucket.tokens--;
        return true;
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }

    private static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private Event event(Occurrence occurrence, String message, Seen seen, String at) {
        Event event = new Event();
        event.setMetadata(metadata(occurrence, seen.name));
        event.setInvolvedObject(occurrence.object());
        event.setType(occurrence.type().toString());
        event.setReason(occurrence.reason());
        event.setMessage(message);
        event.setCount(seen.count);
        event.setFirstTimestamp(seen.first);
        event.setLastTimestamp(at);
        EventSource source = new EventSource();
        source.setComponent(controller);
        event.setSource(source);
        event.setReportingComponent(controller);
        event.setReportingInstance(instance);
        return event;
    }
}
