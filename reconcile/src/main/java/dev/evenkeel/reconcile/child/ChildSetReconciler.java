package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.reconcile.part.Requirement;
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

/**
 * Any number of objects of a kind that belong to the primary object, told apart by an id: each is kept as a {@link
 * ChildReconciler} keeps one, and what has an id that nobody desires, or none, is deleted.
 *
 * <pre>{@code
 * ChildSetReconciler.of(Cluster.class, Pod.class)
 *     .desired((rec, cluster) -> IntStream.range(0, cluster.getSpec().members()).mapToObj(i -> member(cluster, i)).toList())
 *     .identify(pod -> pod.getMetadata().getLabels().getOrDefault("member", ""))
 *     .merge((actual, desired) -> actual.getMetadata().setLabels(desired.getMetadata().getLabels()))
 *     .reflect((rec, cluster, result) -> cluster.getStatus().markMembers(result))
 *     .build();
 * }</pre>
 *
 * <ol>
 *   <li>What is there is listed once, before {@code desired} is asked, and {@link KnownChildren} has it: giving back a
 *       known child keeps it, leaving one out deletes it.
 *   <li>Nothing is written when what is desired contradicts itself: an empty id, an id twice, a name twice.
 *   <li>Children are dealt with in the order of their ids, and each of them, whatever comes of the others; only what is
 *       different is written.
 *   <li>What came of each is reflected, in one go, also when some failed; not when the primary object is being deleted.
 *   <li>The outcome is that of all, but for what {@link Builder#reflectedErrors} says.
 * </ol>
 */
public final class ChildSetReconciler {
    private ChildSetReconciler() {}

    /** A part for children of this kind. */
    public static <T extends HasMetadata, C extends HasMetadata> Builder<T, C> of(Kind<T> parent, Kind<C> child) {
        return new Builder<>(new ChildOptions<>("ChildSetReconciler", parent, child));
    }

    /** A part for children of the kind of this class. */
    public static <T extends HasMetadata, C extends HasMetadata> Builder<T, C> of(Class<T> parent, Class<C> child) {
        return of(Kind.of(parent), Kind.of(child));
    }

    /**
     * Makes one.
     *
     * @param <T> class of the primary objects
     * @param <C> class of the children
     */
    public static final class Builder<T extends HasMetadata, C extends HasMetadata> {
        private final ChildOptions<T, C> draft;
        private Optional<BiFunction<Reconciliation<T>, T, ? extends Collection<C>>> desired = Optional.empty();
        private Optional<Function<C, String>> identify = Optional.empty();
        private Reflection<T, ChildSetResult<C>> reflection = (reconciliation, parent, result) -> {};

        private Builder(ChildOptions<T, C> draft) {
            this.draft = draft;
        }

        /** Its name, for humans; default: that of the children's kind and {@code ChildSetReconciler}. */
        public Builder<T, C> named(String value) {
            draft.name = value;
            return this;
        }

        /** The children as they should be. Not asked when the primary object is being deleted. Required. */
        public Builder<T, C> desired(BiFunction<Reconciliation<T>, T, ? extends Collection<C>> value) {
            desired = Optional.of(value);
            return this;
        }

        /** Which child it is, of those that are desired, and of those that are there; empty when it does not say. Required. */
        public Builder<T, C> identify(Function<C, String> value) {
            identify = Optional.of(value);
            return this;
        }

        /** How children are written. This, {@link #merge} or {@link #applied} is required. */
        public Builder<T, C> manager(ObjectManager<C> value) {
            draft.manager = Optional.of(value);
            return this;
        }

        /** Children are updated: this brings what is desired, the second, into a copy of what is there, the first. */
        public Builder<T, C> merge(BiConsumer<C, C> merge) {
            draft.merge(merge);
            return this;
        }

        /** Children are applied, server-side, with force, as this owner of fields. */
        public Builder<T, C> applied(String fieldManager) {
            draft.applied(fieldManager);
            return this;
        }

        /** Says on the primary object what came of the children; default: nothing is said. */
        public Builder<T, C> reflect(Reflection<T, ChildSetResult<C>> value) {
            reflection = value;
            draft.hearsErrors = true;
            return this;
        }

