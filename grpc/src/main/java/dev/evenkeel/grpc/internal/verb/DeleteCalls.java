package dev.evenkeel.grpc.internal.verb;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import dev.evenkeel.engine.internal.write.DeleteOptions.Propagation;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.DeleteResponse;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Deletes of resources: compared with the version and the uid of the request, each of which counts on its own. The
 * dependents are deleted by the garbage collector, after the resource is gone, so that a refused delete has no effect.
 */
public record DeleteCalls(Access access) {
    /** Deletes a resource; an absent one is deleted already. */
    public DeleteResponse delete(DeleteRequest request) {
        Located located = Located.of(access, "id", request.hasId(), request.getId());
        User user = located.session().authorize(located.ref().target(), "delete");
        Optional<Propagation> dependents = switch (request.getDependents()) {
            case DEPENDENTS_UNSPECIFIED -> Optional.empty();
            case DEPENDENTS_BACKGROUND -> Optional.of(Propagation.BACKGROUND);
            case DEPENDENTS_FOREGROUND -> Optional.of(Propagation.FOREGROUND);
            case DEPENDENTS_ORPHAN -> Optional.of(Propagation.ORPHAN);
            case UNRECOGNIZED ->
                throw Errors.invalid("dependents", "dependents invalid: unknown value " + request.getDependentsValue());
        };
        return located.session()
                .partition()
                .map(partition -> delete(located, partition, user, request.getVersion(), dependents))
                .orElse(DeleteResponse.getDefaultInstance());
    }

    private static DeleteResponse delete(
            Located located, ResourceApi partition, User user, String version, Optional<Propagation> dependents) {
        while (true) {
            Optional<JsonObject> present = Located.find(partition, located.ref().target(), user);
            if (present.isEmpty()) {
                return DeleteResponse.getDefaultInstance();
            }
            located.requireSame(version, present.get());
            DeleteOptions options = DeleteOptions.of(
                    dependents,
                    OptionalLong.empty(),
                    Optional.of(present.get().string("metadata", "uid")),
                    Optional.of(version).filter(given -> !given.isEmpty()));
            try {
                return response(
                        located,
                        partition.delete(
                                located.ref().target(),
                                options,
                                located.session().requester(user, partition)));
            } catch (NotFoundException e) {
                return DeleteResponse.getDefaultInstance();
            } catch (ConflictException e) {
                Optional<JsonObject> now = Located.find(partition, located.ref().target(), user);
                if (now.isPresent() && sameVersion(now.get(), present.get())) {
                    throw Errors.of(e, located.ref().type()::field);
                }
                // another write was faster: the expectations are checked again
            } catch (RuntimeException e) {
                return located.refusing(() -> {
                    throw e;
                });
            }
        }
    }

    private static boolean sameVersion(JsonObject one, JsonObject other) {
        return one.string("metadata", "resourceVersion").equals(other.string("metadata", "resourceVersion"));
    }

    /** Returns the marked resource, if the deletion is delayed; kinds may answer with a deleted one, which is left out. */
    private static DeleteResponse response(Located located, Reply reply) {
        if (reply instanceof Reply.Shown shown) {
            JsonObject tree = shown.document().tree();
            if (tree.has("metadata", "deletionTimestamp")) {
                return DeleteResponse.newBuilder()
                        .setResource(located.resource(tree))
                        .build();
            }
        }
        return DeleteResponse.getDefaultInstance();
    }
}
