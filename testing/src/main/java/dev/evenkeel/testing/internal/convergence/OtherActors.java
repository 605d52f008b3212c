package dev.evenkeel.testing.internal.convergence;

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
import dev.evenkeel.simulation.internal.ObjectRef;
import dev.evenkeel.testing.internal.convergence.RunResult.Finding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The actors other than controllers and users: reads objects for the checks, and disturbs the controllers. */
final class OtherActors {
    private static final String MANAGER = "another-actor";
    private static final String DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";
    private static final WriteOptions OPTIONS = WriteOptions.DEFAULT.fieldManager(MANAGER);

    private final ResourceApi api;
    /** A client that disturbs nothing. */
    final Client client;

    private final KnownObjects objects;
    private final InitialObjects initial;
    private final Set<ObjectRef> held = new LinkedHashSet<>();
    private final Set<ObjectRef> touched = new TreeSet<>();

    OtherActors(Engine engine, KnownObjects objects, InitialObjects initial) {
        api = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
        client = engine.partition(Engine.DEFAULT_PARTITION).client(MANAGER);
        this.objects = objects;
        this.initial = initial;
    }

    private Optional<Kind<Encoded>> kind(String id) {
        return api.types().type(id).map(Baseline::kind);
    }

    Optional<Encoded> find(ObjectRef object) {
        return kind(object.kind()).flatMap(kind -> client.find(kind, object.key()));
    }

    /** Returns the specs of objects that exist. */
    Map<ObjectRef, JsonObject> specs(Collection<ObjectRef> of) {
        Map<ObjectRef, JsonObject> specs = new LinkedHashMap<>();
        for (ObjectRef object : of) {
            find(object)
                    .ifPresent(found -> specs.put(
                            object,
                            Json.parseObject(found.json(), JsonLimits.DEFAULT).object("spec")));
        }
        return specs;
    }

    /** Returns the ids of the kinds whose definition has another version in which objects can be stored. */
    Set<String> migratable() {
        Set<String> ids = new TreeSet<>();
        for (ClusterState.Found definition : all(Set.of(DEFINITIONS))) {
            if (versions(definition.tree()).size() > 1) {
                ids.add(definition.ref().key().name());
            }
        }
        return ids;
    }

    private static List<?> versions(JsonObject definition) {
        return definition.object("spec").get("versions") instanceof List<?> versions ? versions : List.of();
    }

    /** Makes the next version of a definition the stored one, and stores all objects again; false without another. */
    boolean migrate(String id) {
        ObjectRef object = new ObjectRef(DEFINITIONS, ObjectKey.of("", id));
        Optional<JsonObject> found = find(object).map(one -> Json.parseObject(one.json(), JsonLimits.DEFAULT));
        List<?> versions = found.<List<?>>map(OtherActors::versions).orElse(List.of());
        if (versions.size() < 2) {
            return false;
        }
        for (int i = 0; i < versions.size(); i++) {
            if (versions.get(i) instanceof JsonObject version && Boolean.TRUE.equals(version.get("storage"))) {
                version.put("storage", false);
                Json.asObject(versions.get((i + 1) % versions.size())).put("storage", true);
                break;
            }
        }
        attempt(object, kind -> client.update(kind, Encoded.of(Json.write(found.orElseThrow())), OPTIONS));
        for (ClusterState.Found stored : all(Set.of(id))) {
            attempt(stored.ref(), kind -> client.update(kind, Encoded.of(Json.write(stored.tree())), OPTIONS));
        }
        return true;
    }

    /** Returns all objects of some kinds. */
    List<ClusterState.Found> all(Collection<String> kinds) {
        List<ClusterState.Found> found = new ArrayList<>();
        for (String id : kinds) {
            api.types().type(id).ifPresent(type -> found.addAll(initial.read(api, type)));
        }
        return found;
    }

