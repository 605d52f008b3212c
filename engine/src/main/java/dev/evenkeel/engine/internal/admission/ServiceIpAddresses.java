package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Ownership;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.List;

/**
 * Keeps an IPAddress for each cluster address of a service: it is stored and deleted in the same commit as the service has
 * or loses the address. No other service gets an address that has an IPAddress, also one of a user.
 */
public record ServiceIpAddresses(WriteContext cluster, Ownership ownership) {
    /** The id of the type of services. */
    public static final String SERVICES = "services";

    private static final String ID = "ipaddresses.networking.k8s.io";
    private static final String WRITER = "kube-apiserver";

    /** Returns whether an address has an IPAddress in a partition. */
    public static boolean isReserved(Store.Snapshot state, String partition, String address) {
        return state.get(key(partition, address)) != null;
    }

    private static Store.Key key(String partition, String address) {
        return new Store.Key(partition + "/" + ID, "", address);
    }

    /** Adds the addresses that a service has or loses to its commit. */
    public void follow(Write write) {
        if (!write.target().type().id().equals(SERVICES)
                || write.operation() == Operation.RESTORE
                || write.options().dryRun()) {
            return;
        }
        JsonObject old = write.old();
        List<String> before = old == null ? List.of() : addresses(old);
        List<String> now = write.deletes(cluster.strategies().of(write.target())) ? List.of() : addresses(write.tree());
        Store.Snapshot state = cluster.store().snapshot();
        for (String address : before) {
            Store.Entry entry = state.get(key(cluster.partition(), address));
            if (entry != null && !now.contains(address)) {
                write.alsoChange(new Store.Change(entry.key(), entry.revision(), null));
            }
        }
        for (String address : now) {
            if (!before.contains(address)) {
                Target target = target(address);
                JsonObject tree =
                        of(address, write.target().namespace(), write.target().name());
                tree.withObject("metadata").set("uid", cluster.uuid()).set("creationTimestamp", cluster.now());
                ownership.written(tree, null, target, WRITER, cluster.now());
                write.alsoChange(new Store.Change(cluster.key(target), 0, cluster.encode(tree, target)));
            }
        }
    }

    private Target target(String address) {
        ResourceType type = cluster.types().get().type(ID).orElseThrow();
        return Target.of(type, type.storageVersion(), "", address);
    }

    /** Returns the cluster addresses of a service, without those that no range has. */
    private static List<String> addresses(JsonObject service) {
        return service.strings("spec", "clusterIPs").stream()
                .filter(IpLiterals::isV4)
                .toList();
    }

    /** Returns the objects of the addresses of a service, as a user would send them. */
    public static List<JsonObject> of(Store.Entry service) {
        return addresses(StoredObject.tree(service)).stream()
                .map(address ->
                        of(address, service.key().namespace(), service.key().name()))
                .toList();
    }

    private static JsonObject of(String address, String namespace, String name) {
        JsonObject labels = JsonObject.of(
                "ipaddress.kubernetes.io/ip-family",
                "IPv4",
                "ipaddress.kubernetes.io/managed-by",
                "ipallocator.k8s.io");
        JsonObject parent = JsonObject.of("resource", "services", "namespace", namespace, "name", name);
        return JsonObject.of("apiVersion", "networking.k8s.io/v1", "kind", "IPAddress")
                .set("metadata", JsonObject.of("name", address, "labels", labels))
                .set("spec", JsonObject.of("parentRef", parent));
    }
}
