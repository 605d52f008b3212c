package dev.evenkeel.cli;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Placement;
import dev.evenkeel.reconcile.AggregateReconciler;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.internal.describe.AccessRules;
import dev.evenkeel.reconcile.internal.describe.Flowchart;
import dev.evenkeel.reconcile.internal.describe.TextTree;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The declared description of a controller, or of parts of one.
 *
 * @param description of its parts; empty when it does not consist of parts
 * @param controller the controller; empty when there are parts only
 */
record Declared(Optional<Part.Description> description, Optional<Controller<?>> controller) {
    /** Returns the declaration of a controller; if it runs parts, their declaration is complete. */
    static Declared of(Controller<?> controller) {
        return new Declared(
                switch (controller.reconciler()) {
                    case ResourceReconciler<?> root -> Optional.of(root.description());
                    case AggregateReconciler<?> root -> Optional.of(root.description());
                    default -> Optional.empty();
                },
                Optional.of(controller));
    }

    /** Returns true if objects of this class have a declaration. */
    static boolean isMadeBy(Class<?> type) {
        return type == Controller.class
                || type == ResourceReconciler.class
                || type == AggregateReconciler.class
                || type == Part.class
                || type == Part.Description.class;
    }

    /** Returns the declaration of an object; empty when it has none. */
    static Optional<Declared> by(Object object) {
        return switch (object) {
            case Controller<?> controller -> Optional.of(of(controller));
            case ResourceReconciler<?> root -> Optional.of(of(root.controller()));
            case AggregateReconciler<?> root -> Optional.of(of(root.controller()));
            case Part<?> part -> Optional.of(new Declared(Optional.of(part.description()), Optional.empty()));
            case Part.Description description -> Optional.of(new Declared(Optional.of(description), Optional.empty()));
            default -> Optional.empty();
        };
    }

    /** Returns the name for messages. */
    String name() {
        return controller
                .map(Controller::name)
                .orElseGet(() -> description.orElseThrow().name());
    }

    /** Returns true if the declaration includes the written kinds, not only those read. */
    boolean isWhole() {
        return description.isPresent();
    }

    AccessRules rules() {
        AccessRules all = description.map(AccessRules::of).orElse(AccessRules.none());
        return controller.map(AccessRules::of).map(all::and).orElse(all);
    }

    /** Returns true if its objects are known to have no namespace. */
    boolean isClusterScoped() {
        return controller.filter(one -> !one.primary().namespaced()).isPresent();
    }

    boolean isSharded() {
        return controller
                .map(Controller::placement)
                .filter(Placement.Sharded.class::isInstance)
                .isPresent();
    }

    String tree() {
        return TextTree.of(description.orElseGet(() -> described(controller.orElseThrow())));
    }

    String mermaid() {
        return description
                .map(Flowchart::of)
                .orElseGet(() ->
                        new Controller.Dependencies(controller.orElseThrow().dependencies()).mermaid());
    }

    /** Describes a controller as a single part. */
    private static Part.Description described(Controller<?> controller) {
        List<Part.Requirement> needs = new ArrayList<>();
        for (Relation relation : Relation.values()) {
            controller.kinds(relation).forEach(kind -> needs.addAll(needs(relation, kind)));
        }
        return Part.Description.of("Controller").name(controller.name()).needs(needs);
    }

    private static <W extends HasMetadata> List<Part.Requirement> needs(Relation relation, Kind<W> kind) {
        return switch (relation) {
            case PRIMARY, WATCHES -> List.of(new Part.Requirement.May(kind, "", Part.Requirement.READING));
            case OWNS -> List.of(new Part.Requirement.Owns<>(kind));
            case TRACKS -> List.of(new Part.Requirement.Tracks<>(kind));
            case READS -> List.of(new Part.Requirement.Reads<>(kind, List.of()));
            case SOURCE -> List.of();
        };
    }
}
