package dev.evenkeel.reconcile.flow;

import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;

/**
 * A part that is interrupted when it takes too long; then the outcome is failed with an {@link ExceededException}.
 *
 * <p>The part runs in the calling thread, and is waited for: a part that outlived its reconciliation could write while
 * the object is reconciled again. So a part that ignores interrupts is not cut short. One that succeeds in spite of the
 * interrupt has succeeded.
 */
public final class Timeout {
    /** Thrown when a part took too long. */
    public static final class ExceededException extends RuntimeException {
        ExceededException(String message) {
            super(message);
        }
    }

    /** Interrupts the thread that created it, unless that has left the part. */
    private static final class Alarm {
        private final Thread thread = Thread.currentThread();
        private boolean over;
        private boolean rung;

        synchronized void ring() {
            if (!over) {
                rung = true;
                thread.interrupt();
            }
        }

        /** Disarms the alarm; afterwards no interrupt comes, nor is one pending. Returns whether it rang. */
        synchronized boolean rang() {
            over = true;
            if (rung) {
                boolean unused = Thread.interrupted();
            }
            return rung;
        }
    }

    private Timeout() {}

    /**
     * Returns a part that runs this part with a time limit.
     *
     * @param scheduler the clock; the caller closes it
     */
    public static <T extends HasMetadata> Part<T> of(Scheduler scheduler, Duration atMost, SubReconciler<T> part) {
        if (!atMost.isPositive()) {
            throw new IllegalArgumentException("atMost: must be positive: " + atMost);
        }
        Part<T> inner = Part.of(part);
        return Part.of(Part.Description.of("Timeout").slots("reconciler", inner), (reconciliation, resource) -> {
            Alarm alarm = new Alarm();
            Scheduler.Timer timer = scheduler.schedule(atMost, alarm::ring);
            boolean rang;
            Result outcome;
            try {
                outcome = inner.reconcile(reconciliation, resource);
            } finally {
                timer.cancel();
                rang = alarm.rang();
            }
            return rang && !outcome.succeeded()
                    ? Result.failed(new ExceededException(inner.description() + " at " + ReconcilerPath.text()
                                    + " was interrupted: it took longer than " + atMost))
                            .plus(outcome)
                    : outcome;
        });
    }
}
