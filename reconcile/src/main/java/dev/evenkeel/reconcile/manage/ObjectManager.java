package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.internal.ExpiringCache;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Brings one object from its actual to its desired state. There are three, which differ in how they write: {@link
 * #updating}, {@link #patching} and {@link #applying}; any function is another one.
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
    static Result outcome(RuntimeException failure) {
        boolean late = refusal(failure)
                .filter(refusal -> refusal instanceof ConflictException
                        && refusal.causes().stream()
                                .noneMatch(cause -> cause.reason().equals("FieldManagerConflict")))
                .isPresent();
        return late ? Result.quiet(failure) : Result.failed(failure);
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

    /**
     * Returns a manager that replaces the object: with the one that was read, into which the desired one is merged.
     * Fields that the merge leaves alone stay as others have written them. An update fails, and is retried quietly, when
     * the object changed meanwhile.
     *
     * <p>The server's answer to an update is remembered: a webhook that changes the desired state causes one update, and
     * not one at each reconciliation.
     *
     * @param merge merges the desired object, the second, into a copy of the actual one, the first
     */
    static <C extends HasMetadata> Standard<C> updating(Kind<C> kind, BiConsumer<C, C> merge) {
        return Standard.of(kind, options -> new MergeStrategy<>(options, merge, false, new ExpiringCache<>()));
    }

    /** Returns a manager for the kind of this class; see {@link #updating(Kind, BiConsumer)}. */
    static <C extends HasMetadata> Standard<C> updating(Class<C> type, BiConsumer<C, C> merge) {
        return updating(Kind.of(type), merge);
    }

    /**
     * Returns a manager that sends the difference: a merge patch from the object as read to the same with the desired
     * one merged into it. Concurrent changes of others stay, unless it is {@linkplain Standard#locked locked}; fields
     * unknown to the class are never sent, so it may be a partial view of the objects. The server's answer is remembered,
     * as by {@link #updating(Kind, BiConsumer)}.
     *
     * @param merge merges the desired object, the second, into a copy of the actual one, the first
     */
    static <C extends HasMetadata> Standard<C> patching(Kind<C> kind, BiConsumer<C, C> merge) {
        return Standard.of(kind, options -> new MergeStrategy<>(options, merge, true, new ExpiringCache<>()));
    }

    /** Returns a manager for the kind of this class; see {@link #patching(Kind, BiConsumer)}. */
    static <C extends HasMetadata> Standard<C> patching(Class<C> type, BiConsumer<C, C> merge) {
        return patching(Kind.of(type), merge);
    }

    /**
     * Returns a manager that applies the desired object, server-side: as the owner of these fields and of no others.
     * Fields that are no longer desired are removed by the server; fields of other managers stay. The desired object
     * needs a name.
     *
     * <p>Nothing is sent when nothing can have changed: when the desired object is the one applied last, and the same
     * fields of the actual object are as they were then. After a start the first apply of each object is sent.
     *
     * <p>Before an object is created its name is looked up: applying to another owner's object would take it over.
     * Between that look-up and the apply another client may still create one.
     *
     * @param fieldManager a stable name that no other part uses for the same objects
     */
    static <C extends HasMetadata> Standard<C> applying(Kind<C> kind, String fieldManager) {
        if (fieldManager.isBlank()) {
            throw new IllegalArgumentException("fieldManager: must not be blank, it owns the fields of " + kind.id());
        }
        return Standard.of(kind, options -> new ApplyStrategy<>(options, fieldManager, new ExpiringCache<>()));
    }

    /** Returns a manager for the kind of this class; see {@link #applying(Kind, String)}. */
    static <C extends HasMetadata> Standard<C> applying(Class<C> type, String fieldManager) {
        return applying(Kind.of(type), fieldManager);
    }

    /** A manager with options. Immutable: each option returns a manager that remembers nothing yet. */
    final class Standard<C extends HasMetadata> implements ObjectManager<C> {
        private final Function<ManagerOptions<C>, DefaultObjectManager.WriteStrategy<C>> writing;
        private final DefaultObjectManager<C> manager;

        private Standard(
                ManagerOptions<C> options, Function<ManagerOptions<C>, DefaultObjectManager.WriteStrategy<C>> writing) {
            this.writing = writing;
            this.manager = new DefaultObjectManager<>(options, writing.apply(options));
        }

        private static <C extends HasMetadata> Standard<C> of(
                Kind<C> kind, Function<ManagerOptions<C>, DefaultObjectManager.WriteStrategy<C>> writing) {
            return new Standard<>(ManagerOptions.of(kind), writing);
        }

        private Standard<C> with(ManagerOptions<C> changed) {
            return new Standard<>(changed, writing);
        }

        /** Returns a copy with another name; default: that of the kind and {@code ObjectManager}. */
        public Standard<C> name(String value) {
            return with(manager.options().name(value));
        }

        /**
         * Returns a copy with a function that copies immutable fields from the actual object, the first, into a copy of
         * the desired one.
         */
        public Standard<C> harmonizeImmutableFields(BiConsumer<C, C> value) {
            return with(manager.options().harmonize(value));
        }

        /**
         * Returns a copy with a function that reduces a copy of an object to what may be logged; default: all, but
         * nothing of secrets.
         */
        public Standard<C> sanitize(UnaryOperator<C> value) {
            return with(manager.options().sanitize(value));
        }

        /** Returns a copy that triggers the primary object by the desired one without owning it, or not; default: false. */
        public Standard<C> trackDesired(boolean value) {
            return with(manager.options().tracks(value));
        }

        /**
         * Returns a copy that sets a finalizer on the primary object from before the object is created until it is gone.
         */
        public Standard<C> finalizer(String value) {
            return with(manager.options().finalizer(value));
        }

        /**
         * Returns a copy that patches only the version that was read, or not; default: false. When the object changed
         * meanwhile, it is retried quietly. Updates always behave so.
         */
        public Standard<C> locked(boolean value) {
            return with(manager.options().locked(value));
        }

        /**
         * Returns a copy that takes over fields of other managers by an apply, or not; default: true. Otherwise such a
         * conflict fails, and is reported.
         */
        public Standard<C> force(boolean value) {
            return with(manager.options().force(value));
        }

        @Override
        public Optional<C> manage(
                Reconciliation<?> reconciliation, HasMetadata resource, Optional<C> actual, Optional<C> desired) {
            return manager.manage(reconciliation, resource, actual, desired);
        }

        @Override
        public List<Part.Requirement> needs() {
            return manager.needs();
        }

        @Override
        public String toString() {
            return manager.toString();
        }
    }
}
