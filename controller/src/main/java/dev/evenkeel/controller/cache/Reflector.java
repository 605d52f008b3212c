package dev.evenkeel.controller.cache;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.Watch;
import dev.evenkeel.controller.cache.InformerOptions.Mode;
import dev.evenkeel.controller.cache.ReflectorStep.Lists;
import dev.evenkeel.controller.cache.ReflectorStep.Watches;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists once, watches from there on, and recovers from any failure.
 *
 * <h2>The problem</h2>
 *
 * <p>Watches end after a while; connections break, sometimes silently; servers forget old versions, lag behind each
 * other, or are overloaded. A new list solves all of that, but lists of a large kind are also what overloads servers.
 * So it is the last resort.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>At most one list or watch is current: the one of the present turn. Each has a number, which its results carry,
 *       and results with an earlier number are ignored. So a delayed event of an abandoned watch cannot undo one of the
 *       next.
 *   <li>A watch begins at the version last seen, in a list, event or bookmark: the latest received, not the greatest.
 *       Versions are opaque.
 *   <li>A new list is made only when necessary: the server has forgotten the version, does not know it yet, or refuses
 *       it permanently. Ends, broken connections and "too many requests" are not reasons.
 *   <li>A list that follows one refused for its version is of the present state. When its continue token expires, the
 *       next list is in one answer. {@link ReflectorStep} decides this.
 *   <li>Until it is stopped, either a step runs, or a timer is set: a silent watch and an unanswered list are ended,
 *       too. Their thread is interrupted and abandoned, whether or not it returns.
 * </ol>
 *
 * <p>The results of an incomplete list, in pages or as a stream, stay, and the next complete list corrects them.
 * Nothing counts as complete before that. Keeping them apart until the list is complete would need the memory of all
 * objects twice, and only readers that do not wait for the first list could tell the difference.
 *
 * <h2>Concurrency and cost</h2>
 *
 * <p>Steps are tasks of a {@link Scheduler}; no thread waits, except that of the watch in real time. Why pages by
 * default, when servers can stream lists: a page is one text for 500 objects, a streamed object is an event of its own,
 * which costs both sides more.
 */
final class Reflector<O extends HasMetadata> {
    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

    private static final Duration BRIEF = Duration.ofSeconds(1);

    /** Receives the results; turns only grow, and results of an earlier turn do not count. */
    interface Sink<O extends HasMetadata> {
        /** Called when a list begins; see {@link Replica#listBegins}. */
        void listBegins(long turn, boolean latest);

        void listed(long turn, O object);

        /** Called for a listed object that was deleted before the list ended. */
        void unlisted(long turn, O object, String version);

        void listEnds(long turn, String version);

        /** Called when a watch begins where the list, or the previous watch, ended. */
        void watchBegins(long turn);

        void event(long turn, Watch.Event<O> event);

        void failed(RuntimeException failure);
    }

    private enum Life {
        NEW,
        STARTED,
        STOPPED
    }

    private final Client client;
    private final Kind<O> kind;
    private final ListOptions selection;
    private final Scheduler scheduler;
    private final InformerOptions options;
    private final Sink<O> sink;

    /** The listed and watched kind, for display. */
    final String followed;

    private final String name;

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private Life life = Life.NEW;
    private int running;
    private ReflectorStep next;
    private boolean relistWanted;
    private String version = "";
    private int failures;
    private long turn;
    private long calls;
    /** The number of the unanswered call; 0 when there is none. */
    private long call;

    private @Nullable Reading reading;
    private Scheduler.@Nullable Job job;
    private Scheduler.@Nullable Timer timer;

    private final AtomicLong relists = new AtomicLong();
    private final AtomicLong restarts = new AtomicLong();
    private volatile long lastHeard;

