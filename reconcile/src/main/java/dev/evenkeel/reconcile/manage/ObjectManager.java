package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.reconcile.part.Requirement;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;

/**
 * Brings one object from what it is to what it should be. There are three, which differ in how they write: {@link
 * UpdatingObjectManager}, {@link PatchingObjectManager} and {@link ApplyingObjectManager}; any function is another one.
 *
 * <p>One is made once and used for many objects, by several threads at once: it may remember what it found out about them.
 *
 * <table>
 *   <caption>What those three do</caption>
 *   <tr><th>actual</th><th>desired</th><th>it</th></tr>
 *   <tr><td>absent</td><td>absent</td><td>takes its finalizer, if it has one, from the primary object</td></tr>
 *   <tr><td>there</td><td>absent</td><td>deletes it, if it is this very object still; that it is gone already is well</td></tr>
 *   <tr><td>being deleted</td><td>absent</td><td>waits</td></tr>
 *   <tr><td>absent</td><td>there</td><td>puts its finalizer on the primary object, then creates</td></tr>
 *   <tr><td>being deleted</td><td>there</td><td>waits until it is gone</td></tr>
 *   <tr><td>there</td><td>there</td><td>writes the difference, if there is any</td></tr>
 * </table>
 *
 * <p>What they do to the object, events of the primary object tell: {@code Created}, {@code Updated}, {@code Deleted}, and
 * {@code CreationFailed}, {@code UpdateFailed}, {@code DeleteFailed}. Nobody is told of a write that changed nothing, nor
 * of one that came too late.
 *
 * @param <C> class of the objects
 */
@FunctionalInterface
public interface ObjectManager<C extends HasMetadata> {
    /**
     * Brings the object from what it is to what it should be. Changes neither of the two that it is given.
     *
     * @param reconciliation what it reads and writes with
     * @param resource the primary object, which events and finalizers belong to
     * @param actual the object as it was read; empty when there is none
     * @param desired the object as it should be; empty when there should be none
     * @return the object as it is there in the end; empty when there is none, or should be none
     * @throws ConflictException when what was read is not what is there any more: to be tried again, and nobody is to be told
     */
    Optional<C> manage(Reconciliation<?> reconciliation, HasMetadata resource, Optional<C> actual, Optional<C> desired);

    /** What it needs of the controller and of the API server. */
    default List<Requirement> needs() {
        return List.of();
    }

    /**
     * What it means that {@link #manage} threw this: a conflict with another writer passes, and nobody is told; one between
     * the owners of fields, and any other failure, is one.
     */
    static Outcome outcome(RuntimeException failure) {
        boolean late = refusal(failure)
                .filter(refusal -> refusal instanceof ConflictException
                        && refusal.causes().stream()
                                .noneMatch(cause -> cause.reason().equals("FieldManagerConflict")))
                .isPresent();
        return late ? Outcome.quiet(failure) : Outcome.failed(failure);
    }

    /** What the API said, when that is why something failed, whatever is wrapped around it. */
    static Optional<ApiException> refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ApiException refusal) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }
}
