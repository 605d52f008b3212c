package dev.evenkeel.controller.internal.event;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * Events of {@code events.k8s.io/v1}, with the rules of client-go's {@code tools/events}.
 *
 * <ol>
 *   <li>Events of the same object, type, reason and action are one, whatever their notes.
 *   <li>The second makes it a series, by a patch; further ones only count in memory.
 *   <li>A series is written again each 30 min while it continues, and finally when no event came for 6 min, or at the
 *       end.
 * </ol>
 */
final class SeriesDialect extends Dialect {
    static final Duration FINISH = Duration.ofMinutes(6);
    private static final Duration REFRESH = Duration.ofMinutes(30);
    private static final Kind<Event> KIND = Kind.of(Event.class);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final Recent<Series> recent = new Recent<>();

    private static final class Series {
        final Occurrence first;
        String name;
        int count;
        int written;
        long last;
        long writtenAt;
        Instant lastTime;

        Series(Occurrence first, String name) {
            this.first = first;
            this.name = name;
            this.lastTime = first.at();
        }
    }

    SeriesDialect(Scheduler scheduler, String controller, String instance) {
        super(scheduler, controller, instance);
    }

    @Override
    Write observe(Occurrence seen) {
        String key = String.join("\u0000", seen.objectKey(), seen.type().toString(), seen.reason(), seen.action());
        Series series = recent.computeIfAbsent(key, k -> new Series(seen, name(seen)));
        series.count++;
        series.last = scheduler.nanoTime();
        series.lastTime = seen.at();
        return switch (series.count) {
            case 1 ->
                client -> {
                    series.written = 1;
                    client.create(KIND, event(series), WriteOptions.DEFAULT);
                };
            case 2 -> written(series);
            default -> NOTHING;
        };
    }

    private Write written(Series series) {
        return client -> {
            series.written = series.count;
            series.writtenAt = scheduler.nanoTime();
            Event change = new Event();
            change.setSeries(count(series));
            if (!changed(client, KIND, series.first, series.name, change)) {
                series.name = name(series.first);
                client.create(KIND, event(series), WriteOptions.DEFAULT);
            }
        };
    }

    @Override
    List<Write> due(boolean last) {
        List<Write> writes = new ArrayList<>();
        long now = scheduler.nanoTime();
        recent.values().removeIf(series -> {
            boolean finished = last || now - series.last >= FINISH.toNanos();
            boolean stale = series.count > series.written;
            if (stale && (finished || now - series.writtenAt >= REFRESH.toNanos())) {
                writes.add(written(series));
            }
            return finished;
        });
        return writes;
    }

    private Event event(Series series) {
        Occurrence first = series.first;
        Event event = new Event();
        event.setMetadata(metadata(first, series.name));
        event.setRegarding(first.object());
        event.setType(first.type().toString());
        event.setReason(first.reason());
        event.setAction(first.action());
        event.setNote(first.message());
        event.setEventTime(new MicroTime(MICROS.format(first.at())));
        event.setReportingController(controller);
        event.setReportingInstance(instance);
        if (series.count > 1) {
            event.setSeries(count(series));
        }
        return event;
    }

    private static EventSeries count(Series series) {
        EventSeries count = new EventSeries();
        count.setCount(series.count);
        count.setLastObservedTime(new MicroTime(MICROS.format(series.lastTime)));
        return count;
    }
}
