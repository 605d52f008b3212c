package dev.evenkeel.reconcile.part;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Dependencies.Relation;
import dev.evenkeel.controller.cache.Index;
import dev.evenkeel.controller.cache.Projection;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Something that a part needs: of the controller that runs it, or of the API server. Two parts may need the same; the
 * controller gets it once.
 */
public sealed interface Requirement {
    /** Reading, in the verbs of access rules. */
    Set<String> READING = Set.of("get", "list", "watch");

    /** The kind that it is about; the rules of access are for that. */
    Kind<?> kind();

    /** What of the kind: {@code status}, {@code finalizers}; empty for the objects. */
    default String subresource() {
        return "";
    }

    /** What must be allowed. */
    Set<String> verbs();

    /** The controller with this. */
    <T extends HasMetadata> Controller<T> in(Controller<T> controller);

    /**
     * To be woken by objects of this kind that the primary object controls, and to find them by their controller.
     *
     * @param kind of what is owned
     */
    record Owns<W extends HasMetadata>(Kind<W> kind) implements Requirement {
        @Override
        public Set<String> verbs() {
            return READING;
        }

        @Override
        public <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
            Controller<T> owning = controller.kinds(Relation.OWNS).contains(kind) ? controller : controller.owns(kind);
            return new Reads<>(kind, List.of(Index.controller())).in(owning);
        }
    }

    /**
     * To be woken by objects of this kind that reconciliations track.
     *
     * @param kind of what is tracked
     */
    record Tracks<W extends HasMetadata>(Kind<W> kind) implements Requirement {
        @Override
        public Set<String> verbs() {
            return READING;
        }

        @Override
        public <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
            return controller.tracks(kind);
        }
    }

    /**
     * To read objects of this kind from a cache, without being woken by them.
     *
     * @param kind of what is read
     * @param indexes by which they are looked up
     */
    record Reads<W extends HasMetadata>(Kind<W> kind, List<Index<W, ?>> indexes) implements Requirement {
        /** Copies the list. */
        public Reads {
            indexes = List.copyOf(indexes);
        }

        @Override
        public Set<String> verbs() {
            return READING;
        }

        @Override
        public <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
            return controller.reads(kind, ListOptions.ALL, Projection.withoutManagedFields(), indexes);
        }
    }

    /**
     * To be allowed to do something, such as {@code create}.
     *
     * @param kind of what it is done to
     * @param subresource such as {@code status}; empty for the objects
     * @param verbs in lower case, as access rules have them
     */
    record May(Kind<?> kind, String subresource, Set<String> verbs) implements Requirement {
        /** Copies the set. */
        public May {
            verbs = Set.copyOf(new TreeSet<>(verbs));
        }

        @Override
        public <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
            return controller;
        }
    }

    /**
     * Whatever else a controller can be told: a source, a mapper of its own. Below a part that changes the class of the
     * primary objects, mappers see them in their own class all the same.
     *
     * @param <P> class of the primary objects
     * @param kind that is reconciled
     * @param name for people
     * @param change gives the controller with it
     */
    record SetUp<P extends HasMetadata>(Kind<P> kind, String name, UnaryOperator<Controller<P>> change)
            implements Requirement {
        @Override
        public Set<String> verbs() {
            return Set.of();
        }

        @Override
        @SuppressWarnings("unchecked") // the part is in a tree for these primary objects, perhaps seen in another class
        public <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
            return (Controller<T>) change.apply((Controller<P>) controller);
        }
    }
}
