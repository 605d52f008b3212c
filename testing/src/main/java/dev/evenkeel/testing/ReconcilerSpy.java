package dev.evenkeel.testing;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * Sees what a running controller reconciles, and why; and acts up in its place when told to. For tests of how a controller
 * is wired: what wakes it, what does not, how it comes again.
 *
 * <pre>{@code
 * ReconcilerSpy<Website> spy = ReconcilerSpy.create();
 * manager.add(Websites.controller().around(spy::around)).start();
 * client.create(site);
 * spy.await(key, Duration.ofSeconds(5));
 * client.create(unrelated);
 * spy.assertNone(Duration.ofMillis(100));
 * }</pre>
 *
 * <p>Each reconciliation that ended is awaited once: {@link #await} gives the oldest that was not, so what happened before
 * the call is not missed, and {@link #assertNone} fails on one that nobody awaited. By default everything passes to the
 * controller's own reconciler. Safe for use by several threads.
 *
 * @param <T> class of the primary objects
 */
public final class ReconcilerSpy<T extends HasMetadata> {
    /**
     * A reconciliation that ended.
     *
     * @param number counted from 1 in the order in which they began
     * @param key of the primary object
     * @param resource the object as the controller saw it; empty when it was gone
     * @param causes why it happened
     * @param failures how often in a row it had failed before
     * @param result what it returned; empty when it threw
     * @param error what it threw; empty when it returned
     */
    public record Seen<T extends HasMetadata>(
            int number,
            ObjectKey key,
            Optional<T> resource,
            List<String> causes,
            int failures,
            Optional<Result> result,
            Optional<Throwable> error) {
        @Override
        public String toString() {
            return number + ": " + key + (resource.isEmpty() ? ", gone" : "") + ", by " + causes + " -> "
                    + error.map(Throwable::toString)
                            .or(() -> result.map(Result::toString))
                            .orElse("");
        }
    }

    /** What is done in place of the reconciler, or not. */
    @FunctionalInterface
    private interface Act<T extends HasMetadata> {
        Result play(Reconciler<T> reconciler, Reconciliation<T> reconciliation);
    }

    private record Waiter<T extends HasMetadata>(Predicate<ObjectKey> wanted, CompletableFuture<Seen<T>> found) {}

    private static final class Gauge {
        private int now;
        private int most;

        void up() {
            now++;
            most = Math.max(most, now);
        }
    }

    private final Time time;
    private final Object lock = new Object();
    private final ArrayDeque<Act<T>> acts = new ArrayDeque<>();
    private final List<Hold> holds = new ArrayList<>();
    private final List<Seen<T>> all = new ArrayList<>();
    private final List<Seen<T>> unawaited = new ArrayList<>();
    private final List<Waiter<T>> waiters = new ArrayList<>();
    private final Gauge running = new Gauge();
    private final Map<ObjectKey, Gauge> runningOf = new HashMap<>();
    private int begun;

    private ReconcilerSpy(Time time) {
        this.time = time;
    }

    /** One that waits in real time. */
    public static <T extends HasMetadata> ReconcilerSpy<T> create() {
        return in(Time.real());
    }

    /** One that waits so. */
    public static <T extends HasMetadata> ReconcilerSpy<T> in(Time time) {
        return new ReconcilerSpy<>(time);
    }

    /** The reconciler with the spy around it: for {@link dev.evenkeel.controller.Controller#around}. */
    public Reconciler<T> around(Reconciler<T> reconciler) {
        return reconciliation -> reconcile(reconciler, reconciliation);
    }

    // acting up

    /** The next reconciliations, of whatever keys, end with these results, one after the other; nothing is done. */
    public ReconcilerSpy<T> answers(Result... results) {
        synchronized (lock) {
            for (Result result : results) {
                acts.add((reconciler, reconciliation) -> result);
            }
        }
        return this;
    }

    /** The next reconciliations fail with these errors, one after the other; nothing is done. */
    public ReconcilerSpy<T> fails(RuntimeException... errors) {
        synchronized (lock) {
            for (RuntimeException error : errors) {
                acts.add((reconciler, reconciliation) -> {
                    throw error;
                });
            }
        }
        return this;
    }

    /** So many reconciliations pass, before what is said next happens. */
    public ReconcilerSpy<T> passes(int count) {
        synchronized (lock) {
            for (int i = 0; i < count; i++) {
                acts.add(Reconciler::reconcile);
            }
        }
        return this;
    }

    /** Holds the next reconciliation of a key as it begins, until it is released. */
    public Hold hold(ObjectKey key) {
        Hold hold = new Hold(key);
        synchronized (lock) {
            holds.add(hold);
        }
        return hold;
    }

    /**
     * A reconciliation that waits. It needs a thread of its own to wait in, which it has in real time; an interrupt, as from
     * a deadline or from a manager that closes, lets it fail.
     */
    public final class Hold {
        private final ObjectKey key;
        private final CompletableFuture<Void> arrived = new CompletableFuture<>();
        private final CompletableFuture<Void> released = new CompletableFuture<>();

        private Hold(ObjectKey key) {
            this.key = key;
        }

        /**
         * Waits until it has begun, and is held.
         *
         * @throws AssertionFailedError when that takes longer than this
         */
        public void awaitHeld(Duration atMost) {
            if (!waited(arrived, atMost)) {
                throw failed("no reconciliation of " + key + " began within " + atMost);
            }
        }

        /** Lets it go on, or not be held at all. */
        public void release() {
            released.complete(null);
        }

        private void pause() {
            arrived.complete(null);
            try {
                var unused = released.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("the reconciliation of " + key + " was interrupted while held", e);
            } catch (java.util.concurrent.ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    // looking on

    /** All that ended, in the order in which they did. */
    public List<Seen<T>> seen() {
        synchronized (lock) {
            return List.copyOf(all);
        }
    }

    /** All of a key that ended. */
    public List<Seen<T>> seen(ObjectKey key) {
        return seen().stream().filter(one -> one.key().equals(key)).toList();
    }

    /**
     * The oldest reconciliation of a key that nobody has awaited, when it has ended.
     *
     * @throws AssertionFailedError when that takes longer than this; says what was seen instead
     */
    public Seen<T> await(ObjectKey key, Duration atMost) {
        return next(key::equals, atMost)
                .orElseThrow(() -> failed("no reconciliation of " + key + " ended within " + atMost));
    }

    /**
     * Claims that no reconciliation of a key ends for so long, and none has that nobody awaited.
     *
     * @throws AssertionFailedError when one does; says why it happened
     */
    public void assertNone(ObjectKey key, Duration during) {
        next(key::equals, during).ifPresent(seen -> {
            throw failed("no reconciliation of " + key + " was expected, and there is " + seen);
        });
    }

    /** Claims that no reconciliation at all ends for so long, and none has that nobody awaited. */
    public void assertNone(Duration during) {
        next(key -> true, during).ifPresent(seen -> {
            throw failed("no reconciliation was expected, and there is " + seen);
        });
    }

    /** Counts all that ended until now as awaited. */
    public void forget() {
        synchronized (lock) {
            unawaited.clear();
        }
    }

    /** The most reconciliations that ran at once. */
    public int mostAtOnce() {
        synchronized (lock) {
            return running.most;
        }
    }

    /** The most reconciliations of a key that ran at once: 1, or 0 when there was none, as long as all is well. */
    public int mostAtOnce(ObjectKey key) {
        synchronized (lock) {
            Gauge gauge = runningOf.get(key);
            return gauge == null ? 0 : gauge.most;
        }
    }

    private Optional<Seen<T>> next(Predicate<ObjectKey> wanted, Duration atMost) {
        Waiter<T> waiter = new Waiter<>(wanted, new CompletableFuture<>());
        synchronized (lock) {
            for (Iterator<Seen<T>> seen = unawaited.iterator(); seen.hasNext(); ) {
                Seen<T> one = seen.next();
                if (wanted.test(one.key())) {
                    seen.remove();
                    return Optional.of(one);
                }
            }
            waiters.add(waiter);
        }
        boolean unused = waited(waiter.found(), atMost);
        synchronized (lock) {
            waiters.remove(waiter);
            return Optional.ofNullable(waiter.found().getNow(null));
        }
    }

    private boolean waited(CompletableFuture<?> future, Duration atMost) {
        try {
            return time.await(future, atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a reconciliation", e);
        }
    }

    private AssertionFailedError failed(String what) {
        synchronized (lock) {
            StringBuilder text = new StringBuilder(what);
            text.append(all.isEmpty() ? "; none ended" : "; these ended:");
            all.forEach(one -> text.append("\n  ").append(one));
            if (running.now > 0) {
                text.append("\n  and ").append(running.now).append(" are running");
            }
            return new AssertionFailedError(text.toString());
        }
    }

    // between the machinery and the reconciler

    private Result reconcile(Reconciler<T> reconciler, Reconciliation<T> reconciliation) {
        ObjectKey key = reconciliation.request().key();
        Optional<T> resource = reconciliation.resource();
        int number;
        Gauge ofKey;
        Act<T> act;
        Optional<Hold> held;
        synchronized (lock) {
            number = ++begun;
            running.up();
            ofKey = runningOf.computeIfAbsent(key, any -> new Gauge());
            ofKey.up();
            Act<T> scripted = acts.poll();
            act = scripted == null ? Reconciler::reconcile : scripted;
            held = holds.stream().filter(hold -> hold.key.equals(key)).findFirst();
            held.ifPresent(holds::remove);
        }
        @Nullable Result result = null;
        @Nullable Throwable error = null;
        try {
            held.ifPresent(Hold::pause);
            result = act.play(reconciler, reconciliation);
            return result;
        } catch (RuntimeException | Error e) {
            error = e;
            throw e;
        } finally {
            ended(
                    new Seen<>(
                            number,
                            key,
                            resource,
                            reconciliation.causes(),
                            reconciliation.failures(),
                            Optional.ofNullable(result),
                            Optional.ofNullable(error)),
                    ofKey);
        }
    }

    private void ended(Seen<T> seen, Gauge ofKey) {
        Optional<Waiter<T>> waiting;
        synchronized (lock) {
            running.now--;
            ofKey.now--;
            all.add(seen);
            waiting = waiters.stream()
                    .filter(waiter -> waiter.wanted().test(seen.key()))
                    .findFirst();
            waiting.ifPresentOrElse(waiters::remove, () -> unawaited.add(seen));
            // in the lock, so that one who gives up either has it or finds it later
            waiting.ifPresent(waiter -> waiter.found().complete(seen));
        }
    }

    /** How a {@link ReconcilerSpy} waits: in real time, or in one that the test moves. */
    @FunctionalInterface
    public interface Time {
        /**
         * Waits until a future is done, but no longer than this.
         *
         * @return whether it is done
         * @throws InterruptedException when the thread is interrupted
         */
        boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException;

        /** Real time: the thread blocks. */
        static Time real() {
            return (future, atMost) -> {
                try {
                    var unused = future.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
                    return true;
                } catch (ExecutionException e) {
                    return true;
                } catch (TimeoutException e) {
                    return false;
                }
            };
        }

        /**
         * Time that the test moves, such as with {@code scheduler::advance}: it goes on by steps, from a millisecond to a
         * second, and no further than it must.
         *
         * @param advance lets so much time pass, and does on this thread what is due
         */
        static Time moved(Consumer<Duration> advance) {
            return (future, atMost) -> {
                Duration left = atMost;
                Duration step = Duration.ofMillis(1);
                while (!future.isDone() && left.isPositive()) {
                    Duration next = step.compareTo(left) < 0 ? step : left;
                    advance.accept(next);
                    left = left.minus(next);
                    step = step.compareTo(Duration.ofMillis(500)) > 0 ? Duration.ofSeconds(1) : step.multipliedBy(2);
                }
                return future.isDone();
            };
        }
    }
}
