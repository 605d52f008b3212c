package dev.evenkeel.controller.cache;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Watch;
import dev.evenkeel.controller.cache.ReflectorStep.Lists;
import dev.evenkeel.controller.cache.ReflectorStep.Watches;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists once, watches from there on, and whatever happens gets back to it.
 *
 * <h2>The problem</h2>
 *
 * <p>Watches end after a while, connections break, some without a word; servers forget old versions, are not as far yet
 * as another one was, or have too much to do. A new list is the answer to all of that, and for a big kind it is also what
 * breaks servers. So it is the last resort.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>Of lists and watches there is at most one at a time that is listened to: the one of the present turn. Each has a
 *       number, what it brings carries it, and what comes with a number that is over does nothing. So an event that was
 *       on its way when its watch was given up cannot undo what the next one told.
 *   <li>A watch begins at the version last seen, of list, event or bookmark: the one that came last, not the greatest. A
 *       version is not looked into.
 *   <li>Listed again is only what must be: the server has forgotten the version, does not know it yet, or refuses it for
 *       good. Ends, broken connections and "too many requests" are not reasons.
 *   <li>A list after one that was refused for its version is of the present state. When a continue token of that one
 *       expires, the next list is in one answer. {@link ReflectorStep} decides this.
 *   <li>While it is not stopped, either something runs, or a timer is set: also a watch that says nothing ends, and a
 *       list that is not answered. Its thread is interrupted and left to itself; whether it ever comes back is no matter.
 * </ol>
 *
 * <p>A list that does not come to its end, of pages or as a stream, has brought what it brought: it stays, and the list
 * that ends puts right what was wrong. Nothing counts as complete before that. To keep it apart until it is complete
 * would need the memory of all objects twice, and only readers who do not wait for the first list could tell the
 * difference.
 *
 * <h2>Concurrency and cost</h2>
 *
 * <p>Steps are tasks of a {@link Scheduler}; there is no thread that waits, but that of the watch in real time. Why in
 * pages by default, when servers can stream lists: a page is one text for 500 objects, a streamed object is an event of
 * its own, which costs both sides more.
 */
final class Reflector<O extends HasMetadata> {
    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

    private static final Duration BRIEF = Duration.ofSeconds(1);

    /** What it finds goes here; turns only grow, and what has an older one than came before does not count. */
    interface Sink<O extends HasMetadata> {
        /** A list begins; see {@link Replica#listBegins}. */
        void listBegins(long turn, boolean latest);

        void listed(long turn, O object);

        /** An object that was listed went before the list ended. */
        void unlisted(long turn, O object, String version);

        void listEnds(long turn, String version);

        /** A watch begins where the list, or the watch before it, ended. */
        void watchBegins(long turn);

        /** An event of a watch. */
        void event(long turn, Watch.Event<O> event);

        /** A list or a watch failed. */
        void failed(RuntimeException failure);
    }

    private enum Life {
        NEW,
        STARTED,
        STOPPED
    }

    /** A request that has not been answered. */
    private static final class Call {
        final long turn;
        final String what;

        Call(long turn, String what) {
            this.turn = turn;
            this.what = what;
        }
    }

    private final Client client;
    private final Kind<O> kind;
    private final ListOptions selection;
    private final Scheduler scheduler;
    private final InformerOptions options;
    private final Sink<O> sink;
    private final String followed;
    private final String name;

