package dev.evenkeel.check.internal.run;

import dev.evenkeel.check.internal.script.UserAction;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.testing.internal.convergence.ObservedCluster;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The objects of one cluster, as the user and the check see and change them. */
final class ClusterAccess implements AutoCloseable {
    private static final WriteOptions USER = WriteOptions.DEFAULT.fieldManager("user");

    private final ResourceApi api;
    private final Client client;
    private final ObservedCluster observed;

    ClusterAccess(Engine engine) {
        api = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
        client = engine.partition(Engine.DEFAULT_PARTITION).client("user");
        observed = new ObservedCluster(engine);
    }

    /** Returns the kind of an object. */
    Kind<Encoded> kind(Map<String, Object> object) {
        String version = String.valueOf(object.get("apiVersion"));
        String kind = String.valueOf(object.get("kind"));
        return api.types()
                .kind(version, kind)
                .map(ClusterAccess::kind)
                .orElseThrow(() -> new IllegalArgumentException("unknown kind " + kind + " of " + version
                        + ": give the directory of its CustomResourceDefinition with --crds"));
    }

    private static Kind<Encoded> kind(Target target) {
        return kind(target.type(), target.version().name());
    }

    private static Kind<Encoded> kind(ResourceType type, String version) {
        return new Kind<>(Encoded.class, type.group(), version, type.kind(), type.plural(), type.namespaced());
    }

    /** Returns the key of an object. */
    ObjectKey key(Map<String, Object> object) {
        return key(kind(object), object);
    }

    private static ObjectKey key(Kind<?> kind, Map<String, Object> object) {
        String name = text(object, "name");
        String namespace = text(object, "namespace");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("metadata.name is missing: " + object);
        }
        return kind.namespaced()
                ? ObjectKey.of(namespace.isEmpty() ? "default" : namespace, name)
                : ObjectKey.cluster(name);
    }

    private static String text(Map<String, Object> object, String field) {
        Object value = object.get("metadata") instanceof Map<?, ?> metadata ? metadata.get(field) : null;
        return value == null ? "" : value.toString();
    }

    /** Creates an object with its status. */
    void create(Map<String, Object> object) {
        Kind<Encoded> kind = kind(object);
        Encoded created = client.create(kind, Encoded.of(located(kind, object)), USER);
        if (object.get("status") instanceof Map<?, ?> status && !status.isEmpty()) {
            JsonObject whole = Json.parseObject(created.json(), JsonLimits.DEFAULT);
            if (!status.equals(whole.put("status", status))) {
                Encoded unused = client.updateStatus(kind, Encoded.of(Json.write(whole)), USER);
            }
        }
    }

    /** Returns the text of an object with its namespace. */
    private static byte[] located(Kind<?> kind, Map<String, Object> object) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        if (object.get("metadata") instanceof Map<?, ?> given) {
            given.forEach((name, value) -> metadata.put(String.valueOf(name), value));
        }
        if (kind.namespaced()) {
            metadata.putIfAbsent("namespace", "default");
        }
        Map<String, Object> tree = new LinkedHashMap<>(object);
        tree.put("metadata", metadata);
        return Json.write(tree);
    }

    /** Makes a change of the user; returns a line about it. */
    String perform(UserAction action) {
        Kind<Encoded> kind = kind(action.object());
        ObjectKey key = key(kind, action.object());
        String object = kind.id() + " " + key;
        switch (action) {
            case UserAction.Apply apply -> {
                Encoded unused = client.apply(kind, Encoded.of(located(kind, apply.object())), USER.force(true));
                return "apply " + object;
            }
            case UserAction.Merge merge -> {
                String text = new String(Json.write(merge.object()), StandardCharsets.UTF_8);
                Encoded unused = client.patch(kind, key, Patch.merge(text), USER);
                if (merge.object().containsKey("status")) {
                    Object status = Map.of("status", merge.object().get("status"));
                    Encoded unusedStatus = client.patchStatus(kind, key, Patch.merge(Json.text(status)), USER);
                }
                return "merge " + object;
            }
            case UserAction.Delete delete -> {
                try {
                    var unused = client.delete(kind, key, DeleteOptions.DEFAULT);
                    return "delete " + object;
                } catch (NotFoundException e) {
                    return "delete " + object + ", which does not exist";
                }
            }
        }
    }

    /** Removes the leases that a process holds, as if their time had passed. */
    void expireLeases(Set<ObjectKey> keys) {
        for (ObjectKey key : keys) {
            try {
                Kind<Encoded> kind = kind(Map.of("apiVersion", "coordination.k8s.io/v1", "kind", "Lease"));
                var unused = client.delete(kind, key, DeleteOptions.DEFAULT);
            } catch (ApiException e) {
                // it is gone already
            }
        }
    }

    Optional<Encoded> find(String resource, ObjectKey key) {
        return api.types()
                .type(resource)
                .flatMap(type -> client.find(kind(type, type.storageVersion().name()), key));
    }

    /** Returns the changes and the state. */
    ObservedCluster observed() {
        return observed;
    }

    @Override
    public void close() {
        observed.close();
    }
}
