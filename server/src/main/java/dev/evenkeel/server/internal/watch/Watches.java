package dev.evenkeel.server.internal.watch;

import static java.util.Objects.requireNonNull;

import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.read.WatchQuery;
import dev.evenkeel.engine.internal.read.WatchStream;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.server.Server;
import dev.evenkeel.server.internal.audit.AuditEvent;
import dev.evenkeel.server.internal.http.EventSink;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Labels;
import dev.evenkeel.server.internal.http.Representation;
import dev.evenkeel.server.internal.http.RequestMetrics;
import dev.evenkeel.server.internal.resource.OptionsReader;
import dev.evenkeel.server.internal.resource.ResponseRenderer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The open watches: opens them over HTTP and WebSocket, and ends them all when the server stops. */
public final class Watches {
    private static final long REST_NANOS_A_WATCH = 10_000;
    private static final long REST_NANOS_LEAST = 500_000;
    private static final long REST_NANOS_MOST = 10_000_000;

    private final Set<WatchPump> open = ConcurrentHashMap.newKeySet();
    private final Server.Limits limits;
    private final RequestMetrics metrics;
    private final Executor executor;
    private final ScheduledThreadPoolExecutor timer;
    private final boolean ownTimer;
    private volatile boolean stopping;

    /** Creates watches with a timer of their own. */
    public Watches(Server.Limits limits, RequestMetrics metrics, Executor executor) {
        this(limits, metrics, executor, newTimer(), true);
    }

    private Watches(
            Server.Limits limits,
            RequestMetrics metrics,
            Executor executor,
            ScheduledThreadPoolExecutor timer,
            boolean ownTimer) {
        this.limits = limits;
        this.metrics = metrics;
        this.executor = executor;
        this.timer = timer;
        this.ownTimer = ownTimer;
    }

    /** Creates watches with the timer of this process: for APIs that exist for a test, of which there are many. */
    public static Watches brief(Server.Limits limits, RequestMetrics metrics, Executor executor) {
        return new Watches(limits, metrics, executor, Shared.TIMER, false);
    }

    private static final class Shared {
        static final ScheduledThreadPoolExecutor TIMER = newTimer();
    }

    private static ScheduledThreadPoolExecutor newTimer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("evenkeel-watch-timer").factory());
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return timer;
    }

    /**
     * Opens a watch. When this returns normally, the response has begun and the caller must not use the exchange again.
     */
    public void open(HttpExchange call, ResourceApi partition, Target target) {
        // as upstream: the form of a list comes before the options, that of a stream after the watch has begun
        Representation.negotiate(call.accept(), true, ResponseRenderer.available(target));
        WatchQuery query = OptionsReader.watch(call.query());
        long seconds = call.query().integer("timeoutSeconds");
        if (stopping) {
            throw Failures.stopping();
        }
        if (open.size() >= limits.maxWatches()) {
            throw Failures.tooManyRequests();
        }
        AtomicReference<Runnable> wake = new AtomicReference<>(() -> {}); // set when there is a pump to wake
        WatchStream stream = partition.watch(
                target, query, call.user(), () -> requireNonNull(wake.get()).run());
        boolean handedOver = false;
        AuditEvent audit = call.audit();
        call.audit(AuditEvent.NONE); // from now on the watch itself reports its stages
        try {
            Representation form = Representation.negotiateStream(call.accept(), ResponseRenderer.available(target));
            EventEncoder encoder =
                    new EventEncoder(target, new ResponseRenderer(partition, target, form, call.query()));
            Plan plan = new Plan(encoder, stream, wake, timeout(seconds), query.bookmarks(), call.labels(), audit);
            call.transport().stream(encoder.contentType(), encoder.binary(), sink -> {
                WatchPump pump = start(plan, sink);
                return pump::stop;
            });
            handedOver = true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (!handedOver) {
                call.audit(audit);
                stream.close();
            }
        }
    }

    private record Plan(
            EventEncoder encoder,
            WatchStream stream,
            AtomicReference<Runnable> wake,
            Duration timeout,
            boolean bookmarks,
            Labels labels,
            AuditEvent audit) {}

    private Duration timeout(long seconds) {
        if (seconds > 0) {
            return Duration.ofSeconds(Math.min(seconds, TimeUnit.DAYS.toSeconds(365)));
        }
        long min = limits.watchTimeout().toMillis();
        return Duration.ofMillis(min + ThreadLocalRandom.current().nextLong(Math.max(1, min)));
    }

    private WatchPump start(Plan plan, EventSink sink) {
        WatchPump pump = new WatchPump(
                plan.encoder,
                sink,
                executor,
                timer,
                plan.timeout,
                plan.bookmarks ? limits.bookmarkInterval() : Duration.ZERO,
                limits.writeTimeout(),
                this::restNanos,
                n -> metrics.events(plan.labels, n),
                ended -> {
                    open.remove(ended);
                    metrics.watchEnded(plan.labels);
                    plan.audit.completed(200);
                });
        open.add(pump);
        metrics.watchBegun(plan.labels);
        plan.audit.started(200);
        plan.wake.set(pump::signal);
        if (stopping) {
            pump.stop();
        }
        pump.start(plan.stream);
        return pump;
    }

    /** Returns a share for each open watch: about the time to write to all of them; negligible for a few. */
    private long restNanos() {
        long share = open.size() * REST_NANOS_A_WATCH;
        return share < REST_NANOS_LEAST ? 0 : Math.min(share, REST_NANOS_MOST);
    }

    public int count() {
        return open.size();
    }

    /** Ends all watches properly; new ones are refused. */
    public void stop() {
        stopping = true;
        List.copyOf(open).forEach(WatchPump::stop);
    }

    public void close() {
        if (ownTimer) {
            timer.shutdownNow();
        }
    }
}
