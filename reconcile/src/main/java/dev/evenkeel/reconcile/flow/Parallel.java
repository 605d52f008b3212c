package dev.evenkeel.reconcile.flow;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectChange;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Runs parts concurrently, for those that wait for something slow. All run, however the others end; the outcome is that
 * of all, in the order in which the parts are given, whichever was faster.
 *
 * <p>The problem: parts change the object that they work on, and are not written to run concurrently.
 *
 * <ol>
 * <li>Each part works on a copy of its own, and does not see the changes of the others.
 * <li>When all have ended, the changes of each are applied to the object, in the order of the parts; see
 *     {@link ObjectChange}. Two parts may change different fields, or elements of a list of conditions.
 * <li>If a part's changes contradict those of a part before it, none of them is applied, and it has failed with a
 *     {@link ConflictException}.
 * <li>The stash, the client and the tracker are shared: values that a part puts are or are not visible to the others.
 * <li>None of them outlives the outcome. An interrupt of the waiting thread interrupts the parts, and waits for them.
 * </ol>
 */
public final class Parallel {
    private static final Duration LONG = Duration.ofDays(365);

    /** Thrown when two parts have changed the same field in different ways. */
    public static final class ConflictException extends RuntimeException {
        ConflictException(String message) {
            super(message);
        }
    }

    private static final class Run<T extends HasMetadata> {
        private final Part<T> part;
        private final T copy;
        private volatile Optional<Result> outcome = Optional.empty();
        private volatile Optional<Error> error = Optional.empty();

        Run(Part<T> part, T copy) {
            this.part = part;
            this.copy = copy;
        }

        /** Runs in a thread of its own: an error is rethrown in the waiting thread. */
        void run(Reconciliation<T> reconciliation, Optional<ReconcilerPath> trail) {
            try {
                outcome = Optional.of(
                        trail.isPresent()
                                ? trail.get().continued(() -> part.reconcile(reconciliation, copy))
                                : part.reconcile(reconciliation, copy));
            } catch (Error e) {
                error = Optional.of(e);
            }
        }

        Result outcome() {
            error.ifPresent(thrown -> {
                throw thrown;
            });
            return outcome.orElseThrow(() -> new IllegalStateException(part + " was not run: its scheduler has ended"));
        }
    }

    private Parallel() {}

    /** Returns a part that runs these parts, each in a virtual thread of its own. */
    @SafeVarargs
    @SuppressWarnings({"varargs", "resource"}) // only read; without timers there is nothing to close
    public static <T extends HasMetadata> Part<T> of(SubReconciler<T>... parts) {
        return of(new SystemScheduler(), parts);
    }

    /**
     * Returns a part that runs these parts on a scheduler: in a simulation one after the other. The caller closes it.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T extends HasMetadata> Part<T> of(Scheduler scheduler, SubReconciler<T>... parts) {
        List<Part<T>> all = Part.all(parts);
        return Part.of(Part.Description.of("Parallel").slots(all), (reconciliation, resource) -> {
            T before = ModelCodec.copy(resource);
            List<Run<T>> runs = all.stream()
                    .map(part -> new Run<>(part, ModelCodec.copy(resource)))
                    .toList();
            runAll(scheduler, reconciliation, runs);
            Result outcome = Result.done();
            for (Run<T> run : runs) {
                outcome = outcome.plus(run.outcome()).plus(made(before, run, resource));
            }
            return outcome;
        });
    }

    private static <T extends HasMetadata> void runAll(
            Scheduler scheduler, Reconciliation<T> reconciliation, List<Run<T>> runs) {
        Optional<ReconcilerPath> trail = ReconcilerPath.here();
        List<Scheduler.Job> jobs = runs.stream()
                .map(run -> scheduler.execute(run.part.toString(), () -> run.run(reconciliation, trail)))
                .toList();
        boolean interrupted = false;
        for (Scheduler.Job job : jobs) {
            while (!job.ended().isDone()) {
                try {
                    boolean unused = scheduler.await(job.ended(), LONG);
                } catch (InterruptedException e) {
                    interrupted = true;
                    jobs.forEach(Scheduler.Job::interrupt);
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T extends HasMetadata> Result made(T before, Run<T> run, T resource) {
        ObjectChange change = ObjectChange.between(before, run.copy);
        List<String> conflicts = change.conflicts(resource);
        if (conflicts.isEmpty()) {
            change.applyTo(resource);
            return Result.done();
        }
        return Result.failed(new ConflictException("Parallel: " + run.part
                + " has changed what a part before it has changed otherwise: " + String.join("; ", conflicts)
                + "; nothing of what it changed is kept: let one part do both, or use Sequence"));
    }
}
