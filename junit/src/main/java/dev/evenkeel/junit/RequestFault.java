package dev.evenkeel.junit;

import static java.util.Objects.requireNonNull;

import dev.evenkeel.junit.internal.Activity;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A fault that requests of fabric8's clients meet.
 *
 * <pre>{@code
 * cluster.on("patch", "pages/status").fail(409);             // the next one
 * cluster.on("create", "configmaps").after(2).fail(503);     // the third one
 * cluster.on("*", "secrets").times(10).fail(403, "no");
 * cluster.on("list", "pods").delay(Duration.ofSeconds(30));  // until the clock is advanced
 * }</pre>
 *
 * <p>Requests that do not match, and those after the fault, are answered as usual. Thread-safe.
 */
public final class RequestFault {
    private final String verb;
    private final String resource;
    private final TestClock clock;
    private final Activity activity;
    private @Nullable Instant met;
    private int before;
    private int left = 1;
    private Supplier<Optional<Status>> effect = Optional::empty;

    RequestFault(String verb, String resource, TestClock clock, Activity activity) {
        this.verb = verb;
        this.resource = resource;
        this.clock = clock;
        this.activity = activity;
    }

    /** Lets a number of matching requests pass before the fault. */
    public synchronized RequestFault after(int requests) {
        before = requests;
        return this;
    }

    /** Sets how many requests meet the fault; default: 1. */
    public synchronized RequestFault times(int requests) {
        left = requests;
        return this;
    }

    /** Refuses with a code of HTTP. Nothing is written. */
    public RequestFault fail(int code) {
        return fail(code, "refused by the test");
    }

    /** Refuses with a code of HTTP and a message. Nothing is written. */
    public synchronized RequestFault fail(int code, String message) {
        effect = () -> Optional.of(status(code, message));
        return this;
    }

    static Status status(int code, String message) {
        return new StatusBuilder()
                .withStatus("Failure")
                .withCode(code)
                .withReason(dev.evenkeel.client.Status.reasonOf(code))
                .withMessage(message)
                .build();
    }

    /** Holds requests until the clock of the cluster has been advanced by a time. Held requests do not disturb quiet. */
    public synchronized RequestFault delay(Duration time) {
        effect = () -> {
            activity.end();
            try {
                clock.await(requireNonNull(met).plus(time));
            } finally {
                activity.begin();
            }
            return Optional.empty();
        };
        return this;
    }

    /**
     * Waits until as many requests as were set have met the fault.
     *
     * @throws IllegalStateException after 20 seconds
     */
    public synchronized void awaitMet() {
        long deadline = System.nanoTime() + EngineCluster.MOST_WAIT.toNanos();
        try {
            while (left > 0) {
                long nanos = deadline - System.nanoTime();
                if (nanos <= 0) {
                    throw new IllegalStateException("the fault of " + verb + " " + resource + " was not met by " + left
                            + " requests after " + EngineCluster.MOST_WAIT);
                }
                TimeUnit.NANOSECONDS.timedWait(this, nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + verb + " " + resource, e);
        }
    }

    Optional<Status> before(String requestVerb, String requestResource) {
        Supplier<Optional<Status>> now;
        synchronized (this) {
            if (!matches(verb, requestVerb) || !matches(resource, requestResource) || left == 0) {
                return Optional.empty();
            }
            if (before > 0) {
                before--;
                return Optional.empty();
            }
            left--;
            now = effect;
            met = clock.instant();
            notifyAll();
        }
        return now.get();
    }

    private static boolean matches(String pattern, String value) {
        return pattern.equals("*") || pattern.equals(value);
    }
}
