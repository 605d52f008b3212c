package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Status;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Tracked;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.internal.FinalizerUpdates;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Config;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one child as it should be. This is what one child and each of a set have in common.
 *
 * <h2>The problem</h2>
 *
 * <p>What is there is known from a cache, which is behind; there may be more than one; the name may be somebody else's; and
 * of what goes wrong some is news for the primary object's status, some is to be tried again, and some is of no interest.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>What is written will be found again: a child that would not is refused before anything is written of it.
 *   <li>One that is being deleted is not the child, and not one too many. As long as there is only that, it is waited for.
 *   <li>Of several none is the right one: all are deleted, and one is made.
 *   <li>Somebody else's object is never written. That it has the name of the child is a failure until it is gone, and
 *       then the primary object is woken.
 *   <li>When an object that was not known has the name, and is ours, or is gone already, the cache was behind: it is tried
 *       again quietly, and the status does not tell.
 *   <li>Nothing is made for an object that is gone, though a cache does not know that yet.
 *   <li>A failure that the status tells is done with; in the end of the primary object nothing is told, and so none is.
 * </ol>
 *
 * @param reflected failures that the status tells
 * @param finalizer on the primary object as long as there are children, or are to be; empty for none
 */
record ChildApplier<T extends HasMetadata, C extends HasMetadata>(
        Kind<C> kind,
        Ownership<T, C> ownership,
        ObjectManager<C> manager,
        Set<Class<? extends ApiException>> reflected,
        String finalizer) {
    private static final Logger LOG = LoggerFactory.getLogger(ChildReconciler.class);

    /** Deletion as it is asked for when dependents are to stay. */
    private static final String ORPHAN = "orphan";

    /**
     * What came of a child.
     *
     * @param result for the status
     * @param outcome of what the status does not tell
     */
    record Kept<C extends HasMetadata>(ChildResult<C> result, Outcome outcome) {}

    /** Returns whether children are left alone, since who deletes the primary object wants them to stay. */
    boolean orphans(T parent) {
        return parent.isMarkedForDeletion()
                && ownership.collected()
                && parent.getMetadata().getFinalizers().contains(ORPHAN);
    }

    /** Before the first child is written. */
    Outcome hold(Reconciliation<T> reconciliation, T parent, boolean desired) {
        return desired ? FinalizerUpdates.add(reconciliation, parent, finalizer) : Outcome.done();
    }

    /** When nothing is desired, and nothing was there, nothing holds the primary object. */
    Outcome release(Reconciliation<T> reconciliation, T parent, boolean desired, boolean found) {
        if (desired || finalizer.isEmpty()) {
            return Outcome.done();
        }
        if (found) {
            // nobody hears from another cluster that they are gone
            return Config.of(reconciliation).elsewhere() ? Outcome.retry() : Outcome.done();
        }
        if (Finalizers.has(parent, finalizer)
                && !ownership.stored(reconciliation, parent).isEmpty()) {
            // a cache does not know them yet, and nobody would look again
            return Outcome.retry();
        }
        return FinalizerUpdates.clear(reconciliation, parent, finalizer);
    }

    /** As it is there, without doing anything about it. */
    ChildResult<C> seen(List<C> found) {
        return new ChildResult<>(one(found), Optional.empty());
    }

    private Optional<C> one(List<C> found) {
        List<C> living = living(found);
        return (living.isEmpty() ? found : living).stream().findFirst();
    }

    private List<C> living(List<C> found) {
        return found.stream().filter(child -> !child.isMarkedForDeletion()).toList();
    }

    /**
     * Brings a child from what it is to what it should be.
     *
     * @param found what there is of it
     */
    Kept<C> keep(Reconciliation<T> reconciliation, T parent, List<C> found, Optional<C> desired) {
        List<C> living = living(found);
        Optional<C> actual = living.size() > 1 ? Optional.empty() : one(found);
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
            // those that were just deleted may not be gone yet: the manager is not told that there is none
            Optional<C> managed = living.size() > 1 && claimed.isEmpty()
                    ? Optional.empty()
                    : manager.manage(reconciliation, parent, actual, claimed);
            return new Kept<>(new ChildResult<>(managed, Optional.empty()), Outcome.done());
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
        Outcome outcome = ObjectManager.outcome(failure);
        if (desired.isPresent()
                && refusal.filter(AlreadyExistsException.class::isInstance).isPresent()) {
            outcome = collided(reconciliation, parent, desired.get(), failure);
        }
        if (outcome.severity() == Outcome.Severity.QUIET) {
            return new Kept<>(new ChildResult<>(actual, Optional.empty()), outcome);
        }
        boolean told = !parent.isMarkedForDeletion()
                && refusal.filter(one -> reflected.stream().anyMatch(type -> type.isInstance(one)))
                        .isPresent();
        return new Kept<>(new ChildResult<>(actual, Optional.of(failure)), told ? Outcome.done() : outcome);
    }

    /** What it means that there is something of that name already. */
    private Outcome collided(Reconciliation<T> reconciliation, T parent, C desired, RuntimeException failure) {
        ObjectKey key = ObjectKey.of(desired);
        if (key.name().isEmpty()) {
            // the next generated name is another one
            return Outcome.quiet(failure);
        }
        Optional<C> other;
        try {
            other = reconciliation.client().find(kind, key);
        } catch (ApiException e) {
            failure.addSuppressed(e);
            return Outcome.failed(failure);
        }
        if (other.isEmpty() || ownership.ours(parent, other.get())) {
            return Outcome.quiet(failure);
        }
        LOG.atInfo()
                .addKeyValue("part", ReconcilerPath.text())
                .addKeyValue("child", Ownership.named(kind, other.get()))
                .addKeyValue("ownerRefs", other.get().getMetadata().getOwnerReferences())
                .log("unable to reconcile child, not owned");
        if (Config.of(reconciliation).elsewhere()) {
            return Outcome.failed(failure);
        }
        reconciliation.tracker().track(Tracked.of(kind, key));
        return Outcome.durable(failure);
    }
}
