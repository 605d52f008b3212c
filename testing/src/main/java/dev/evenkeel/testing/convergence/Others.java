package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The objects at the server as others see them and have their way with them: who looks, and who disturbs. */
final class Others {
    private static final String WHO = "somebody-else";
    private static final WriteOptions OTHERS = WriteOptions.DEFAULT.withFieldManager(WHO);

    private final ResourceApi partition;
    private final Client server;

    Others(Engine engine) {
        partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
        server = partition.client(WHO);
    }

    private Optional<Kind<Encoded>> kind(String id) {
        return partition.types().type(id).map(Start::kind);
    }

    /** The calls of one who disturbs nothing. */
    Client client() {
        return server;
    }

    Optional<Encoded> find(Place place) {
        return kind(place.kind()).flatMap(kind -> server.find(kind, place.key()));
    }

    /** All objects of some kinds, by the names of those. */
    List<World.Found> all(Collection<String> kinds) {
        List<World.Found> found = new ArrayList<>();
        for (String id : new TreeSet<>(kinds)) {
            kind(id).ifPresent(kind -> server.list(kind, ListOptions.ALL)
                    .items()
                    .forEach(object -> found.add(new World.Found(id, object))));
        }
        return found;
    }

    /** Deletes an object; false when it does not exist. */
    boolean remove(Place place) {
        try {
            return kind(place.kind())
                    .map(kind -> server.delete(kind, place.key(), DeleteOptions.DEFAULT))
                    .isPresent();
        } catch (NotFoundException e) {
            return false;
        }
    }

    /**
     * Writes a note on an object.
     *
     * @return false when it is not there
     */
    boolean touch(Place place, String note) {
        Patch patch = Patch.merge("{\"metadata\":{\"annotations\":{\"" + World.TOUCH + "\":\"" + note + "\"}}}");
        try {
            return kind(place.kind())
                    .map(kind -> server.patch(kind, place.key(), patch, OTHERS))
                    .isPresent();
        } catch (NotFoundException e) {
            return false;
        }
    }

    /** The finalizers of an object; empty when it is not there. */
    Optional<List<String>> finalizers(Place place) {
        return find(place).map(object -> object.header().finalizers());
    }

    /** Makes these the finalizers of an object. */
    void finalize(Place place, List<String> finalizers) {
        Patch patch = Patch.merge(Json.text(Map.of("metadata", Map.of("finalizers", finalizers))));
        kind(place.kind()).ifPresent(kind -> server.patch(kind, place.key(), patch, OTHERS));
    }

    /** Restores an object as it was, or deletes it when it did not exist; false when there is nothing to restore. */
    boolean restore(Place place, Optional<Encoded> before) {
        if (before.isEmpty()) {
            return remove(place);
        }
        return kind(place.kind())
                .flatMap(kind -> server.find(kind, place.key()).map(now -> {
                    Map<String, @Nullable Object> tree =
                            Json.parseObject(before.get().json(), JsonLimits.DEFAULT);
                    Json.asObject(tree.get("metadata"))
                            .put("resourceVersion", now.header().resourceVersion());
                    return server.update(kind, Encoded.of(Json.write(tree)), OTHERS);
                }))
                .isPresent();
    }
}