    private final ReentrantLock lock = new ReentrantLock();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private Life life = Life.NEW;
    private int running;
    private ReflectorStep next;
    private boolean relistWanted;
    private String version = "";
    private int failures;
    private long turn;
    private @Nullable Call call;
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
        this.selection = selection
                .withContinue("")
                .withLimit(0)
                .withResourceVersion("")
                .withSendInitialEvents(false)
                .withTimeout(Duration.ZERO);
        this.scheduler = scheduler;
        this.options = options;
        this.sink = sink;
        this.next = new Lists("0", options.mode(), false);
        String namespace = selection.namespace();
        this.followed = namespace.isEmpty() ? kind.id() : kind.id() + " in " + namespace;
        this.name = "reflector " + followed;
        this.lastHeard = scheduler.nanoTime();
    }

    /** What it lists and watches, for people. */
    String followed() {
        return followed;
    }

    /** How often everything was listed, without the first time. */
    long relists() {
        return Math.max(0, relists.get() - 1);
    }

    /** How often a watch was opened, without the first time. */
    long restarts() {
        return Math.max(0, restarts.get() - 1);
    }

    /** How long ago the server said something. */
    Duration quiet() {
        return Duration.ofNanos(Math.max(0, scheduler.nanoTime() - lastHeard));
    }

    void start() {
        lock.lock();
        try {
            if (life != Life.NEW) {
                return;
            }
            life = Life.STARTED;
            lastHeard = scheduler.nanoTime();
            run();
        } finally {
            lock.unlock();
        }
    }

    /** Lists everything again, soon. */
    void relist() {
        Reading open;
        lock.lock();
        try {
            relistWanted = true;
            open = reading;
        } finally {
            lock.unlock();
        }
        if (open != null) {
            over(open, null);
        }
    }

    /** Ends it; nothing is told any more after {@link #ended} completes. */
    void stop() {
        Reading open;
        boolean idle;
        lock.lock();
        try {
            if (stopped()) {
                return;
            }
            life = Life.STOPPED;
            open = reading;
            reading = null;
            idle = running == 0;
            if (timer != null) {
                timer.cancel();
            }
            if (job != null) {
                job.interrupt();
            }
        } finally {
            lock.unlock();
        }
        if (open != null) {
            Scheduler.Job unused = scheduler.execute(name, open.watch::close);
        }
        if (idle) {
            ended.complete(null);
        }
    }

    CompletableFuture<Void> ended() {
        return ended.copy();
    }

    // ---- steps

    /** Goes on at once. With the lock. */
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
        lock.lock();
        try {
            running--;
            last = stopped() && running == 0;
        } finally {
            lock.unlock();
        }
        if (last) {
            ended.complete(null);
        }
    }

    /** Goes on after a delay. With the lock. */
    private void runAfter(Duration delay) {
        timer = scheduler.schedule(delay, () -> {
            lock.lock();
            try {
                if (!stopped()) {
                    run();
                }
            } finally {
                lock.unlock();
            }
        });
    }

    /** With the lock. */
    private boolean stopped() {
        return life == Life.STOPPED;
    }

    /** Whether what comes with this number counts. */
    private boolean current(long mine) {
        lock.lock();
        try {
            return !stopped() && turn == mine;
        } finally {
            lock.unlock();
        }
    }

    // whatever goes wrong, errors too: a step that ends without a next one would be the last
    @SuppressWarnings("CatchThrowable")
    private void step() {
        ReflectorStep step;
        long mine;
        lock.lock();
        try {
            if (stopped()) {
                return;
            }
            if (relistWanted) {
                relistWanted = false;
                next = next.relist("");
            }
            step = next;
            mine = ++turn;
        } finally {
            lock.unlock();
        }
        try {
            if (step instanceof Lists list) {
                relists.incrementAndGet();
                if (!list.streams()) {
                    list(mine, list);
                }
            }
            if (current(mine)) {
                watch(mine);
            }
        } catch (Throwable e) {
            failed(
                    mine,
                    e instanceof RuntimeException failure
                            ? failure
                            : new IllegalStateException("a list could not be taken: " + e, e));
        }
    }

    /** Sends a request, and gives it up when it is not answered in time; a later answer does not count. */
    private <R> R call(long mine, String what, Supplier<R> request) {
        Call begun = new Call(mine, what);
        lock.lock();
        try {
            call = begun;
        } finally {
            lock.unlock();
        }
        Scheduler.Timer guard = scheduler.schedule(options.callTimeout(), () -> giveUp(begun));
        try {
            return request.get();
        } finally {
            guard.cancel();
            lock.lock();
            try {
                if (call == begun) {
                    call = null;
                }
            } finally {
                lock.unlock();
            }
            heard(mine);
        }
    }

    private void giveUp(Call begun) {
        lock.lock();
        try {
            if (stopped() || turn != begun.turn || call != begun) {
                return;
            }
            call = null;
            if (job != null) {
                job.interrupt();
            }
        } finally {
            lock.unlock();
        }
        failed(
                begun.turn,
                new UncheckedIOException(new SocketTimeoutException(
                        begun.what + " of " + followed + " was not answered within " + options.callTimeout())));
    }

    private void list(long mine, Lists list) {
        ListOptions page = selection.withResourceVersion(list.at()).withLimit(list.inPages() ? options.pageSize() : 0);
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
            String token = listing.continueToken();
            if (token.isEmpty()) {
                break;
            }
            // the token says which version; a server refuses to be told twice
            listing = call(
                    mine,
                    "a page of a list",
                    () -> client.list(kind, page.withResourceVersion("").withContinue(token)));
        }
        if (current(mine)) {
            listed(mine, found);
        }
    }

    private void listed(long mine, String found) {
        sink.listEnds(mine, found);
        lock.lock();
        try {
            if (turn == mine && next instanceof Lists list) {
                version = found;
                next = new Watches(list, 0);
            }
        } finally {
            lock.unlock();
        }
    }

    private void watch(long mine) {
        String from;
        boolean stream;
        lock.lock();
        try {
            if (relistWanted) {
                // while it was listed
                run();
                return;
            }
            stream = next instanceof Lists;
            from = next instanceof Lists list ? list.at() : version;
        } finally {
            lock.unlock();
        }
        double chance = scheduler.random().nextDouble();
        Duration timeout = options.watchAtLeast()
                .plusMillis((long) (chance * options.watchAtLeast().toMillis()));
        ListOptions what = selection
                .withResourceVersion(from)
                .withSendInitialEvents(stream)
                .withTimeout(timeout);
        if (stream) {
            sink.listBegins(mine, from.isEmpty());
        } else {
            sink.watchBegins(mine);
        }
        Watch<O> watch = call(mine, "a watch", () -> client.watch(kind, what));
        Reading opened = new Reading(mine, watch, stream);
        boolean late;
        lock.lock();
        try {
            restarts.incrementAndGet();
            late = stopped() || turn != mine;
            if (!late && relistWanted) {
                late = true;
                run();
            }
            if (!late) {
                reading = opened;
                running++;
            }
        } finally {
            lock.unlock();
        }
        if (late) {
            watch.close();
            return;
        }
        Scheduler.Job read = scheduler.read("watch " + followed, watch, opened);
        lock.lock();
        try {
            job = read;
            if (stopped()) {
                read.interrupt();
            }
        } finally {
            lock.unlock();
        }
        opened.guard();
    }

    private void heard(long mine) {
        if (current(mine)) {
            lastHeard = scheduler.nanoTime();
        }
    }

    /** One watch. What comes after it is no longer the current one is not told. */
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
            lock.lock();
            try {
                return reading == this;
            } finally {
                lock.unlock();
            }
        }

        /** Looks, when it might have been silent too long, whether it was. */
        void guard() {
            long rest = options.silence().toNanos() - (scheduler.nanoTime() - last);
            Scheduler.Timer guard = scheduler.schedule(Duration.ofNanos(Math.max(rest, 1_000_000)), () -> {
                if (!current()) {
                    return;
                }
                if (scheduler.nanoTime() - last < options.silence().toNanos()) {
                    guard();
                } else {
                    LOG.atWarn()
                            .addKeyValue("kind", followed)
                            .addKeyValue("silence", options.silence())
                            .log("the watch says nothing, watching anew");
                    over(this, null);
                }
            });
            lock.lock();
            try {
                if (reading == this) {
                    timer = guard;
                }
            } finally {
                lock.unlock();
            }
        }

        // what cannot be taken must not end the thread unseen: nothing would ever be told again
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
                over(this, new IllegalStateException("an event could not be taken: " + e, e));
            }
        }

        private void take(Watch.Event<O> event) {
            if (initial) {
                initial(event);
                return;
            }
            sink.event(mine, event);
            lock.lock();
            try {
                if (reading == this) {
                    if (!event.resourceVersion().isEmpty()) {
                        version = event.resourceVersion();
                    }
                    if (next instanceof Watches watches) {
                        next = watches.heard();
                    }
                }
            } finally {
                lock.unlock();
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

        boolean brief() {
            return quiet && scheduler.nanoTime() - began < BRIEF.toNanos();
        }

        boolean healthy() {
            return scheduler.nanoTime() - began >= options.healthyAfter().toNanos();
        }
    }

    /** A watch is over: it ended, failed, or is given up. */
    private void over(Reading which, @Nullable RuntimeException failure) {
        boolean wanted;
        lock.lock();
        try {
            if (reading != which) {
                return;
            }
            reading = null;
            wanted = relistWanted;
            if (timer != null) {
                timer.cancel();
            }
            if (which.healthy()) {
                failures = 0;
            }
            if (failure == null && (wanted || !which.brief())) {
                run();
            } else if (failure == null) {
                // ended at once, without a word: not to be repeated as fast as possible
                runAfter(delay());
            }
        } finally {
            lock.unlock();
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
        lock.lock();
        try {
            if (stopped() || turn != mine) {
                return;
            }
            turn++;
            failed = next;
            step = failed.after(failure, version);
            next = step;
            // a list that was changed is another one; the same one again has to wait
            delay = failed instanceof Lists && !step.equals(failed) ? Duration.ZERO : delay();
            ApiException refused = failure instanceof ApiException api ? api : null;
            if (refused != null) {
                long asked = refused.status()
                        .details()
                        .map(d -> (long) d.retryAfterSeconds())
                        .orElse(0L);
                if (Duration.ofSeconds(asked).compareTo(delay) > 0) {
                    delay = Duration.ofSeconds(asked);
                }
            }
            runAfter(delay);
        } finally {
            lock.unlock();
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
