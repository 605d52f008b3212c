package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of namespaces for the objects in them. */
public final class Namespaces {
    public static final String ID = "namespaces";

    /** Namespaces that cannot be deleted. */
    static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    private Namespaces() {}

    /** Returns the labels of a namespace; none when it does not exist. */
    public static Map<String, String> labels(WriteContext cluster, String namespace) {
        Store.Entry found = cluster.store().snapshot().get(new Store.Key(cluster.collection(ID), "", namespace));
        return found == null ? Map.of() : found.value().labels();
    }

    /** Refuses to delete the permanent namespaces. */
    public static void protect(Write write) {
        Target target = write.target();
        if (write.operation() == Operation.DELETE
                && target.type().id().equals(ID)
                && IMMORTAL.contains(target.name())) {
            throw Refusal.forbidden(target.type(), target.name(), "this namespace may not be deleted", List.of());
        }
    }

    /**
     * Sets the namespace of the request on an object; a create requires a namespace that exists and is not being
     * deleted.
     */
    public static void check(WriteContext cluster, Write write) {
        if (write.operation() != Operation.DELETE) {
            fill(write.metadata(), write.target());
        }
        if (write.operation() == Operation.CREATE) {
            var unused = requireOpen(cluster, write.target());
        }
    }

    /** Sets the namespace of the request on an object, or refuses it when it names another one. */
    public static void fill(JsonObject metadata, Target target) {
        if (!target.type().namespaced()) {
            metadata.remove("namespace");
            return;
        }
        String given = metadata.string("namespace");
        if (!given.isEmpty() && !given.equals(target.namespace())) {
            throw Refusal.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        metadata.put("namespace", target.namespace());
    }

    /**
     * Refuses a create in a namespace that does not exist or is being deleted.
     *
     * @return the condition that it stays so until the commit; none for cluster-scoped objects
     */
    public static List<Store.Condition> requireOpen(WriteContext cluster, Target target) {
        if (!target.type().namespaced()) {
            return List.of();
        }
        String namespace = target.namespace();
        Store.Key key = new Store.Key(cluster.collection(ID), "", namespace);
        Store.Entry entry = cluster.store().snapshot().get(key);
        if (entry == null) {
            throw Refusal.namespaceNotFound(namespace);
        }
        if (entry.value().deleting()) {
            throw Refusal.forbidden(
                    target.type(),
                    target.name(),
                    "unable to create new content in namespace " + namespace + " because it is being terminated",
                    List.of(new Status.Cause(
                            "NamespaceTerminating",
                            "namespace " + namespace + " is being terminated",
                            "metadata.namespace")));
        }
        return List.of(new Store.Condition(key, entry.revision()));
    }
}
