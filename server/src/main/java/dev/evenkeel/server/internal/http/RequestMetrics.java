package dev.evenkeel.server.internal.http;

import dev.evenkeel.engine.internal.type.WebhookObserver;
import dev.evenkeel.server.internal.audit.AuditMetrics;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts requests and watches, and what admission does. */
public interface RequestMetrics extends AuditMetrics, WebhookObserver {
    /** Counts a request as begun. */
    void requestStarted(boolean mutating);

    /** Counts a request as done; {@link #requestAnswered} records its outcome. */
    void requestFinished(boolean mutating);

    /**
     * Records the outcome of a request.
     *
     * @param nanos its duration
     * @param bytes the size of the body of its answer
     */
    void requestAnswered(Labels labels, int code, boolean dryRun, long nanos, long bytes);

    /** Returns the number of requests being processed. */
    int inFlight();

    /** Records how long the search for the sender of a request took. */
    void authenticated(Optional<String> user, long nanos);

    /** Records how long the decision about a request took. */
    void authorized(boolean allowed, long nanos);

    /** Counts a write that was refused by its fence. */
    void fenced();

    /** Counts events of watches. */
    void events(Labels labels, long count);

    /** Counts a watch as begun. */
    void watchBegun(Labels labels);

    /** Counts a watch as ended. */
    void watchEnded(Labels labels);

    /** Records how many objects of a resource are stored. */
    void storage(String group, String resource, String id, long objects);

    /** Counts a request that was refused to protect the server. */
    void terminated(Labels labels, int code);

    /** Records that a deprecated API was used. */
    void deprecated(Labels labels);

    /** Records the result of a health check. */
    void checked(String name, String path, boolean passed);

    /** Counts a request that a priority level has admitted, until the returned action is run. */
    Runnable dispatched(String level, String schema);

    /** Counts a request that waits in a queue of a priority level, until the returned action is run. */
    Runnable queued(String level, String schema);

    /**
     * Records how long a request waited for a priority level that has queues.
     *
     * @param executed whether it was admitted
     */
    void waited(String level, String schema, boolean executed, long nanos);

    /**
     * Records the seats of a priority level.
     *
     * @param limit the limit that they are: {@code nominal}, {@code lower}, {@code upper} or {@code current}
     */
    void seats(String level, String limit, int seats);

    /** Counts a request that a priority level has refused. */
    void rejected(String level, String schema, String reason);

    /** Returns the present values in the text format of Prometheus. */
    String scrape();

    /** Returns the results of health checks in the text format of Prometheus. */
    String scrapeChecks();

    /** Returns metrics that count the requests being processed, and nothing else. */
    static RequestMetrics none() {
        AtomicInteger inFlight = new AtomicInteger();
        return new RequestMetrics() {
            @Override
            public void requestStarted(boolean mutating) {
                inFlight.incrementAndGet();
            }

            @Override
            public void requestFinished(boolean mutating) {
                inFlight.decrementAndGet();
            }

            @Override
            public void requestAnswered(Labels labels, int code, boolean dryRun, long nanos, long bytes) {}

            @Override
            public int inFlight() {
                return inFlight.get();
            }

            @Override
            public void authenticated(Optional<String> user, long nanos) {}

            @Override
            public void authorized(boolean allowed, long nanos) {}

            @Override
            public Call begun(String name, String operation, boolean mutating) {
                return NONE.begun(name, operation, mutating);
            }

            @Override
            public void fenced() {}

            @Override
            public void events(Labels labels, long count) {}

            @Override
            public void watchBegun(Labels labels) {}

            @Override
            public void watchEnded(Labels labels) {}

            @Override
            public void storage(String group, String resource, String id, long objects) {}

            @Override
            public void terminated(Labels labels, int code) {}

            @Override
            public void deprecated(Labels labels) {}

            @Override
            public void checked(String name, String path, boolean passed) {}

            @Override
            public void auditEvent() {}

            @Override
            public void auditLevel(String level) {}

            @Override
            public void auditFailed(long events) {}

            @Override
            public Runnable dispatched(String level, String schema) {
                return () -> {};
            }

            @Override
            public Runnable queued(String level, String schema) {
                return () -> {};
            }

            @Override
            public void waited(String level, String schema, boolean executed, long nanos) {}

            @Override
            public void seats(String level, String limit, int seats) {}

            @Override
            public void rejected(String level, String schema, String reason) {}

            @Override
            public String scrape() {
                return "";
            }

            @Override
            public String scrapeChecks() {
                return "";
            }
        };
    }
}