    /** Deletes an object; false if it does not exist. */
    boolean delete(ObjectRef object) {
        touched.remove(object);
        return attempt(object, kind -> client.delete(kind, object.key(), DeleteOptions.DEFAULT));
    }

    private boolean attempt(ObjectRef object, Function<Kind<Encoded>, ?> call) {
        try {
            return kind(object.kind()).map(call).isPresent();
        } catch (NotFoundException e) {
            return false;
        }
    }

    /** Writes an annotation into an object; false if it is foreign or does not exist. */
    boolean touch(ObjectRef object, int note) {
        if (objects.foreign.contains(object)
                || !patch(object, "annotations", Map.of(ClusterState.TOUCH, String.valueOf(note)))) {
            return false;
        }
        if (objects.given.contains(object)) {
            touched.add(object);
        }
        return true;
    }

    private boolean patch(ObjectRef object, String field, Object value) {
        Patch patch = Patch.merge(Json.text(Map.of("metadata", Map.of(field, value))));
        return attempt(object, kind -> client.patch(kind, object.key(), patch, OPTIONS));
    }

    private Optional<List<String>> finalizers(ObjectRef object) {
        return find(object).map(found -> found.header().finalizers());
    }

    /** Adds a finalizer to an object; false if it has one already or does not exist. */
    boolean hold(ObjectRef object) {
        List<String> wanted = new ArrayList<>(finalizers(object).orElse(List.of(ClusterState.HOLD)));
        if (wanted.contains(ClusterState.HOLD)) {
            return false;
        }
        wanted.add(ClusterState.HOLD);
        patch(object, "finalizers", wanted);
        return held.add(object);
    }

    boolean holds(ObjectRef object) {
        return held.contains(object);
    }

    /** Forgets what was written into an object, since it is to be deleted, and removes the finalizer from it. */
    void forget(ObjectRef object) {
        touched.remove(object);
        release(object);
    }

    boolean holds() {
        return !held.isEmpty();
    }

    void release(ObjectRef object) {
        if (held.remove(object)) {
            List<String> wanted = new ArrayList<>(finalizers(object).orElse(List.of()));
            if (wanted.remove(ClusterState.HOLD)) {
                patch(object, "finalizers", wanted);
            }
        }
    }

    void releaseAll() {
        List.copyOf(held).forEach(this::release);
    }

    /** Returns what the controllers have removed of the annotations and finalizers of other actors. */
    Optional<Finding> lost() {
        for (ObjectRef object : touched) {
            Optional<Encoded> found = find(object);
            if (found.isPresent() && !found.get().header().annotations().containsKey(ClusterState.TOUCH)) {
                return Optional.of(Finding.of(
                        "what another actor wrote into " + object + " is lost",
                        "annotation " + ClusterState.TOUCH + " was set, and is missing now: update the object as it is,"
                                + " with its resourceVersion, or patch what has changed"));
            }
        }
        return lostHold();
    }

    Optional<Finding> lostHold() {
        for (ObjectRef object : held) {
            if (!finalizers(object).orElse(List.of()).contains(ClusterState.HOLD)) {
                return Optional.of(Finding.of(
                        "the finalizer of another actor is removed from " + object,
                        "finalizer " + ClusterState.HOLD
                                + " was set, and is missing now: remove your own finalizer, and no other"));
            }
        }
        return Optional.empty();
    }

    /** Restores an object as it was, or deletes it if it did not exist; false if there is nothing to restore. */
    boolean restore(ObjectRef object, Optional<Encoded> before) {
        if (before.isEmpty()) {
            return delete(object);
        }
        return kind(object.kind())
                .flatMap(kind -> client.find(kind, object.key()).map(now -> {
                    JsonObject tree = Json.parseObject(before.get().json(), JsonLimits.DEFAULT);
                    tree.object("metadata").put("resourceVersion", now.header().resourceVersion());
                    return client.update(kind, Encoded.of(Json.write(tree)), OPTIONS);
                }))
                .isPresent();
    }
}
