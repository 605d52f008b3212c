package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.List;

/** The rule of CustomResourceDefinitions for the objects of their types. */
public final class DefinitionCheck {
    private static final String DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";

    private DefinitionCheck() {}

    /**
     * Refuses a create of a custom resource whose definition is gone or being deleted: the deletion may already have
     * passed the place where the object would be.
     *
     * @return the condition that it stays so until the commit; none for other types
     */
    public static List<Store.Condition> requireOpen(WriteContext cluster, Target target) {
        if (target.type().origin() != ResourceType.Origin.CUSTOM) {
            return List.of();
        }
        Store.Key key =
                new Store.Key(cluster.collection(DEFINITIONS), "", target.type().id());
        Store.Entry entry = cluster.store().snapshot().get(key);
        if (entry == null) {
            throw Refusal.noSuchResource();
        }
        if (entry.value().deleting()) {
            throw Refusal.forbidden(
                    target.type(),
                    target.name(),
                    "create not allowed while custom resource definition is terminating",
                    List.of());
        }
        return List.of(new Store.Condition(key, entry.revision()));
    }
}
