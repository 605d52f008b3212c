package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/**
 * Manages one object of a kind that belongs to the primary object: created, kept as desired, and deleted with the
 * primary object, or when it is not desired any more.
 *
 * <pre>{@code
 * ChildReconciler.of(Website.class, Deployment.class)
 *     .desired((rec, site) -> site.getSpec().paused() ? Optional.empty() : Optional.of(deploymentFor(site)))
 *     .merge((actual, desired) -> actual.setSpec(desired.getSpec()))
 *     .reflect((rec, site, result) -> site.getStatus().markDeployment(result))
 *     .build();
 * }</pre>
 *
 * <p>The child gets an owner reference: it triggers the primary object, is found by it under any name (which may be
 * generated), and is deleted with it. A child elsewhere, such as in another namespace, cannot have one: then
 * {@link Builder#selecting}, {@link Builder#ours} and {@link Builder#finalizer} take its place.
 *
 * <table>
 *   <caption>Results</caption>
 *   <tr><th>when</th><th>reflected</th><th>outcome</th></tr>
 *   <tr><td>the child is as desired</td><td>the child</td><td>done</td></tr>
 *   <tr><td>none is desired, and none exists</td><td>no child</td><td>done</td></tr>
 *   <tr><td>a write is refused with one of {@link Builder#reflectedErrors}</td><td>the error</td><td>done</td></tr>
 *   <tr><td>the name belongs to another object</td><td>as above</td><td>done, or durable; triggered when it is
 *   deleted</td></tr>
 *   <tr><td>the child changed meanwhile, or the cache lagged</td><td>nothing</td><td>quiet</td></tr>
 *   <tr><td>the desired object would not be recognised as a child</td><td>nothing</td><td>durable</td></tr>
 *   <tr><td>any other failure</td><td>nothing</td><td>failed</td></tr>
 *   <tr><td>the primary object is terminating</td><td>nothing</td><td>that of the deletion</td></tr>
 * </table>
 *
 * <p>When the primary object is deleted and its dependents are to be kept ({@code kubectl delete --cascade=orphan}),
 * children with owner references are left alone.
 */
public final class ChildReconciler {
    private ChildReconciler() {}

    /** Returns a builder for a child of this kind. */
    public static <T extends HasMetadata, C extends HasMetadata> Builder<T, C> of(Kind<T> parent, Kind<C> child) {
        return new Builder<>(new ChildOptions<>("ChildReconciler", parent, child));
    }

    /** Returns a builder for a child of the kind of this class. */
    public static <T extends HasMetadata, C extends HasMetadata> Builder<T, C> of(Class<T> parent, Class<C> child) {
        return of(Kind.of(parent), Kind.of(child));
    }

    /**
     * Builds the part.
     *
     * @param <T> class of the primary objects
     * @param <C> class of the child
     */
    public static final class Builder<T extends HasMetadata, C extends HasMetadata> {
        private final ChildOptions<T, C> draft;
        private Optional<BiFunction<Reconciliation<T>, T, Optional<C>>> desired = Optional.empty();
        private Reflection<T, ChildResult<C>> reflection = (reconciliation, parent, result) -> {};

        private Builder(ChildOptions<T, C> draft) {
            this.draft = draft;
        }

        /** Sets the name; default: that of the child's kind and {@code ChildReconciler}. */
        public Builder<T, C> named(String value) {
            draft.name = value;
            return this;
        }

        /**
         * Sets the function of the desired child; empty for none. Not called while the primary object is terminating.
         * Required.
         */
        public Builder<T, C> desired(BiFunction<Reconciliation<T>, T, Optional<C>> value) {
            desired = Optional.of(value);
            return this;
        }

        /** Sets the manager that writes the child. This, {@link #merge} or {@link #applied} is required. */
        public Builder<T, C> manager(ObjectManager<C> value) {
            draft.manager = Optional.of(value);
            return this;
        }

        /**
         * Updates the child: the function merges the desired object, the second, into a copy of the actual one, the
         * first.
         */
        public Builder<T, C> merge(BiConsumer<C, C> merge) {
            draft.merge(merge);
            return this;
        }

        /** Applies the child, server-side, with force, as this field manager. */
        public Builder<T, C> applied(String fieldManager) {
            draft.applied(fieldManager);
            return this;
        }

        /** Sets the function that reflects the result of the child in the primary object; default: none. */
        public Builder<T, C> reflect(Reflection<T, ChildResult<C>> value) {
            reflection = value;
            draft.hearsErrors = true;
            return this;
        }

        /**
         * Sets the function that reflects the child in the primary object; empty when it does not exist. Errors are
         * outcomes instead.
         */
        public Builder<T, C> reflect(BiConsumer<T, Optional<C>> value) {
            reflection = (reconciliation, parent, result) -> value.accept(parent, result.child());
            draft.hearsErrors = false;
            return this;
        }

