package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Status;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.child.ChildReconciler.ChildResult;
import dev.evenkeel.reconcile.internal.FinalizerUpdates;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one child in its desired state; shared by single children and sets.
 *
 * <h2>The problem</h2>
 *
 * <p>The existing children are known from a cache, which lags; there may be more than one; another owner may have the
 * name; and failures are of three sorts: for the primary object's status, to be retried, or of no interest.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A written child will be found again: one that would not is refused before anything is written of it.
 *   <li>A terminating one is not the child, and not a duplicate. While it is the only one, it is waited for.
 *   <li>Of several none is the right one: all are deleted, and one is created.
 *   <li>An object of another owner is never written. If it has the name of the child, that is a failure until it is
 *       deleted, which triggers the primary object.
 *   <li>When an object unknown to the cache has the name, and is a child, or deleted already, the cache lagged: it is
 *       retried quietly, and not reported in the status.
 *   <li>Nothing is created for a deleted primary object, even if the cache does not know that yet.
 *   <li>A failure in the status is not retried; while the primary object terminates no status is written, and no
 *       failure is swallowed.
 * </ol>
 *
 * @param reflected failures that are reported in the status
 * @param finalizer on the primary object as long as children exist, or are desired; empty for none
 */
record ChildApplier<T extends HasMetadata, C extends HasMetadata>(
        Kind<C> kind,
        Ownership<T, C> ownership,
        ObjectManager<C> manager,
        Set<Class<? extends ApiException>> reflected,
        String finalizer) {
    private static final Logger LOG = LoggerFactory.getLogger(ChildReconciler.class);

    /** The finalizer of a deletion that keeps dependents. */
    private static final String ORPHAN = "orphan";

    /** The result of a child for the status, and the outcome of failures that the status does not report. */
    record Kept<C extends HasMetadata>(ChildResult<C> result, Result outcome) {}

    /** Returns whether children are kept, as the deletion of the primary object requests. */
    boolean orphans(T parent) {
        return parent.isMarkedForDeletion()
                && ownership.collected()
                && parent.getMetadata().getFinalizers().contains(ORPHAN);
    }

    /** Adds the finalizer before the first child is written. */
    Result hold(Reconciliation<T> reconciliation, T parent, boolean desired) {
        return desired ? FinalizerUpdates.add(reconciliation, parent, finalizer) : Result.done();
    }

    /** Removes the finalizer when nothing is desired and nothing existed. */
    Result release(Reconciliation<T> reconciliation, T parent, boolean desired, boolean found) {
        if (desired || finalizer.isEmpty()) {
            return Result.done();
        }
        if (found) {
            // deletions in another cluster trigger nothing
            return Part.Config.of(reconciliation).elsewhere() ? Result.retry() : Result.done();
        }
        if (Finalizers.has(parent, finalizer)
                && !ownership.stored(reconciliation, parent).isEmpty()) {
            // the cache does not know them yet, and nothing else would trigger
            return Result.retry();
        }
        return FinalizerUpdates.clear(reconciliation, parent, finalizer);
    }

    /** Returns the result without any action. */
    ChildResult<C> seen(List<C> found) {
        return new ChildResult<>(one(found, living(found)), Optional.empty());
    }

    /** Returns the first child, one that is not terminating if there is one. */
    private Optional<C> one(List<C> found, List<C> living) {
        List<C> first = living.isEmpty() ? found : living;
        return first.isEmpty() ? Optional.empty() : Optional.of(first.getFirst());
    }

    private List<C> living(List<C> found) {
        if (found.size() == 1) {
            return found.getFirst().isMarkedForDeletion() ? List.of() : found;
        }
        return found.stream().filter(child -> !child.isMarkedForDeletion()).toList();
    }

    /** Brings a child, one of those found, from its actual to its desired state. */
    Kept<C> keep(Reconciliation<T> reconciliation, T parent, List<C> found, Optional<C> desired) {
        List<C> living = living(found);
        Optional<C> actual = living.size() > 1 ? Optional.empty() : one(found, living);
        try {
            Optional<C> claimed = desired.map(ModelCodec::copy);
            claimed.ifPresent(child -> ownership.claim(reconciliation, parent, child));
            if (living.size() > 1) {
                living.forEach(extra -> deleteExtra(reconciliation, parent, extra));
            }
            if (actual.isEmpty() && claimed.isPresent() && !ownership.lasting(reconciliation, parent)) {
                throw ApiException.of(Status.of(
                        409,
                        "Conflict",
                        "the object that was read, \"" + ObjectKey.of(parent) + "\", is gone: nothing is made for it"));
            }
            // those just deleted may still exist: the manager must not take the child for absent
            Optional<C> managed = living.size() > 1 && claimed.isEmpty()
                    ? Optional.empty()
                    : manager.manage(reconciliation, parent, actual, claimed);
            return new Kept<>(new ChildResult<>(managed, Optional.empty()), Result.done());
        } catch (RuntimeException e) {
            return failed(reconciliation, parent, actual, desired, e);
        }
    }

    private void deleteExtra(Reconciliation<T> reconciliation, T parent, C extra) {
        LOG.atInfo()
                .addKeyValue("part", ReconcilerPath.text())
                .addKeyValue("child", Ownership.named(kind, extra))
                .log("extra child detected");
        Optional<C> unused = manager.manage(reconciliation, parent, Optional.of(extra), Optional.empty());
    }

    private Kept<C> failed(
            Reconciliation<T> reconciliation,
            T parent,
            Optional<C> actual,
            Optional<C> desired,
            RuntimeException failure) {
        Optional<ApiException> refusal = ObjectManager.refusal(failure);
        Result outcome = ObjectManager.outcome(failure);
        if (desired.isPresent() && refusal.orElse(null) instanceof AlreadyExistsException) {
            outcome = collided(reconciliation, parent, desired.get(), failure);
        }
        if (outcome.severity() == Result.Severity.QUIET) {
            return new Kept<>(new ChildResult<>(actual, Optional.empty()), outcome);
        }
        boolean told = !parent.isMarkedForDeletion()
                && refusal.filter(one -> reflected.stream().anyMatch(type -> type.isInstance(one)))
                        .isPresent();
        return new Kept<>(new ChildResult<>(actual, Optional.of(failure)), told ? Result.done() : outcome);
    }

    private Result collided(Reconciliation<T> reconciliation, T parent, C desired, RuntimeException failure) {
        ObjectKey key = ObjectKey.of(desired);
        if (key.name().isEmpty()) {
            // the next generated name differs
            return Result.quiet(failure);
        }
        Optional<C> other;
        try {
            other = reconciliation.client().find(kind, key);
        } catch (ApiException e) {
            failure.addSuppressed(e);
            return Result.failed(failure);
        }
        if (other.isEmpty() || ownership.ours(parent, other.get())) {
            return Result.quiet(failure);
        }
        LOG.atInfo()
                .addKeyValue("part", ReconcilerPath.text())
                .addKeyValue("child", Ownership.named(kind, other.get()))
                .addKeyValue("ownerRefs", other.get().getMetadata().getOwnerReferences())
                .log("unable to reconcile child, not owned");
        if (Part.Config.of(reconciliation).elsewhere()) {
            return Result.failed(failure);
        }
        reconciliation.tracker().track(Tracker.Target.of(kind, key));
        return Result.durable(failure);
    }
}
