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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * Observes the reconciliations of a running controller and their causes, and replaces the reconciler's results on
 * request. For tests of a controller's wiring: its triggers and requeues.
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
 * <p>Each completed reconciliation is awaited once: {@link #await} returns the oldest that was not awaited, so one that
 * completed before the call is not missed, and {@link #assertNone} fails on one that was not awaited. By default every
 * call is passed to the controller's own reconciler. Thread-safe.
 *
 * @param <T> class of the primary objects
 */
public final class ReconcilerSpy<T extends HasMetadata> {
    /**
     * A completed reconciliation.
     *
     * @param number number from 1 in the order in which they began
     * @param resource the object in the cache; empty when it did not exist
     * @param failures number of failures in a row before it
     * @param result its result; empty when it threw
     * @param error its exception; empty when it returned
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

    /** Replaces the reconciler, or calls it. */
    private interface Act<T extends HasMetadata> extends BiFunction<Reconciler<T>, Reconciliation<T>, Result> {}

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

    /** Returns a spy that waits in real time. */
    public static <T extends HasMetadata> ReconcilerSpy<T> create() {
        return in(Time.real());
    }

    /** Returns a spy that waits in the given time. */
    public static <T extends HasMetadata> ReconcilerSpy<T> in(Time time) {
        return new ReconcilerSpy<>(time);
    }

    /** Wraps a reconciler with the spy: for {@link dev.evenkeel.controller.Controller#around}. */
    public Reconciler<T> around(Reconciler<T> reconciler) {
        return reconciliation -> reconcile(reconciler, reconciliation);
    }

    /** Lets the next reconciliations, of any keys, return these results, one after the other, without effect. */
    public ReconcilerSpy<T> answers(Result... results) {
        return script(Stream.of(results).map(result -> (reconciler, reconciliation) -> result));
    }

    /** Lets the next reconciliations throw these errors, one after the other, without effect. */
    public ReconcilerSpy<T> fails(RuntimeException... errors) {
        return script(Stream.of(errors).map(error -> (reconciler, reconciliation) -> {
            throw error;
        }));
    }

    /** Lets a number of reconciliations pass, before the next intervention. */
    public ReconcilerSpy<T> passes(int count) {
        return script(Stream.<Act<T>>generate(() -> Reconciler::reconcile).limit(count));
    }

    private synchronized ReconcilerSpy<T> script(Stream<Act<T>> next) {
        next.forEach(acts::add);
        return this;
    }

    /** Holds the next reconciliation of a key as it begins, until it is released. */
    public synchronized Hold hold(ObjectKey key) {
        Hold hold = new Hold(key);
        holds.add(hold);
        return hold;
    }

    /**
     * A held reconciliation. It needs a thread of its own to wait in, which it has in real time; an interrupt, as from
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
         * @throws AssertionFailedError when that takes longer
         */
        public void awaitHeld(Duration atMost) {
            if (!waited(arrived, atMost)) {
                throw failed("no reconciliation of " + key + " began within " + atMost);
            }
        }

        /** Lets it continue, or prevents it from being held. */
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
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Returns all completed reconciliations, in the order of their completion. */
    public synchronized List<Seen<T>> seen() {
        return List.copyOf(all);
    }

    /** Returns all completed reconciliations of a key. */
    public List<Seen<T>> seen(ObjectKey key) {
        return seen().stream().filter(one -> one.key().equals(key)).toList();
    }

    /**
     * Waits for the oldest reconciliation of a key that was not awaited, and returns it.
     *
     * @throws AssertionFailedError when that takes longer; the message lists the observed ones
     */
    public Seen<T> await(ObjectKey key, Duration atMost) {
        return next(key::equals, atMost)
                .orElseThrow(() -> failed("no reconciliation of " + key + " ended within " + atMost));
    }

    /**
     * Asserts that no reconciliation of a key completes for this time, and none has completed that was not awaited.
     *
     * @throws AssertionFailedError when one does; the message has its causes
     */
    public void assertNone(ObjectKey key, Duration during) {
        next(key::equals, during).ifPresent(seen -> {
            throw failed("no reconciliation of " + key + " was expected, but there is " + seen);
        });
    }

    /** Asserts that no reconciliation at all completes for this time, and none has completed that was not awaited. */
    public void assertNone(Duration during) {
        next(key -> true, during).ifPresent(seen -> {
            throw failed("no reconciliation was expected, but there is " + seen);
        });
    }

    /** Counts all completed reconciliations as awaited. */
    public synchronized void forget() {
        unawaited.clear();
    }

    /** Returns the maximum number of concurrent reconciliations. */
    public synchronized int mostAtOnce() {
        return running.most;
    }

    /**
     * Returns the maximum number of concurrent reconciliations of a key: 1, or 0 when there was none, if the controller
     * is right.
     */
    public synchronized int mostAtOnce(ObjectKey key) {
        return runningOf.getOrDefault(key, new Gauge()).most;
    }

    private Optional<Seen<T>> next(Predicate<ObjectKey> wanted, Duration atMost) {
        Waiter<T> waiter = new Waiter<>(wanted, new CompletableFuture<>());
        synchronized (this) {
            Optional<Seen<T>> oldest =
                    unawaited.stream().filter(seen -> wanted.test(seen.key())).findFirst();
            if (oldest.isPresent()) {
                unawaited.remove(oldest.get());
                return oldest;
            }
            waiters.add(waiter);
        }
        boolean unused = waited(waiter.found(), atMost);
        synchronized (this) {
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

    private synchronized AssertionFailedError failed(String what) {
        StringBuilder text = new StringBuilder(what);
        text.append(all.isEmpty() ? "; none ended" : "; these ended:");
        all.forEach(one -> text.append("\n  ").append(one));
        if (running.now > 0) {
            text.append("\n  and ").append(running.now).append(" are running");
        }
        return new AssertionFailedError(text.toString());
    }

    private Result reconcile(Reconciler<T> reconciler, Reconciliation<T> reconciliation) {
        ObjectKey key = reconciliation.key();
        Optional<T> resource = reconciliation.resource();
        int number;
        Gauge ofKey;
        Act<T> act;
        Optional<Hold> held;
        synchronized (this) {
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
            result = act.apply(reconciler, reconciliation);
            return result;
        } catch (RuntimeException | Error e) {
            error = e;
            throw e;
        } finally {
            Optional<Result> returned = Optional.ofNullable(result);
            Optional<Throwable> thrown = Optional.ofNullable(error);
            int failures = reconciliation.failures();
            ended(new Seen<>(number, key, resource, reconciliation.causes(), failures, returned, thrown), ofKey);
        }
    }

    private void ended(Seen<T> seen, Gauge ofKey) {
        Optional<Waiter<T>> waiting;
        synchronized (this) {
            running.now--;
            ofKey.now--;
            all.add(seen);
            waiting = waiters.stream()
                    .filter(waiter -> waiter.wanted().test(seen.key()))
                    .findFirst();
            waiting.ifPresentOrElse(waiters::remove, () -> unawaited.add(seen));
            // within the lock, so that a waiter that times out either has it or finds it later
            waiting.ifPresent(waiter -> waiter.found().complete(seen));
        }
    }

    /** The time in which a {@link ReconcilerSpy} waits: real, or moved by the test. */
    @FunctionalInterface
    public interface Time {
        /**
         * Waits until a future is done, up to a maximum time.
         *
         * @return whether it is done
         * @throws InterruptedException when the thread is interrupted
         */
        boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException;

        /** Returns real time: the thread blocks. */
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
         * Returns time that the test moves, such as with {@code scheduler::advance}: it advances in steps, from a
         * millisecond to a second, and no further than necessary.
         *
         * @param advance lets time pass, and runs due tasks on this thread
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