        /**
         * Sets the refusals that are final once reflected, and not retried before something changes; default:
         * AlreadyExists, Forbidden and Invalid.
         */
        @SafeVarargs
        @SuppressWarnings("varargs") // only read
        public final Builder<T, C> reflectedErrors(Class<? extends ApiException>... types) {
            draft.reflected = Optional.of(Set.of(types));
            return this;
        }

        /** Sets which objects are children of this part; default: all of the kind that the primary object controls. */
        public Builder<T, C> ours(BiPredicate<T, C> value) {
            draft.ours = Optional.of(value);
            return this;
        }

        /**
         * Selects children by labels instead of owner references; {@link #ours} decides among the selected. Labels
         * should tell them apart: every selected object triggers the primary object when it changes. Without a
         * {@link #finalizer} the child is not deleted with the primary object.
         */
        public Builder<T, C> selecting(BiFunction<Reconciliation<T>, T, ListOptions> value) {
            draft.selecting = Optional.of(value);
            return this;
        }

        /**
         * Sets a finalizer on the primary object from before the child is created until it is gone; only with
         * {@link #selecting}.
         */
        public Builder<T, C> finalizer(String value) {
            draft.finalizer = value;
            return this;
        }

        /** Leaves the child as it is, and reflects it, while the predicate holds; default: never. */
        public Builder<T, C> pausedWhen(BiPredicate<Reconciliation<T>, T> value) {
            draft.paused = value;
            return this;
        }

        /** Adds needs, such as triggers by the objects that {@link #desired} tracks. */
        public Builder<T, C> needing(Part.Requirement... more) {
            draft.needs.addAll(List.of(more));
            return this;
        }

        /**
         * Returns the part.
         *
         * @throws IllegalStateException when something is missing; the message names it
         */
        public Part<T> build() {
            BiFunction<Reconciliation<T>, T, Optional<C>> wanted =
                    draft.defined(desired, "desired: the child as it should be, empty when there should be none");
            ChildApplier<T, C> upkeep = draft.upkeep();
            BiPredicate<Reconciliation<T>, T> paused = draft.paused;
            Reflection<T, ChildResult<C>> reflecting = reflection;
            return Part.of(
                    draft.description(upkeep),
                    (reconciliation, parent) -> reconcile(reconciliation, parent, upkeep, wanted, paused, reflecting));
        }
    }

    private static <T extends HasMetadata, C extends HasMetadata> Outcome reconcile(
            Reconciliation<T> reconciliation,
            T parent,
            ChildApplier<T, C> upkeep,
            BiFunction<Reconciliation<T>, T, Optional<C>> desired,
            BiPredicate<Reconciliation<T>, T> paused,
            Reflection<T, ChildResult<C>> reflection) {
        if (upkeep.orphans(parent)) {
            return Outcome.done();
        }
        List<C> found = upkeep.ownership().children(reconciliation, parent);
        boolean terminating = parent.isMarkedForDeletion();
        if (!terminating && paused.test(reconciliation, parent)) {
            reflection.reflect(reconciliation, parent, upkeep.seen(found));
            return Outcome.done();
        }
        Optional<C> wanted = terminating ? Optional.empty() : desired.apply(reconciliation, parent);
        Outcome held = upkeep.hold(reconciliation, parent, wanted.isPresent());
        if (held.stops()) {
            return held;
        }
        ChildApplier.Kept<C> kept = upkeep.keep(reconciliation, parent, found, wanted);
        Outcome outcome =
                kept.outcome().plus(upkeep.release(reconciliation, parent, wanted.isPresent(), !found.isEmpty()));
        if (!terminating && kept.outcome().succeeded()) {
            reflection.reflect(reconciliation, parent, kept.result());
        }
        return outcome;
    }

    /**
     * The result of one child.
     *
     * @param child the existing object; empty when it does not exist
     * @param error the reason why it is not as desired; empty when it is
     * @param <C> class of the child
     */
    public record ChildResult<C extends HasMetadata>(Optional<C> child, Optional<RuntimeException> error) {
        /**
         * Returns the API's reason of the error, such as {@code Forbidden}, for conditions; empty for other errors, or
         * none.
         */
        public String reason() {
            return error.flatMap(ObjectManager::refusal)
                    .map(ApiException::reason)
                    .orElse("");
        }

        /** Returns the message of the error, for conditions; empty when there is none. */
        public String message() {
            return error.map(ChildResult::text).orElse("");
        }

        static String text(RuntimeException error) {
            return Objects.requireNonNullElseGet(error.getMessage(), error::toString);
        }
    }

    /**
     * Reflects the result of children in the status of the primary object, which is changed in memory.
     *
     * @param <T> class of the primary objects
     * @param <R> class of the result: {@link ChildReconciler.ChildResult} or {@link ChildSetReconciler.ChildSetResult}
     */
    @FunctionalInterface
    public interface Reflection<T extends HasMetadata, R> {
        /** Reflects the result; an exception counts as a failure. */
        void reflect(Reconciliation<T> reconciliation, T parent, R result);
    }
}
