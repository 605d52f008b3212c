package dev.evenkeel.server.internal;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;

/**
 * The paths about partitions themselves: {@code GET /partitions} lists them, and {@code PUT /partitions/{name}} creates
 * one. A partition takes memory for as long as the server runs, so no other request creates one.
 */
record PartitionEndpoints(Partitions partitions) {
    static boolean isCreation(HttpExchange call) {
        return call.method().equals("PUT") && call.path().ofPartition();
    }

    /** Creates the partition of a path, unless there is one of that name. */
    void create(HttpExchange call) {
        if (!call.user().master()) {
            throw Failures.of(403, "Forbidden", "only administrators create partitions");
        }
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
