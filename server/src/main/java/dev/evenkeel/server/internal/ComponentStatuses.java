package dev.evenkeel.server.internal;

import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.read.Page;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.server.internal.http.Failures;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * {@code componentstatuses}: the state of what the server needs, made for each request, never stored. That is the store
 * alone, under the name that the first member of etcd has: no scheduler and no controller manager belong to the server.
 */
final class ComponentStatuses {
    private static final String STORE = "etcd-0";

    private ComponentStatuses() {}

    static boolean are(Target target) {
        return target.type().id().equals("componentstatuses");
    }

    static Document get(ResourceApi partition, Target target) {
        if (!target.name().equals(STORE)) {
            // upstream answers so, not with 404
            throw Failures.of(500, "", "Component not found: " + target.name());
        }
        return document(partition);
    }

    static Page list(ResourceApi partition, ListQuery query) {
        boolean selected = query.labels().matches(Map.of())
                && query.fields().matches(field -> field.equals("metadata.name") ? STORE : "");
        return new Page(selected ? List.of(document(partition)) : List.of(), 0, "", OptionalLong.empty());
    }

    private static Document document(ResourceApi partition) {
        JsonObject condition = partition
                .outage()
                .map(outage -> JsonObject.of("type", "Healthy", "status", "False")
                        .set("error", "the store cannot be used since " + outage.since()))
                .orElseGet(() -> JsonObject.of("type", "Healthy", "status", "True", "message", "ok"));
        byte[] json = Json.write(
                JsonObject.of("kind", "ComponentStatus", "apiVersion", "v1", "metadata", JsonObject.of("name", STORE))
                        .set("conditions", List.of(condition)));
        return () -> json;
    }
}
