package dev.evenkeel.grpc.internal.verb;

import com.google.rpc.Code;
import com.google.rpc.PreconditionFailure;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.grpc.internal.resource.ServedType;
import dev.evenkeel.grpc.internal.resource.StatusCodec;
import dev.evenkeel.grpc.resource.v1.Status;
import dev.evenkeel.grpc.resource.v1.WriteStatusRequest;
import dev.evenkeel.grpc.resource.v1.WriteStatusResponse;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes of statuses. A key has one owner, recorded in the managed fields: the manager that wrote it. Another manager takes
 * it over by {@code force} only.
 *
 * @param clock the time at which a status is written
 */
public record StatusCalls(Access access, InstantSource clock) {
    /** Sets or removes a status. */
    public WriteStatusResponse write(WriteStatusRequest request) {
        Located located = Located.of(access, "id", request.hasId(), request.getId());
        User user = located.session().authorize(located.ref().status(), "update");
        Violations violations = new Violations();
        check(located, request, violations);
        violations.check();
        ResourceApi partition = located.existing();
        String manager = request.getManager().isEmpty() ? request.getKey() : request.getManager();
        Change change = new Change(located, request, manager, clock);
        Reply reply = located.refusing(() -> partition.change(
                located.ref().status(), WriteCalls.options(located, partition, user, manager), change::from));
        return WriteStatusResponse.newBuilder()
                .setResource(located.resource(reply))
                .build();
    }

    private static void check(Located located, WriteStatusRequest request, Violations violations) {
        ServedType type = located.ref().type();
        if (located.ref().uid().isEmpty()) {
            violations.required("id.uid");
        }
        WriteCalls.check(request.getManager(), violations);
        if (!type.hasStatus()) {
            violations.add("id.type", "resource type " + type.text() + " has no status");
        } else if (request.getRemove()) {
            if (request.hasStatus()) {
                violations.invalid("status", "a status that is removed must be left out");
            }
            if (type.keyedStatus() && request.getKey().isEmpty()) {
                violations.required("key");
            }
        } else {
            new StatusCodec(located.types())
                    .check(type, request.getKey(), request.hasStatus(), request.getStatus(), violations);
        }
    }

    /** The change of the object for one request. */
    private record Change(Located located, WriteStatusRequest request, String manager, InstantSource clock) {
        JsonObject from(@Nullable JsonObject live) {
            if (live == null) {
                throw located.notFound();
            }
            located.requireSame(request.getVersion(), live);
            boolean keyed = located.ref().type().keyedStatus();
            boolean takeover = false;
            if (keyed) {
                requireSeen(live);
                takeover = takesOver(live);
            }
            JsonObject tree = live.copy();
            JsonObject holder = keyed ? tree.withObject("status") : tree;
            String key = keyed ? request.getKey() : "status";
            if (request.getRemove()) {
                holder.remove(key);
            } else {
                Status status = request.getStatus();
                JsonObject present = Json.object(holder.get(key)).orElse(null);
                holder.put(
                        key,
                        new StatusCodec(located.types())
                                .tree(
                                        located.ref().type(),
                                        request.getKey(),
                                        status,
                                        present,
                                        takeover,
                                        clock.instant()));
            }
            if (keyed && holder.isEmpty()) {
                tree.remove("status");
            }
            return tree;
        }

        /** Refuses the observation of a generation that does not exist yet. */
        private void requireSeen(JsonObject live) {
            if (request.getRemove()) {
                return;
            }
            long observed = Long.parseLong(request.getStatus().getObservedGeneration());
            long present = live.integer("metadata", "generation");
            if (observed > present) {
                throw Errors.invalid(
                        "status.observed_generation",
                        "status.observed_generation is not valid: " + observed + ", the present generation is "
                                + present);
            }
        }

        /**
         * Refuses a status that another manager owns. The owner is the one that wrote it last: each write changes its time, and
         * the field of the time has one owner.
         *
         * @return true if the status is taken over
         */
        private boolean takesOver(JsonObject live) {
            for (JsonObject entry : live.objects("metadata", "managedFields")) {
                JsonObject fields = entry.object("fieldsV1", "f:status", "f:" + request.getKey());
                if (fields.containsKey("f:" + StatusCodec.UPDATED)
                        && !entry.string("manager").equals(manager)) {
                    if (request.getForce()) {
                        return true;
                    }
                    String message = "status " + request.getKey() + " is owned by " + entry.string("manager")
                            + ", not by " + manager + "; set force to take it over";
                    throw Errors.of(
                            Code.FAILED_PRECONDITION,
                            "FIELD_MANAGER_CONFLICT",
                            message,
                            PreconditionFailure.newBuilder()
                                    .addViolations(PreconditionFailure.Violation.newBuilder()
                                            .setType("FIELD_MANAGER")
                                            .setSubject("status." + request.getKey())
                                            .setDescription(message))
                                    .build());
                }
            }
            return false;
        }
    }
}
