package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.reconcile.part.Requirement;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/**
 * One object of a kind that belongs to the primary object: made, kept as it is desired, and deleted when it is not desired
 * any more, or the primary object is deleted.
 *
 * <pre>{@code
 * ChildReconciler.of(Website.class, Deployment.class)
 *     .desired((rec, site) -> site.getSpec().paused() ? Optional.empty() : Optional.of(deploymentFor(site)))
 *     .merge((actual, desired) -> actual.setSpec(desired.getSpec()))
 *     .reflect((rec, site, result) -> site.getStatus().markDeployment(result))
 *     .build();
 * }</pre>
 *
 * <p>The child has an owner reference, which is set here: it wakes the primary object, is found by it whatever its name is
 * (which may be generated), and goes with it. A child elsewhere, such as in another namespace, can't have one: then {@link
 * Builder#selecting}, {@link Builder#ours} and {@link Builder#finalizer} take its place.
 *
 * <table>
 *   <caption>What comes of it</caption>
 *   <tr><th>when</th><th>reflected</th><th>outcome</th></tr>
 *   <tr><td>the child is as desired</td><td>the child</td><td>done</td></tr>
 *   <tr><td>none is desired, and none is there</td><td>no child</td><td>done</td></tr>
 *   <tr><td>a write is refused as {@link Builder#reflectedErrors} says</td><td>the error</td><td>done</td></tr>
 *   <tr><td>the name is somebody else's</td><td>as above</td><td>done, or durable; woken when it is gone</td></tr>
 *   <tr><td>the child changed meanwhile, or the cache was behind</td><td>nothing</td><td>quiet</td></tr>
 *   <tr><td>what is desired would not be recognised as a child</td><td>nothing</td><td>durable</td></tr>
 *   <tr><td>any other failure</td><td>nothing</td><td>failed</td></tr>
 *   <tr><td>the primary object is being deleted</td><td>nothing</td><td>that of the deletion</td></tr>
 * </table>
 *
 * <p>When the primary object is deleted and its dependents are to stay ({@code kubectl delete --cascade=orphan}), children
 * with owner references are left alone.
 */
public final class ChildReconciler {
    private ChildReconciler() {}

    /** A part for a child of this kind. */
    public static <T extends HasMetadata, C extends HasMetadata> Builder<T, C> of(Kind<T> parent, Kind<C> child) {
        return new Builder<>(new ChildOptions<>("ChildReconciler", parent, child));
    }

    /** A part for a child of the kind of this class. */
    public static <T extends HasMetadata, C extends HasMetadata> Builder<T, C> of(Class<T> parent, Class<C> child) {
        return of(Kind.of(parent), Kind.of(child));
    }

    /**
     * Makes one.
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

        /** Its name, for humans; default: that of the child's kind and {@code ChildReconciler}. */
        public Builder<T, C> named(String value) {
            draft.name = value;
            return this;
        }

        /** The child as it should be; empty when there should be none. Not asked when the primary object is being deleted. Required. */
        public Builder<T, C> desired(BiFunction<Reconciliation<T>, T, Optional<C>> value) {
            desired = Optional.of(value);
            return this;
        }

        /** How the child is written. This, {@link #merge} or {@link #applied} is required. */
        public Builder<T, C> manager(ObjectManager<C> value) {
            draft.manager = Optional.of(value);
            return this;
        }

        /** The child is updated: this brings what is desired, the second, into a copy of what is there, the first. */
        public Builder<T, C> merge(BiConsumer<C, C> merge) {
            draft.merge(merge);
            return this;
        }

        /** The child is applied, server-side, with force, as this owner of fields. */
        public Builder<T, C> applied(String fieldManager) {
            draft.applied(fieldManager);
            return this;
        }

        /** Says on the primary object what came of the child; default: nothing is said. */
        public Builder<T, C> reflect(Reflection<T, ChildResult<C>> value) {
            reflection = value;
            draft.hearsErrors = true;
            return this;
        }

        /**
         * Says on the primary object what the child is; empty when it does not exist. Errors are not reflected, but
         * outcomes.
         */
        public Builder<T, C> reflect(BiConsumer<T, Optional<C>> value) {
            reflection = (reconciliation, parent, result) -> value.accept(parent, result.child());
            draft.hearsErrors = false;
            return this;
        }

        /**
         * Refusals that are done with when they are reflected, and not tried again before something changes; default:
         * AlreadyExists, Forbidden and Invalid.
         */
        @SafeVarargs
        @SuppressWarnings("varargs") // only read
        public final Builder<T, C> reflectedErrors(Class<? extends ApiException>... types) {
            draft.reflected = Optional.of(Set.of(types));
            return this;
        }

        /** Which objects are children of this part; default: all of the kind that the primary object controls. */
        public Builder<T, C> ours(BiPredicate<T, C> value) {
            draft.ours = Optional.of(value);
            return this;
        }

        /**
         * Children are found so, and have no owner references; {@link #ours} says which of those are children. Labels
         * should tell them apart: whatever is selected wakes the primary object when it changes. Without a {@link
         * #finalizer} nobody deletes the child when the primary object is deleted.
         */
        public Builder<T, C> selecting(BiFunction<Reconciliation<T>, T, ListOptions> value) {
            draft.selecting = Optional.of(value);
            return this;
        }

        /** On the primary object from before the child is made until after it is gone; only with {@link #selecting}. */
        public Builder<T, C> finalizer(String value) {
            draft.finalizer = value;
            return this;
        }

        /** When the child is left as it is, and reflected, whatever is desired; default: never. */
        public Builder<T, C> pausedWhen(BiPredicate<Reconciliation<T>, T> value) {
            draft.paused = value;
            return this;
        }

        /** What else it needs, such as to be woken by what {@link #desired} tracks. */
        public Builder<T, C> needing(Requirement... more) {
            draft.needs.addAll(List.of(more));
            return this;
        }

        /**
         * The part.
         *
         * @throws IllegalStateException when something is missing; the message says what
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
}
