package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.internal.FinalizerUpdates;
import dev.evenkeel.reconcile.internal.Outcomes;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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
 * {@link Options#selection}, {@link Options#ours} and {@link Options#finalizer} take its place.
 *
 * <table>
 *   <caption>Results</caption>
 *   <tr><th>when</th><th>reflected</th><th>outcome</th></tr>
 *   <tr><td>the child is as desired</td><td>the child</td><td>done</td></tr>
 *   <tr><td>none is desired, and none exists</td><td>no child</td><td>done</td></tr>
 *   <tr><td>a write is refused with one of {@link Options#reflectedErrors}</td><td>the error</td><td>done</td></tr>
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
        return new Builder<>(parent, child);
    }

    /** Returns a builder for a child of the kind of this class. */
    public static <T extends HasMetadata, C extends HasMetadata> Builder<T, C> of(Class<T> parent, Class<C> child) {
        return of(Kind.of(parent), Kind.of(child));
    }

    /** Builds the part. */
    public static final class Builder<T extends HasMetadata, C extends HasMetadata>
            extends Options<T, C, Builder<T, C>> {
        private Optional<BiFunction<Reconciliation<T>, T, Optional<C>>> desired = Optional.empty();
        private Reflection<T, ChildResult<C>> reflection = (reconciliation, parent, result) -> {};

        private Builder(Kind<T> parent, Kind<C> child) {
            super("ChildReconciler", parent, child);
        }

        @Override
        Builder<T, C> self() {
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

        /** Sets the function that reflects the result of the child in the primary object; default: none. */
        public Builder<T, C> reflect(Reflection<T, ChildResult<C>> value) {
            reflection = value;
            hearsErrors = true;
            return this;
        }

        /**
         * Sets the function that reflects the child in the primary object; empty when it does not exist. Errors are
         * outcomes instead.
         */
        public Builder<T, C> reflect(BiConsumer<T, Optional<C>> value) {
            reflection = (reconciliation, parent, result) -> value.accept(parent, result.child());
            hearsErrors = false;
            return this;
        }

        /**
         * Returns the part.
         *
         * @throws IllegalStateException when something is missing; the message names it
         */
        public Part<T> build() {
            BiFunction<Reconciliation<T>, T, Optional<C>> wanted =
                    defined(desired, "desired: the child as it should be, empty when there should be none");
            ChildApplier<T, C> applier = applier();
            Child<T, C> one = new Child<>(applier, wanted, paused, reflection);
            return Part.of(description(applier), one::reconcile);
        }
    }

    /**
     * The options of a child, and of the children of a {@link ChildSetReconciler}.
     *
     * @param <T> class of the primary objects
     * @param <C> class of the children
     * @param <B> class of the builder, for chains
     */
    public abstract static class Options<T extends HasMetadata, C extends HasMetadata, B extends Options<T, C, B>> {
        private static final Set<Class<? extends ApiException>> REFLECTED =
                Set.of(AlreadyExistsException.class, ForbiddenException.class, InvalidException.class);

        private final String type;
        private final Kind<T> parent;
        final Kind<C> child;
        private final List<Part.Requirement> needs = new ArrayList<>();
        private String name;
        private Optional<ObjectManager<C>> manager = Optional.empty();
        private Optional<BiPredicate<T, C>> ours = Optional.empty();
        private Optional<BiFunction<Reconciliation<T>, T, ListOptions>> selection = Optional.empty();
        private Optional<Set<Class<? extends ApiException>>> reflected = Optional.empty();
        BiPredicate<Reconciliation<T>, T> paused = (reconciliation, resource) -> false;
        private String finalizer = "";

        /** True when reflected results may have errors. */
        boolean hearsErrors;

        Options(String type, Kind<T> parent, Kind<C> child) {
            this.type = type;
            this.parent = parent;
            this.child = child;
            this.name = child.kind() + type;
        }

        abstract B self();

        /** Sets the name; default: that of the children's kind and of this class. */
        public B name(String value) {
            name = value;
            return self();
        }

        /** Sets the manager that writes children. This, {@link #merge} or {@link #fieldManager} is required. */
        public B manager(ObjectManager<C> value) {
            manager = Optional.of(value);
            return self();
        }

        /**
         * Updates children: the function merges the desired object, the second, into a copy of the actual one, the
         * first.
         */
        public B merge(BiConsumer<C, C> merge) {
            return manager(ObjectManager.updating(child, merge));
        }

        /** Applies children, server-side, with force, as this field manager. */
        public B fieldManager(String value) {
            return manager(ObjectManager.applying(child, value));
        }

        /**
         * Sets the refusals that are final once reflected, and not retried before something changes; default:
         * AlreadyExists, Forbidden and Invalid.
         */
        @SafeVarargs
        @SuppressWarnings("varargs") // only read
        public final B reflectedErrors(Class<? extends ApiException>... types) {
            reflected = Optional.of(Set.of(types));
            return self();
        }

        /** Sets which objects are children of this part; default: all of the kind that the primary object controls. */
        public B ours(BiPredicate<T, C> value) {
            ours = Optional.of(value);
            return self();
        }

        /**
         * Selects children by labels instead of owner references; {@link #ours} decides among the selected. Labels
         * should tell them apart: every selected object triggers the primary object when it changes. Without a
         * {@link #finalizer} children are not deleted with the primary object.
         */
        public B selection(BiFunction<Reconciliation<T>, T, ListOptions> value) {
            selection = Optional.of(value);
            return self();
        }

        /**
         * Sets a finalizer on the primary object from before the first child is created until the last is gone; only
         * with {@link #selection}.
         */
        public B finalizer(String value) {
            finalizer = value;
            return self();
        }

        /** Leaves children as they are, and reflects them, while the predicate holds; default: never. */
        public B paused(BiPredicate<Reconciliation<T>, T> value) {
            paused = value;
            return self();
        }

        /** Adds needs, such as triggers by the objects that the function of the desired children tracks. */
        public B needs(Part.Requirement... more) {
            needs.addAll(List.of(more));
            return self();
        }

        <V> V defined(Optional<V> value, String what) {
            return value.orElseThrow(() -> missing(what));
        }

        private IllegalStateException missing(String what) {
            return new IllegalStateException(description() + " must define " + what);
        }

        private Part.Description description() {
            return Part.Description.of(type).name(name);
        }

        ChildApplier<T, C> applier() {
            ObjectManager<C> managing =
                    defined(manager, "manager: how the child is written; or merge(...), or fieldManager(...)");
            if (!hearsErrors && reflected.filter(types -> !types.isEmpty()).isPresent()) {
                throw missing("reflect with a result, since errors are reflected: they would be lost otherwise");
            }
            return new ChildApplier<>(
                    child, ownership(), managing, hearsErrors ? reflected.orElse(REFLECTED) : Set.of(), finalizer);
        }

        private Ownership<T, C> ownership() {
            if (selection.isEmpty() && finalizer.isEmpty()) {
                return new Ownership.ByReference<>(parent, child, ours.orElse((any, one) -> true));
            }
            return new Ownership.BySelection<>(
                    child,
                    defined(selection, "selection: where children are, since owner references are not used"),
                    defined(ours, "ours: which of the selected are children, since owner references are not used"));
        }

        Part.Description description(ChildApplier<T, C> applier) {
            Set<Part.Requirement> all = new LinkedHashSet<>(applier.ownership().needs());
            all.addAll(applier.manager().needs());
            if (!finalizer.isEmpty()) {
                all.add(FinalizerUpdates.need(parent));
            }
            all.addAll(needs);
            return description().needs(List.copyOf(all));
        }
    }

    private record Child<T extends HasMetadata, C extends HasMetadata>(
            ChildApplier<T, C> applier,
            BiFunction<Reconciliation<T>, T, Optional<C>> desired,
            BiPredicate<Reconciliation<T>, T> paused,
            Reflection<T, ChildResult<C>> reflection) {
        Result reconcile(Reconciliation<T> reconciliation, T parent) {
            if (applier.orphans(parent)) {
                return Result.done();
            }
            List<C> found = applier.ownership().children(reconciliation, parent);
            boolean terminating = parent.isMarkedForDeletion();
            if (!terminating && paused.test(reconciliation, parent)) {
                reflection.reflect(reconciliation, parent, applier.seen(found));
                return Result.done();
            }
            Optional<C> wanted = terminating ? Optional.empty() : desired.apply(reconciliation, parent);
            Result held = applier.hold(reconciliation, parent, wanted.isPresent());
            if (held.stops()) {
                return held;
            }
            ChildApplier.Kept<C> kept = applier.keep(reconciliation, parent, found, wanted);
            Result outcome =
                    kept.outcome().plus(applier.release(reconciliation, parent, wanted.isPresent(), !found.isEmpty()));
            if (!terminating && kept.outcome().succeeded()) {
                reflection.reflect(reconciliation, parent, kept.result());
            }
            return outcome;
        }
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
            return error.map(Outcomes::message).orElse("");
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