    Reflector(
            Client client,
            Kind<O> kind,
            ListOptions selection,
            Scheduler scheduler,
            InformerOptions options,
            Sink<O> sink) {
        this.client = client;
        this.kind = kind;
        String namespace = selection.namespace();
        this.selection = ListOptions.in(namespace).labels(selection.labels()).fields(selection.fields());
        this.scheduler = scheduler;
        this.options = options;
        this.sink = sink;
        this.next = new Lists("0", options.mode(), false);
        this.followed = namespace.isEmpty() ? kind.id() : kind.id() + " in " + namespace;
        this.name = "reflector " + followed;
        this.lastHeard = scheduler.nanoTime();
    }

    /** Returns the number of lists after the first. */
    long relists() {
        return Math.max(0, relists.get() - 1);
    }

    /** Returns the number of watches after the first. */
    long restarts() {
        return Math.max(0, restarts.get() - 1);
    }

    /** Returns the time since the server last sent anything. */
    Duration quiet() {
        return Duration.ofNanos(Math.max(0, scheduler.nanoTime() - lastHeard));
    }

    synchronized void start() {
        if (life == Life.NEW) {
            life = Life.STARTED;
            lastHeard = scheduler.nanoTime();
            run();
        }
    }

    /** Schedules a new list. */
    void relist() {
        Reading open;
        synchronized (this) {
            relistWanted = true;
            open = reading;
        }
        if (open != null) {
            over(open, null);
        }
    }

    /** Stops; there are no results after {@link #ended} completes. */
    void stop() {
        Reading open;
        synchronized (this) {
            if (stopped()) {
                return;
            }
            life = Life.STOPPED;
            open = reading;
            reading = null;
            running++;
            if (timer != null) {
                timer.cancel();
            }
            if (job != null) {
                job.interrupt();
            }
        }
        if (open != null) {
            Scheduler.Job unused = scheduler.execute(name, open.watch::close);
        }
        left();
    }

    CompletableFuture<Void> ended() {
        return ended.copy();
    }

    // ---- steps

    /** Continues at once. With the lock. */
    private void run() {
        running++;
        job = scheduler.execute(name, () -> {
            try {
                step();
            } finally {
                left();
            }
        });
    }

    private void left() {
        boolean last;
        synchronized (this) {
            running--;
            last = stopped() && running == 0;
        }
        if (last) {
            ended.complete(null);
        }
    }

    /** Continues after a delay. With the lock. */
    private void runAfter(Duration delay) {
        timer = scheduler.schedule(delay, () -> {
            synchronized (this) {
                if (!stopped()) {
                    run();
                }
            }
        });
    }

    /** With the lock. */
    private boolean stopped() {
        return life == Life.STOPPED;
    }

    /** Returns whether results with this number count. */
    private synchronized boolean current(long mine) {
        return !stopped() && turn == mine;
    }

    // anything thrown, errors too: a step must have a next one
    @SuppressWarnings("CatchThrowable")
    private void step() {
        ReflectorStep step;
        long mine;
        synchronized (this) {
            if (stopped()) {
                return;
            }
            if (relistWanted) {
                relistWanted = false;
                next = next.relist("");
            }
            step = next;
            mine = ++turn;
        }
        try {
            if (step instanceof Lists list) {
                relists.incrementAndGet();
                if (list.mode() != Mode.STREAM) {
                    list(mine, list);
                }
            }
            if (current(mine)) {
                watch(mine);
            }
        } catch (RuntimeException e) {
            failed(mine, e);
        } catch (Throwable e) {
            failed(mine, new IllegalStateException("a list could not be stored: " + e, e));
        }
    }

    /** Sends a request, and abandons it when it is not answered in time; a later answer does not count. */
    private <R> R call(long mine, String what, Supplier<R> request) {
        long begun;
        synchronized (this) {
            begun = ++calls;
            call = begun;
        }
        Scheduler.Timer guard = scheduler.schedule(options.callTimeout(), () -> giveUp(mine, begun, what));
        try {
            return request.get();
        } finally {
            guard.cancel();
            synchronized (this) {
                call = call == begun ? 0 : call;
                lastHeard = current(mine) ? scheduler.nanoTime() : lastHeard;
            }
        }
    }

