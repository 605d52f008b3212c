package dev.evenkeel.server.internal;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;

/**
 * The paths about partitions themselves: {@code GET /partitions} lists them, {@code PUT /partitions/{name}} creates
 * one, and {@code DELETE /partitions/{name}} deletes one with all its objects. A partition takes memory for as long as the server runs, so no other request creates one.
 */
record PartitionEndpoints(Partitions partitions) {
    /** Returns true for a request that creates or deletes a partition, which is made in the default partition. */
    static boolean isAdministration(HttpExchange call) {
        return (call.method().equals("PUT") || call.method().equals("DELETE"))
                && call.path().ofPartition();
    }

    void administer(HttpExchange call) {
        if (!call.user().master()) {
            throw Failures.of(403, "Forbidden", "only administrators create and delete partitions");
        }
        if (call.method().equals("PUT")) {
            create(call);
        } else {
            delete(call);
        }
    }

    private void delete(HttpExchange call) {
        String name = call.path().partition();
        if (name.equals(Engine.DEFAULT_PARTITION) || name.equals(Engine.SYSTEM_PARTITION)) {
            throw Failures.of(403, "Forbidden", "the partition " + name + " cannot be deleted");
        }
        if (!partitions.delete(name)) {
            throw Failures.of(404, "NotFound", "partition not found: " + Failures.quoted(name));
        }
        call.reply(200, HttpExchange.JSON, Json.write(JsonObject.of("name", name)));
    }

    /** Creates the partition of a path, unless there is one of that name. */
    private void create(HttpExchange call) {
        String name = call.path().partition();
        boolean present = partitions.find(name).isPresent();
        if (partitions.get(name).isEmpty()) {
            throw Refusal.badRequest("invalid name of a partition: " + Failures.quoted(name));
        }
        call.reply(present ? 200 : 201, HttpExchange.JSON, Json.write(JsonObject.of("name", name)));
    }

    void list(HttpExchange call) {
        if (call.path().segments().size() > 1) {
            throw Failures.noSuchPath();
        }
        call.requireGet();
        call.reply(200, HttpExchange.JSON, Json.write(JsonObject.of("partitions", partitions.names())));
    }
}
