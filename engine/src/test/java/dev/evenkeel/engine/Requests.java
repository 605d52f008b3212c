package dev.evenkeel.engine;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Speaks to a partition in short sentences. Objects are trees, written as JSON with single quotes. */
public final class Requests {
    public final ResourceApi partition;
    private final WriteOptions options;

    /** To the default partition of an engine. */
    public Requests(Engine engine) {
        this(ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION)));
    }

    public Requests(ResourceApi partition) {
        this(partition, WriteOptions.of("test"));
    }

    private Requests(ResourceApi partition, WriteOptions options) {
        this.partition = partition;
        this.options = options;
    }

    /** Returns an engine whose cascades are done when a write returns. */
    public static Engine.Builder direct() {
        return Engine.builder().executor(Runnable::run);
    }

    public Requests with(WriteOptions value) {
        return new Requests(partition, value);
    }

    static JsonObject tree(String text) {
        return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    /** {@code group/version/plural}, or {@code version/plural}; then namespace and name, empty for none. */
    public Target target(String resource, String namespace, String name) {
        String[] parts = resource.split("/");
        String group = parts.length == 3 ? parts[0] : "";
        return partition
                .resource(group, parts[parts.length - 2], parts[parts.length - 1])
                .orElseThrow(() -> new AssertionError("no type " + resource))
                .withName(namespace, name);
    }

    public JsonObject create(String resource, String namespace, String text) {
        return create(target(resource, namespace, ""), text);
    }

    public JsonObject create(Target target, String text) {
        return shown(partition.create(target, body(text), options));
    }

    public JsonObject update(String resource, String namespace, String name, String text) {
        return shown(partition.update(target(resource, namespace, name), body(text), options));
    }

    public JsonObject patch(String resource, String namespace, String name, Patch.Type patchType, String text) {
        return shown(partition.patch(target(resource, namespace, name), patchType, body(text), options));
    }

    public JsonObject patch(Target target, Patch.Type patchType, String text) {
        return shown(partition.patch(target, patchType, body(text), options));
    }

    public JsonObject get(String resource, String namespace, String name) {
        return partition.get(target(resource, namespace, name), "", User.ADMIN).tree();
    }

    public List<String> names(String resource, String namespace) {
        return partition.list(target(resource, namespace, ""), ListQuery.ALL, User.ADMIN).items().stream()
                .map(document -> document.tree().string("metadata", "name"))
                .toList();
    }

    public Reply delete(String resource, String namespace, String name) {
        return partition.delete(target(resource, namespace, name), DeleteOptions.DEFAULT, Requester.IN_PROCESS);
    }

    public Reply delete(String resource, String namespace, String name, DeleteOptions.Propagation propagation) {
        return partition.delete(target(resource, namespace, name), DeleteOptions.of(propagation), Requester.IN_PROCESS);
    }

    static JsonObject shown(Reply reply) {
        return ((Reply.Shown) reply).document().tree();
    }

    private static Body body(String text) {
        return Body.json(text.replace('\'', '"'));
    }
}