    private void giveUp(long mine, long begun, String what) {
        synchronized (this) {
            if (!current(mine) || call != begun) {
                return;
            }
            call = 0;
            if (job != null) {
                job.interrupt();
            }
        }
        String message = what + " of " + followed + " was not answered within " + options.callTimeout();
        failed(mine, new UncheckedIOException(new SocketTimeoutException(message)));
    }

    private void list(long mine, Lists list) {
        boolean inPages = list.mode() == Mode.PAGES && !list.whole();
        ListOptions page = selection.resourceVersion(list.at()).limit(inPages ? options.pageSize() : 0);
        sink.listBegins(mine, list.at().isEmpty());
        Listing<O> listing = call(mine, "a list", () -> client.list(kind, page));
        String found = listing.resourceVersion();
        while (true) {
            for (O object : listing.items()) {
                if (!current(mine)) {
                    return;
                }
                sink.listed(mine, object);
            }
            if (listing.continueToken().isEmpty()) {
                break;
            }
            // the continue token implies the version; a server refuses both
            ListOptions more = page.resourceVersion("").continueToken(listing.continueToken());
            listing = call(mine, "a page of a list", () -> client.list(kind, more));
        }
        if (current(mine)) {
            listed(mine, found);
        }
    }

    private void listed(long mine, String found) {
        sink.listEnds(mine, found);
        synchronized (this) {
            if (turn == mine && next instanceof Lists list) {
                version = found;
                next = new Watches(list, 0);
            }
        }
    }

    private void watch(long mine) {
        String from;
        boolean stream;
        synchronized (this) {
            if (overtaken()) {
                return;
            }
            stream = next instanceof Lists;
            from = next instanceof Lists list ? list.at() : version;
        }
        Duration least = options.watchAtLeast();
        double more = least.toMillis() * scheduler.random().nextDouble();
        ListOptions what =
                selection.resourceVersion(from).sendInitialEvents(stream).timeout(least.plusMillis((long) more));
        if (stream) {
            sink.listBegins(mine, from.isEmpty());
        } else {
            sink.watchBegins(mine);
        }
        Watch<O> watch = call(mine, "a watch", () -> client.watch(kind, what));
        Reading opened = new Reading(mine, watch, stream);
        boolean late;
        synchronized (this) {
            restarts.incrementAndGet();
            late = !current(mine) || overtaken();
            if (!late) {
                reading = opened;
                running++;
            }
        }
        if (late) {
            watch.close();
            return;
        }
        Scheduler.Job read = scheduler.read("watch " + followed, watch, opened);
        synchronized (this) {
            job = read;
            if (stopped()) {
                read.interrupt();
            }
        }
        opened.guard();
    }

    /** Makes the list that was requested meanwhile instead; returns false when there is none. With the lock. */
    private boolean overtaken() {
        if (relistWanted) {
            run();
        }
        return relistWanted;
    }

    /** One watch. Its events do not count after it is no longer the current one. */
    private final class Reading implements Scheduler.WatchReader<O> {
        private final long mine;
        private final Watch<O> watch;
        private final long began = scheduler.nanoTime();
        private volatile long last = began;
        private boolean initial;
        private boolean quiet = true;

        Reading(long mine, Watch<O> watch, boolean initial) {
            this.mine = mine;
            this.watch = watch;
            this.initial = initial;
        }

        private boolean current() {
            synchronized (Reflector.this) {
                return reading == this;
            }
        }

