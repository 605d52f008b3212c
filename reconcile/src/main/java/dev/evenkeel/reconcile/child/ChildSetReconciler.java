package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.child.ChildReconciler.ChildResult;
import dev.evenkeel.reconcile.internal.Outcomes;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Manages any number of objects of a kind that belong to the primary object, identified by an id: each is kept as by a
 * {@link ChildReconciler}; objects with an undesired id, or none, are deleted.
 *
 * <pre>{@code
 * ChildSetReconciler.of(Cluster.class, Pod.class)
 *     .desired((rec, cluster) -> IntStream.range(0, cluster.getSpec().members())
 *         .mapToObj(i -> member(cluster, i))
 *         .toList())
 *     .identify(pod -> pod.getMetadata().getLabels().getOrDefault("member", ""))
 *     .merge((actual, desired) -> actual.getMetadata().setLabels(desired.getMetadata().getLabels()))
 *     .reflect((rec, cluster, result) -> cluster.getStatus().markMembers(result))
 *     .build();
 * }</pre>
 *
 * <ol>
 *   <li>Existing children are listed once, before {@code desired} is called, as {@link KnownChildren}: returning a
 *       known child keeps it, leaving one out deletes it.
 *   <li>Nothing is written when the desired children are inconsistent: an empty id, an id twice, a name twice.
 *   <li>Children are processed in the order of their ids, each of them, whatever the results of the others; only
 *       differences are written.
 *   <li>All results are reflected at once, also when some failed; not while the primary object is terminating.
 *   <li>The outcome is that of all, but for {@link ChildReconciler.Options#reflectedErrors}.
 * </ol>
 */
public final class ChildSetReconciler {
    private ChildSetReconciler() {}

    /** Returns a builder for children of this kind. */
    public static <T extends HasMetadata, C extends HasMetadata> Builder<T, C> of(Kind<T> parent, Kind<C> child) {
        return new Builder<>(parent, child);
    }

    /** Returns a builder for children of the kind of this class. */
    public static <T extends HasMetadata, C extends HasMetadata> Builder<T, C> of(Class<T> parent, Class<C> child) {
        return of(Kind.of(parent), Kind.of(child));
    }

    /** Builds the part. */
    public static final class Builder<T extends HasMetadata, C extends HasMetadata>
            extends ChildReconciler.Options<T, C, Builder<T, C>> {
        private Optional<BiFunction<Reconciliation<T>, T, ? extends Collection<C>>> desired = Optional.empty();
        private Optional<Function<C, String>> identify = Optional.empty();
        private ChildReconciler.Reflection<T, ChildSetResult<C>> reflection = (reconciliation, parent, result) -> {};

        private Builder(Kind<T> parent, Kind<C> child) {
            super("ChildSetReconciler", parent, child);
        }

        @Override
        Builder<T, C> self() {
            return this;
        }

        /** Sets the function of the desired children. Not called while the primary object is terminating. Required. */
        public Builder<T, C> desired(BiFunction<Reconciliation<T>, T, ? extends Collection<C>> value) {
            desired = Optional.of(value);
            return this;
        }

        /** Sets the function of the id of a child, desired or existing; empty for none. Required. */
        public Builder<T, C> identify(Function<C, String> value) {
            identify = Optional.of(value);
            return this;
        }

        /** Sets the function that reflects the result of the children in the primary object; default: none. */
        public Builder<T, C> reflect(ChildReconciler.Reflection<T, ChildSetResult<C>> value) {
            reflection = value;
            hearsErrors = true;
            return this;
        }

        /**
         * Sets the function that reflects the children in the primary object, in the order of their ids. Errors are
         * outcomes instead.
         */
        public Builder<T, C> reflect(BiConsumer<T, List<C>> value) {
            reflection = (reconciliation, parent, result) -> value.accept(parent, result.children());
            hearsErrors = false;
            return this;
        }

        /**
         * Returns the part.
         *
         * @throws IllegalStateException when something is missing; the message names it
         */
        public Part<T> build() {
            BiFunction<Reconciliation<T>, T, ? extends Collection<C>> wanted =
                    defined(desired, "desired: the children as they should be");
            Function<C, String> identified = defined(identify, "identify: what tells children apart");
            ChildApplier<T, C> applier = applier();
            Siblings<T, C> siblings = new Siblings<>(child, applier, wanted, identified, paused, reflection);
            return Part.of(description(applier), siblings::reconcile);
        }
    }

    private record Siblings<T extends HasMetadata, C extends HasMetadata>(
            Kind<C> kind,
            ChildApplier<T, C> applier,
            BiFunction<Reconciliation<T>, T, ? extends Collection<C>> desired,
            Function<C, String> identify,
            BiPredicate<Reconciliation<T>, T> paused,
            ChildReconciler.Reflection<T, ChildSetResult<C>> reflection) {
        Result reconcile(Reconciliation<T> reconciliation, T parent) {
            if (applier.orphans(parent)) {
                return Result.done();
            }
            List<C> found = applier.ownership().children(reconciliation, parent);
            reconciliation.stash().put(KnownChildren.key(kind), KnownChildren.of(found));
            Map<String, List<C>> known = new HashMap<>();
            found.forEach(child -> known.computeIfAbsent(identify.apply(child), id -> new ArrayList<>())
                    .add(child));
            boolean terminating = parent.isMarkedForDeletion();
            if (!terminating && paused.test(reconciliation, parent)) {
                List<ChildSetResult.Entry<C>> seen = new ArrayList<>();
                new TreeMap<>(known)
                        .forEach((id, children) -> seen.add(new ChildSetResult.Entry<>(id, applier.seen(children))));
                reflection.reflect(reconciliation, parent, new ChildSetResult<>(seen));
                return Result.done();
            }
            Map<String, C> wanted = terminating ? Map.of() : byId(desired.apply(reconciliation, parent));
            Result held = applier.hold(reconciliation, parent, !wanted.isEmpty());
            if (held.stops()) {
                return held;
            }
            Result outcome = Result.done();
            List<ChildSetResult.Entry<C>> entries = new ArrayList<>();
            Set<String> ids = new TreeSet<>(wanted.keySet());
            ids.addAll(known.keySet());
            for (String id : ids) {
                ChildApplier.Kept<C> kept = ReconcilerPath.within(
                        id.isEmpty() ? "(no id)" : id,
                        () -> applier.keep(
                                reconciliation,
                                parent,
                                known.getOrDefault(id, List.of()),
                                Optional.ofNullable(wanted.get(id))));
                outcome = outcome.plus(kept.outcome());
                entries.add(new ChildSetResult.Entry<>(id, kept.result()));
            }
            if (ids.isEmpty()) {
                // the manager may have to clean up after the last
                outcome = applier.keep(reconciliation, parent, List.of(), Optional.empty())
                        .outcome();
            }
            outcome = outcome.plus(applier.release(reconciliation, parent, !wanted.isEmpty(), !found.isEmpty()));
            return terminating
                    ? outcome
                    : outcome.plus(reflected(reconciliation, parent, new ChildSetResult<>(entries)));
        }

        private Result reflected(Reconciliation<T> reconciliation, T parent, ChildSetResult<C> result) {
            try {
                reflection.reflect(reconciliation, parent, result);
                return Result.done();
            } catch (RuntimeException e) {
                return Result.failed(e);
            }
        }

        private Map<String, C> byId(Collection<C> children) {
            Map<String, C> byId = new HashMap<>();
            Map<ObjectKey, String> names = new HashMap<>();
            for (C child : children) {
                String id = identify.apply(child);
                if (id.isEmpty()) {
                    throw new IllegalStateException("desired child id may not be empty: identify returned none for "
                            + Ownership.named(kind, child));
                }
                if (byId.put(id, child) != null) {
                    throw new IllegalStateException("duplicate child id found: " + id);
                }
                ObjectKey key = ObjectKey.of(child);
                String other = key.name().isEmpty() ? null : names.put(key, id);
                if (other != null) {
                    throw new IllegalStateException("duplicate child name found: children " + other + " and " + id
                            + " are both desired as " + Ownership.named(kind, child));
                }
            }
            return byId;
        }
    }

    /**
     * The result of a set of children: of all that are desired, and of all that existed.
     *
     * @param entries sorted by id; those no longer desired have no child when they are deleted
     */
    public record ChildSetResult<C extends HasMetadata>(List<Entry<C>> entries) {
        /**
         * The result of one child.
         *
         * @param id empty for children without one
         * @param result its result
         */
        public record Entry<C extends HasMetadata>(String id, ChildResult<C> result) {}

        /** Copies the list. */
        public ChildSetResult {
            entries = List.copyOf(entries);
        }

        /** Returns the existing children, in the order of their ids. */
        public List<C> children() {
            return results().flatMap(result -> result.child().stream()).toList();
        }

        /** Returns the result of the child with this id; empty when none existed, and none is desired. */
        public Optional<ChildResult<C>> of(String id) {
            return entries.stream()
                    .filter(entry -> entry.id().equals(id))
                    .map(Entry::result)
                    .findFirst();
        }

        /** Returns the errors of all children as one exception; empty when all are as desired. */
        public Optional<RuntimeException> error() {
            return errors().map(Result::failed)
                    .reduce(Result.done(), Result::plus)
                    .failure();
        }

        /**
         * Returns the API's reason of the first error that has one, such as {@code Forbidden}, for conditions; empty when
         * there is none.
         */
        public String reason() {
            return results()
                    .map(ChildResult::reason)
                    .filter(word -> !word.isEmpty())
                    .findFirst()
                    .orElse("");
        }

        /** Returns all errors, for conditions, in the order of the ids; empty when there are none. */
        public String message() {
            return errors().map(Outcomes::message).distinct().collect(Collectors.joining("; "));
        }

        private Stream<ChildResult<C>> results() {
            return entries.stream().map(Entry::result);
        }

        private Stream<RuntimeException> errors() {
            return results().flatMap(result -> result.error().stream());
        }
    }

    /**
     * The existing children of a kind when their set was reconciled, before anything was written; for the function of the
     * desired children, and for later parts. When several parts have sets of the same kind, these are of the last.
     */
    public static final class KnownChildren<C extends HasMetadata> {
        private final List<C> children;

        private KnownChildren(List<C> children) {
            this.children = List.copyOf(children);
        }

        /** Returns an instance with these children. */
        public static <C extends HasMetadata> KnownChildren<C> of(List<C> children) {
            return new KnownChildren<>(children);
        }

        /** Returns the children, copied at each call. */
        public List<C> children() {
            return children.stream().map(ModelCodec::copy).toList();
        }

        /** Returns their key in the stash. */
        @SuppressWarnings("unchecked") // only those of this kind are put there
        public static <C extends HasMetadata> Stash.Key<KnownChildren<C>> key(Kind<C> kind) {
            return Stash.Key.of("children of " + kind.id(), (Class<KnownChildren<C>>) (Class<?>) KnownChildren.class);
        }

        /**
         * Returns the known children of a kind.
         *
         * @throws Stash.MissingValueException when no set of this kind was reconciled before
         */
        public static <C extends HasMetadata> List<C> in(Reconciliation<?> reconciliation, Kind<C> kind) {
            return reconciliation.stash().require(key(kind)).children();
        }

        /** Returns the known children of the kind of this class; see {@link #in(Reconciliation, Kind)}. */
        public static <C extends HasMetadata> List<C> in(Reconciliation<?> reconciliation, Class<C> type) {
            return in(reconciliation, Kind.of(type));
        }

        @Override
        public String toString() {
            return children.size() + " children";
        }
    }
}
