package dev.evenkeel.controller.internal.event;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.TooManyRequestsException;
import dev.evenkeel.controller.EventRecorder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends events to the API, one after the other, from a queue.
 *
 * <p>The problem: events are informational, and worth nothing compared to the work they describe. So recording one
 * never waits and never fails; but while the API is briefly unavailable none should be lost, and a controller in a loop
 * must not fill the store with them. Invariants:
 *
 * <ol>
 *   <li>At most 1000 wait; more are dropped, and counted.
 *   <li>Events are written in the order in which they were recorded, one at a time.
 *   <li>A write that fails because the API is unavailable (5xx, 429, no answer) is tried up to 12 times, 10 s apart,
 *       the first wait a random part of that. Any other refusal is final: it would be refused again.
 *   <li>Repetitions are aggregated by the rules of the API that is used: see {@link Api}.
 *   <li>{@link #stop} writes what waits, each once, and the counts that are kept in memory.
 * </ol>
 *
 * <p>Concurrency: {@link #record} takes a short lock; one task writes, without it, and ends when nothing waits. Cost: a
 * write for an event that is new, or increments a count. Why not a task for each event, as upstream's newer one: the
 * order is lost, and a burst is not limited.
 */
public final class QueuedEventRecorder implements EventRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(QueuedEventRecorder.class);
    private static final int CAPACITY = 1000;
    private static final int TRIES = 12;
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final int MAX_NOTE = 1024;
    private static final int MAX_NAME = 128;

    /** The API that events are written to. */
    public enum Api {
        /** {@code events.k8s.io} where it is served and permitted, else the core API. */
        ANY,
        /** {@code events.k8s.io/v1}: repetitions become a series. */
        EVENTS,
        /**
         * Core {@code v1}: repetitions are counted, similar ones combined, and the number of events of one object is
         * limited.
         */
        CORE
    }

    /**
     * Counts of events by their result.
     *
     * @param written number of writes
     * @param dropped number dropped since too many waited
     * @param filtered number left out as one of too many about an object
     * @param failed number that could not be written
     */
    public record Figures(long written, long dropped, long filtered, long failed) {}

    /** A pending write; of an occurrence it is determined when its turn comes. */
    private static final class Attempt {
        final @Nullable Occurrence occurrence;
        Dialect.Write write;
        int tries;

        Attempt(@Nullable Occurrence occurrence, Dialect.Write write) {
            this.occurrence = occurrence;
            this.write = write;
        }
    }

    private final Scheduler scheduler;
    private final Client client;
    private final String controller;
    private final String instance;

    // used by the writing task only
    private Dialect dialect;
    private @Nullable Attempt attempt;
    private boolean undecided;

    // guarded by this
    private final ArrayDeque<Attempt> queue = new ArrayDeque<>();
    private boolean running;
    private boolean stopping;
    private boolean flushed;
    private Scheduler.@Nullable Timer retry;
    private Scheduler.@Nullable Timer upkeep;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong filtered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /**
     * Creates a recorder for one controller of one process.
     *
     * @param controller reporting controller, such as {@code example.com/websites}
     * @param instance its instance, such as a host name
     */
    public QueuedEventRecorder(Scheduler scheduler, Client client, String controller, String instance, Api api) {
        if (controller.isEmpty() || controller.length() > MAX_NAME) {
            throw new IllegalArgumentException("controller: must have 1 to " + MAX_NAME + " characters");
        }
        if (instance.isEmpty() || instance.length() > MAX_NAME) {
            throw new IllegalArgumentException("instance: must have 1 to " + MAX_NAME + " characters");
        }
        this.scheduler = scheduler;
        this.client = client;
        this.controller = controller;
        this.instance = instance;
        this.undecided = api == Api.ANY;
        this.dialect = api == Api.CORE
                ? new CoreDialect(scheduler, controller, instance)
                : new SeriesDialect(scheduler, controller, instance);
    }

    @Override
    public void record(HasMetadata object, Type type, String reason, String action, String message) {
        Occurrence occurrence = new Occurrence(
                Occurrence.reference(object),
                type,
                cut(reason, MAX_NAME),
                cut(action.isEmpty() ? reason : action, MAX_NAME),
                cut(message, MAX_NOTE),
                scheduler.clock().instant());
        synchronized (this) {
            if (stopping || queue.size() >= CAPACITY) {
                if (dropped.getAndIncrement() == 0) {
                    var warning = LOG.atWarn().addKeyValue("controller", controller);
                    warning.log("too many events are queued: some are dropped");
                }
                return;
            }
            queue.add(new Attempt(occurrence, Dialect.NOTHING));
            if (upkeep == null) {
                upkeep = scheduler.schedule(SeriesDialect.FINISH, this::maintain);
            }
            run();
        }
    }

    /** Cuts text to a maximum number of bytes, as the API counts, at a character boundary. */
    private static String cut(String text, int most) {
        if (text.getBytes(StandardCharsets.UTF_8).length <= most) {
            return text;
        }
        int end = Math.min(text.length(), most);
        while (text.substring(0, end).getBytes(StandardCharsets.UTF_8).length > most - 3
                || Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end) + "...";
    }

    public Figures figures() {
        return new Figures(written.get(), dropped.get(), filtered.get(), failed.get());
    }

    /** Writes what waits, and completes when that has happened; later events are ignored. */
    public synchronized CompletableFuture<Void> stop() {
        stopping = true;
        if (upkeep != null) {
            upkeep.cancel();
        }
        if (retry != null) {
            retry.cancel();
            retry = null;
            running = false;
        }
        run();
        return stopped.copy();
    }

    /** Starts the writing task, unless it runs. */
    private synchronized void run() {
        if (!running) {
            running = true;
            scheduler.execute("events of " + controller, this::write);
        }
    }

    private synchronized void maintain() {
        if (!stopping) {
            upkeep = scheduler.schedule(SeriesDialect.FINISH, this::maintain);
            if (!running) {
                running = true;
                scheduler.execute("events of " + controller, () -> {
                    keep(dialect.due(false));
                    write();
                });
            }
        }
    }

    private synchronized void keep(List<Dialect.Write> due) {
        due.forEach(write -> queue.addFirst(new Attempt(null, write)));
    }

    private void write() {
        while (true) {
            Attempt now = attempt;
            if (now == null) {
                now = next();
                if (now == null) {
                    return;
                }
                begin(now);
                attempt = now;
            }
            if (!tried(now)) {
                return;
            }
            attempt = null;
        }
    }

    /** Returns the next attempt; null when there is none, and then the writing task ends. */
    private @Nullable Attempt next() {
        while (true) {
            synchronized (this) {
                Attempt first = queue.poll();
                if (first != null) {
                    return first;
                }
                if (!stopping || flushed) {
                    running = false;
                    if (flushed) {
                        scheduler.execute("events of " + controller, () -> stopped.complete(null));
                    }
                    return null;
                }
                flushed = true;
            }
            keep(dialect.due(true));
        }
    }

    private void begin(Attempt now) {
        if (now.occurrence != null) {
            now.write = dialect.observe(now.occurrence);
            now.tries = 0;
        }
        if (now.write.equals(Dialect.FILTERED)) {
            filtered.incrementAndGet();
        }
    }

    /**
     * Returns whether a write is complete; otherwise it is tried again later. Catches errors too: otherwise the next
     * event would not be written.
     */
    @SuppressWarnings("CatchThrowable")
    private boolean tried(Attempt now) {
        if (now.write.equals(Dialect.NOTHING) || now.write.equals(Dialect.FILTERED)) {
            return true;
        }
        now.tries++;
        try {
            now.write.to(client);
            undecided = false;
            written.incrementAndGet();
            return true;
        } catch (AlreadyExistsException e) {
            // an earlier attempt, whose answer was lost
            written.incrementAndGet();
            return true;
        } catch (NotFoundException | ForbiddenException e) {
            if (undecided && now.occurrence != null && lacking(e)) {
                var info = LOG.atInfo().addKeyValue("controller", controller);
                info.log("events.k8s.io is not available: writing core events");
                undecided = false;
                dialect = new CoreDialect(scheduler, controller, instance);
                begin(now);
                return tried(now);
            }
            return givenUp(e);
        } catch (ApiException e) {
            boolean passing = e.code() >= 500 || e instanceof TooManyRequestsException;
            return passing ? later(now, e) : givenUp(e);
        } catch (Throwable e) {
            return later(now, e);
        }
    }

    /** Returns whether the whole API is not served or permitted, as opposed to a missing or terminating namespace. */
    private static boolean lacking(ApiException refusal) {
        Optional<Status.Details> details = refusal.status().details();
        return refusal.causes().isEmpty()
                && details.stream().noneMatch(known -> known.kind().equals("namespaces"));
    }

    private boolean givenUp(Throwable e) {
        LOG.atDebug().addKeyValue("controller", controller).setCause(e).log("an event could not be written");
        failed.incrementAndGet();
        return true;
    }

    private boolean later(Attempt now, Throwable e) {
        double part = now.tries == 1 ? scheduler.random().nextDouble() : 1;
        synchronized (this) {
            if (now.tries < TRIES && !stopping) {
                retry = scheduler.schedule(Duration.ofNanos((long) (WAIT.toNanos() * part)), this::again);
                return false;
            }
        }
        return givenUp(e);
    }

    private synchronized void again() {
        if (retry != null) {
            retry = null;
            running = false;
            run();
        }
    }
}
