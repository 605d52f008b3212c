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
 * A need of a part: of the controller that runs it, or of the API server. Two parts may have the same; the controller
 * gets it once.
 */
public sealed interface Requirement {
    /** The verbs of access rules for reading. */
    Set<String> READING = Set.of("get", "list", "watch");

    /** Returns the kind that the access rules are for. */
    Kind<?> kind();

    /** Returns the subresource: {@code status}, {@code finalizers}; empty for the objects. */
    default String subresource() {
        return "";
    }

    /** Returns the verbs of access rules. */
    Set<String> verbs();

    /** Returns the controller with this need. */
    <T extends HasMetadata> Controller<T> in(Controller<T> controller);

    /**
     * Triggers by objects of this kind that the primary object controls, which can be looked up by their controller.
     *
     * @param kind of the owned objects
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
     * Triggers by objects of this kind that reconciliations track.
     *
     * @param kind of the tracked objects
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
     * Reads of objects of this kind from a cache, without triggers.
     *
     * @param kind of the objects
     * @param indexes their indexes
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
     * An access right, such as {@code create}.
     *
     * @param kind of the objects
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
     * Any other configuration of a controller: a source, a mapper. Below a part that changes the class of the primary
     * objects, mappers still see them in their own class.
     *
     * @param <P> class of the primary objects
     * @param kind kind of the primary objects
     * @param name name in descriptions
     * @param change returns the controller with it
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
