package dev.evenkeel.grpc.internal.verb;

import com.google.rpc.Code;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.CallException;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.internal.call.Session;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.grpc.internal.resource.Identifiers;
import dev.evenkeel.grpc.internal.resource.ResourceCodec;
import dev.evenkeel.grpc.internal.resource.ResourceRef;
import dev.evenkeel.grpc.internal.resource.TypeTable;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.Resource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The resource of a call, whose sender is authenticated, and whose identifier is checked. It need not exist.
 *
 * @param types of its partition
 */
record Located(Session session, ResourceRef ref, TypeTable types) {
    /**
     * Locates the resource that a field of a request names.
     *
     * @throws CallException when the identifier is malformed
     */
    static Located of(Access access, String field, boolean present, ID id) {
        Session session = access.enter(Identifiers.partition(id.getTenancy()));
        TypeTable types = TypeTable.of(session.types());
        Violations violations = new Violations();
        ResourceRef ref = Identifiers.in(field).check(present, id, types, violations);
        ResourceRef checked = violations.require(ref);
        Session own = checked.partition().equals(session.partitionName()) ? session : access.enter(checked.partition());
        return new Located(own, checked, types);
    }

    /** Returns the partition for a read. */
    ResourceApi existing() {
        return session.partition()
                .orElseThrow(() ->
                        Errors.of(Code.NOT_FOUND, "PARTITION_NOT_FOUND", "partition not found: " + ref.partition()));
    }

    /** Returns the partition for a write. */
    ResourceApi writable(String field) {
        return session.partition()
                .orElseThrow(
                        () -> Errors.invalid(field + ".tenancy.partition", "partition not found: " + ref.partition()));
    }

    /** Returns the present object of a target; empty when there is none, or the rules of its type hide it from a user. */
    static Optional<JsonObject> find(ResourceApi partition, Target target, User user) {
        return document(partition, target, user).map(Document::tree);
    }

    /** Returns the present object of a target; empty when there is none, or the rules of its type hide it from a user. */
    static Optional<Document> document(ResourceApi partition, Target target, User user) {
        try {
            return Optional.of(partition.get(target, "", user));
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    CallException notFound() {
        return Errors.notFound(ref.type().text(), ref.name());
    }

    /** Refuses a uid or a version that an object does not have. */
    void requireSame(String version, JsonObject present) {
        requireUid(present);
        requireVersion(version, present);
    }

    private void requireUid(JsonObject present) {
        String uid = present.string("metadata", "uid");
        if (!ref.uid().isEmpty() && !ref.uid().equals(uid)) {
            throw Errors.uidMismatch(ref.uid(), uid);
        }
    }

    private static void requireVersion(String version, JsonObject present) {
        String now = present.string("metadata", "resourceVersion");
        if (!version.isEmpty() && !version.equals(now)) {
            throw Errors.versionMismatch(version, now);
        }
    }

    /** Runs a write, and translates its refusals to the fields of the request. */
    <T> T refusing(Supplier<T> write) {
        try {
            return write.get();
        } catch (NotFoundException e) {
            boolean namespace = e.status()
                    .details()
                    .filter(details -> details.kind().equals("namespaces"))
                    .isPresent();
            if (namespace && ref.type().namespaced()) {
                throw Errors.invalid("resource.id.tenancy.namespace", "namespace not found: " + ref.namespace());
            }
            throw Errors.of(e, ref.type()::field);
        } catch (ApiException e) {
            throw Errors.of(e, ref.type()::field);
        }
    }

    /** Returns the object of an answer as a resource. */
    Resource resource(Reply reply) {
        return switch (reply) {
            case Reply.Shown shown -> resource(shown.document());
            case Reply.Success success ->
                throw new IllegalStateException("a write was answered without an object: " + success);
        };
    }

    Resource resource(Document document) {
        return new ResourceCodec(types, ref.partition()).resource(ref.type(), document);
    }

    Resource resource(JsonObject tree) {
        return new ResourceCodec(types, ref.partition()).resource(ref.type(), tree);
    }
}
