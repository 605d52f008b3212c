package dev.evenkeel.testing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** How a {@link ReconcilerSpy} waits: in real time, or in one that the test moves. */
@FunctionalInterface
public interface SpyTime {
    /**
     * Waits until a future is done, but no longer than this.
     *
     * @return whether it is done
     * @throws InterruptedException when the thread is interrupted
     */
    boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException;

    /** Real time: the thread blocks. */
    static SpyTime real() {
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
    static SpyTime moved(Consumer<Duration> advance) {
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