        /** Checks whether the watch has been silent for too long. */
        void guard() {
            long rest = options.silence().toNanos() - (scheduler.nanoTime() - last);
            Scheduler.Timer guard = scheduler.schedule(Duration.ofNanos(Math.max(rest, 1_000_000)), () -> {
                if (!current()) {
                    return;
                }
                if (scheduler.nanoTime() - last < options.silence().toNanos()) {
                    guard();
                } else {
                    var warning = LOG.atWarn().addKeyValue("kind", followed);
                    warning.log("no event within {}; restarting the watch", options.silence());
                    over(this, null);
                }
            });
            synchronized (Reflector.this) {
                if (reading == this) {
                    timer = guard;
                }
            }
        }

        // a failing sink must not end the thread silently: no event would be delivered any more
        @Override
        @SuppressWarnings("CatchThrowable")
        public void event(Watch.Event<O> event) {
            if (!current()) {
                return;
            }
            last = scheduler.nanoTime();
            lastHeard = last;
            quiet = false;
            try {
                take(event);
            } catch (Throwable e) {
                over(this, new IllegalStateException("an event could not be stored: " + e, e));
            }
        }

        private void take(Watch.Event<O> event) {
            if (initial) {
                initial(event);
                return;
            }
            sink.event(mine, event);
            synchronized (Reflector.this) {
                if (reading == this) {
                    version = event.resourceVersion().isEmpty() ? version : event.resourceVersion();
                    next = next instanceof Watches watches ? watches.heard() : next;
                }
            }
        }

        private void initial(Watch.Event<O> event) {
            switch (event.type()) {
                case ADDED, MODIFIED -> sink.listed(mine, event.object());
                case DELETED -> sink.unlisted(mine, event.object(), event.resourceVersion());
                case BOOKMARK -> {
                    if (event.initialEventsEnd()) {
                        initial = false;
                        listed(mine, event.resourceVersion());
                    }
                }
            }
        }

        @Override
        public void ended() {
            over(this, null);
            left();
        }

        @Override
        public void failed(RuntimeException failure) {
            over(this, failure);
            left();
        }
    }

    /** Continues after a watch that ended, failed, or was abandoned. */
    private void over(Reading which, @Nullable RuntimeException failure) {
        synchronized (this) {
            if (reading != which) {
                return;
            }
            reading = null;
            if (timer != null) {
                timer.cancel();
            }
            long age = scheduler.nanoTime() - which.began;
            if (age >= options.healthyAfter().toNanos()) {
                failures = 0;
            }
            boolean brief = which.quiet && age < BRIEF.toNanos();
            if (failure == null && (relistWanted || !brief)) {
                run();
            } else if (failure == null) {
                // ended at once, without an event: not to be repeated as fast as possible
                runAfter(delay());
            }
        }
        Scheduler.Job unused = scheduler.execute(name, which.watch::close);
        if (failure != null) {
            failed(which.mine, failure);
        }
    }

    /** With the lock. */
    private Duration delay() {
        return options.backoff().delay(failures++, scheduler.random());
    }

    private void failed(long mine, RuntimeException failure) {
        Duration delay;
        ReflectorStep failed;
        ReflectorStep step;
        synchronized (this) {
            if (!current(mine)) {
                return;
            }
            turn++;
            failed = next;
            step = failed.after(failure, version);
            next = step;
            // a different list may follow at once; a repeated one has to wait
            delay = failed instanceof Lists && !step.equals(failed) ? Duration.ZERO : delay();
            if (failure instanceof ApiException refused) {
                Optional<Status.Details> details = refused.status().details();
                Duration asked = Duration.ofSeconds(
                        details.map(Status.Details::retryAfterSeconds).orElse(0));
                delay = asked.compareTo(delay) > 0 ? asked : delay;
            }
            runAfter(delay);
        }
        LOG.atWarn()
                .addKeyValue("kind", followed)
                .addKeyValue("retryAfter", delay)
                .addKeyValue("failed", failed)
                .addKeyValue("next", step)
                .log("list or watch failed: {}", String.valueOf(failure.getMessage()));
        sink.failed(failure);
    }
}
