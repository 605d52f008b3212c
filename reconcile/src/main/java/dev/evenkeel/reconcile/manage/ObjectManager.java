package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;

/**
 * Brings one object from its actual to its desired state. There are three, which differ in their writes:
 * {@link UpdatingObjectManager}, {@link PatchingObjectManager} and {@link ApplyingObjectManager}; any function is
 * another one.
 *
 * <p>An instance is created once and used for many objects, by several threads at once: it may remember results of
 * writes.
 *
 * <table>
 *   <caption>Actions of those three</caption>
 *   <tr><th>actual</th><th>desired</th><th>action</th></tr>
 *   <tr><td>absent</td><td>absent</td><td>removes its finalizer, if it has one, from the primary object</td></tr>
 *   <tr><td>present</td><td>absent</td><td>deletes it, if it is still this very object; one already deleted is a
 *   success</td></tr>
 *   <tr><td>terminating</td><td>absent</td><td>waits</td></tr>
 *   <tr><td>absent</td><td>present</td><td>adds its finalizer to the primary object, then creates</td></tr>
 *   <tr><td>terminating</td><td>present</td><td>waits until it is gone</td></tr>
 *   <tr><td>present</td><td>present</td><td>writes the difference, if there is any</td></tr>
 * </table>
 *
 * <p>Writes are recorded as events of the primary object: {@code Created}, {@code Updated}, {@code Deleted}, and
 * {@code CreationFailed}, {@code UpdateFailed}, {@code DeleteFailed}. A write that changed nothing, or lost a race, is
 * not reported.
 *
 * @param <C> class of the objects
 */
@FunctionalInterface
public interface ObjectManager<C extends HasMetadata> {
    /**
     * Brings the object from its actual to its desired state. Changes neither of its arguments.
     *
     * @param reconciliation the client and recorder
     * @param resource the primary object, which events and finalizers belong to
     * @param actual the object as it was read; empty when it does not exist
     * @param desired the desired object; empty for none
     * @return the resulting object; empty when it does not exist, or is not desired
     * @throws ConflictException when the object that was read is outdated: to be retried, and not reported
     */
    Optional<C> manage(Reconciliation<?> reconciliation, HasMetadata resource, Optional<C> actual, Optional<C> desired);

    /** Returns the needs of the controller and of access rules. */
    default List<Part.Requirement> needs() {
        return List.of();
    }

    /**
     * Returns the outcome of an exception of {@link #manage}: a conflict with another writer is quiet; one between
     * field managers, and any other failure, is a failure.
     */
    static Outcome outcome(RuntimeException failure) {
        boolean late = refusal(failure)
                .filter(refusal -> refusal instanceof ConflictException
                        && refusal.causes().stream()
                                .noneMatch(cause -> cause.reason().equals("FieldManagerConflict")))
                .isPresent();
        return late ? Outcome.quiet(failure) : Outcome.failed(failure);
    }

    /** Returns the refusal of the API that caused a failure, through all wrappers. */
    static Optional<ApiException> refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ApiException refusal) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }
}
