package dev.evenkeel.controller.internal.event;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventSeries;
import java.nio.charset.StandardCharsets;
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
final class SeriesDialect implements Dialect {
    static final Duration FINISH = Duration.ofMinutes(6);
    private static final Duration REFRESH = Duration.ofMinutes(30);
    private static final Kind<Event> KIND = Kind.of(Event.class);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final Scheduler scheduler;
    private final String controller;
    private final String instance;
    private final Recent<Series> recent = new Recent<>(Recent.USUAL);
    private long number;

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
        this.scheduler = scheduler;
        this.controller = controller;
        this.instance = instance;
        this.number = scheduler.random().nextLong() & Long.MAX_VALUE;
    }

    @Override
    public Write observe(Occurrence occurrence) {
        String key = String.join(
                "\u0000",
                occurrence.objectKey(),
                occurrence.type().toString(),
                occurrence.reason(),
                occurrence.action());
        Series series = recent.computeIfAbsent(key, k -> new Series(occurrence, occurrence.name(number++)));
        series.count++;
        series.last = scheduler.nanoTime();
        series.lastTime = occurrence.at();
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
            try {
                client.patch(
                        KIND,
                        ObjectKey.of(series.first.namespace(), series.name),
                        repeated(series),
                        WriteOptions.DEFAULT);
            } catch (NotFoundException e) {
                // it has expired
                series.name = series.first.name(number++);
                client.create(KIND, event(series), WriteOptions.DEFAULT);
            }
        };
    }

    @Override
    public List<Write> due(boolean last) {
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
        ObjectMeta metadata = new ObjectMeta();
        metadata.setNamespace(first.namespace());
        metadata.setName(series.name);
        Event event = new Event();
        event.setMetadata(metadata);
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

    private static Patch repeated(Series series) {
        Event change = new Event();
        change.setSeries(count(series));
        return Patch.merge(new String(ModelCodec.encode(change), StandardCharsets.UTF_8));
    }
}