        /** Says on the primary object what children there are, in the order of their ids. Errors are not reflected, but outcomes. */
        public Builder<T, C> reflect(BiConsumer<T, List<C>> value) {
            reflection = (reconciliation, parent, result) -> value.accept(parent, result.children());
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
         * #finalizer} nobody deletes the children when the primary object is deleted.
         */
        public Builder<T, C> selecting(BiFunction<Reconciliation<T>, T, ListOptions> value) {
            draft.selecting = Optional.of(value);
            return this;
        }

        /** On the primary object from before the first child is made until the last is gone; only with {@link #selecting}. */
        public Builder<T, C> finalizer(String value) {
            draft.finalizer = value;
            return this;
        }

        /** When the children are left as they are, and reflected, whatever is desired; default: never. */
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
            BiFunction<Reconciliation<T>, T, ? extends Collection<C>> wanted =
                    draft.defined(desired, "desired: the children as they should be");
            Function<C, String> identified = draft.defined(identify, "identify: what tells children apart");
            ChildApplier<T, C> upkeep = draft.upkeep();
            Siblings<T, C> siblings =
                    new Siblings<>(draft.child(), upkeep, wanted, identified, draft.paused, reflection);
            return Part.of(draft.description(upkeep), siblings::reconcile);
        }
    }

    /** All that is known of a set. */
    private record Siblings<T extends HasMetadata, C extends HasMetadata>(
            Kind<C> kind,
            ChildApplier<T, C> upkeep,
            BiFunction<Reconciliation<T>, T, ? extends Collection<C>> desired,
            Function<C, String> identify,
            BiPredicate<Reconciliation<T>, T> paused,
            Reflection<T, ChildSetResult<C>> reflection) {
        Outcome reconcile(Reconciliation<T> reconciliation, T parent) {
            if (upkeep.orphans(parent)) {
                return Outcome.done();
            }
            List<C> found = upkeep.ownership().children(reconciliation, parent);
            reconciliation.stash().put(KnownChildren.key(kind), KnownChildren.of(found));
            Map<String, List<C>> known = new HashMap<>();
            found.forEach(child -> known.computeIfAbsent(identify.apply(child), id -> new ArrayList<>())
                    .add(child));
            boolean terminating = parent.isMarkedForDeletion();
            if (!terminating && paused.test(reconciliation, parent)) {
                List<ChildSetResult.Entry<C>> seen = new ArrayList<>();
                new TreeMap<>(known)
                        .forEach((id, children) -> seen.add(new ChildSetResult.Entry<>(id, upkeep.seen(children))));
                reflection.reflect(reconciliation, parent, new ChildSetResult<>(seen));
                return Outcome.done();
            }
            Map<String, C> wanted = terminating ? Map.of() : byId(desired.apply(reconciliation, parent));
            Outcome held = upkeep.hold(reconciliation, parent, !wanted.isEmpty());
            if (held.stops()) {
                return held;
            }
            Outcome outcome = Outcome.done();
            List<ChildSetResult.Entry<C>> entries = new ArrayList<>();
            Set<String> ids = new TreeSet<>(wanted.keySet());
            ids.addAll(known.keySet());
            for (String id : ids) {
                ChildApplier.Kept<C> kept = ReconcilerPath.within(
                        id.isEmpty() ? "(no id)" : id,
                        () -> upkeep.keep(
                                reconciliation,
                                parent,
                                known.getOrDefault(id, List.of()),
                                Optional.ofNullable(wanted.get(id))));
                outcome = outcome.plus(kept.outcome());
                entries.add(new ChildSetResult.Entry<>(id, kept.result()));
            }
            if (ids.isEmpty()) {
                // the manager may have something to clear away after the last
                outcome = upkeep.keep(reconciliation, parent, List.of(), Optional.empty())
                        .outcome();
            }
            outcome = outcome.plus(upkeep.release(reconciliation, parent, !wanted.isEmpty(), !found.isEmpty()));
            return terminating
                    ? outcome
                    : outcome.plus(reflected(reconciliation, parent, new ChildSetResult<>(entries)));
        }

        private Outcome reflected(Reconciliation<T> reconciliation, T parent, ChildSetResult<C> result) {
            try {
                reflection.reflect(reconciliation, parent, result);
                return Outcome.done();
            } catch (RuntimeException e) {
                return Outcome.failed(e);
            }
        }

        private Map<String, C> byId(Collection<C> children) {
            Map<String, C> byId = new HashMap<>();
            Map<ObjectKey, String> names = new HashMap<>();
            for (C child : children) {
                String id = identify.apply(child);
                if (id.isEmpty()) {
                    throw new IllegalStateException(
                            "desired child id may not be empty: identify says none of " + Ownership.named(kind, child));
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
}
