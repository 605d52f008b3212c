package dev.evenkeel.grpc.internal.verb;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.internal.call.Session;
import dev.evenkeel.grpc.internal.resource.Identifiers;
import dev.evenkeel.grpc.internal.resource.ResourceCodec;
import dev.evenkeel.grpc.internal.resource.ServedType;
import dev.evenkeel.grpc.internal.resource.TypeTable;
import dev.evenkeel.grpc.resource.v1.ListByOwnerRequest;
import dev.evenkeel.grpc.resource.v1.ListByOwnerResponse;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.ReadResponse;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.TypeInfo;
import dev.evenkeel.grpc.resource.v1.TypesRequest;
import dev.evenkeel.grpc.resource.v1.TypesResponse;
import java.util.Optional;

/** Reads of one resource, of the resources of an owner, and of types. */
public record ReadCalls(Access access) {
    /** Returns a resource; a caller without the permission learns nothing about its existence. */
    public ReadResponse read(ReadRequest request) {
        Located located = Located.of(access, "id", request.hasId(), request.getId());
        User user = located.session().authorize(located.ref().target(), "get");
        Resource resource = Located.document(located.existing(), located.ref().target(), user)
                .map(located::resource)
                .orElseThrow(located::notFound);
        String uid = located.ref().uid();
        if (!uid.isEmpty() && !uid.equals(resource.getId().getUid())) {
            throw located.notFound();
        }
        return ReadResponse.newBuilder().setResource(resource).build();
    }

    /**
     * Returns the resources whose controlling owner has a uid, in their stored versions. Those of types that the caller may
     * not list are left out.
     */
    public ListByOwnerResponse listByOwner(ListByOwnerRequest request) {
        Located located = Located.of(access, "owner", request.hasOwner(), request.getOwner());
        String uid = located.ref().uid();
        if (uid.isEmpty()) {
            throw Errors.invalid("owner.uid", "owner.uid is required");
        }
        Session session = located.session();
        User user = session.authorize(located.ref().target(), "get");
        ListByOwnerResponse.Builder response = ListByOwnerResponse.newBuilder();
        session.partition().ifPresent(partition -> {
            for (Target target : partition.dependents(uid)) {
                owned(located, partition, target, user).ifPresent(response::addResources);
            }
        });
        return response.build();
    }

    private static Optional<Resource> owned(Located located, ResourceApi partition, Target target, User user) {
        Optional<ServedType> type = located.types().find(target);
        if (type.isEmpty() || !located.session().allows(user, target.withName(target.namespace(), ""), "list")) {
            return Optional.empty();
        }
        return Located.find(partition, target, user)
                .filter(tree -> ResourceCodec.owner(tree.object("metadata"))
                        .filter(owner -> isOwner(owner, located))
                        .isPresent())
                .map(tree -> new ResourceCodec(located.types(), located.ref().partition()).resource(type.get(), tree));
    }

    private static boolean isOwner(JsonObject reference, Located located) {
        return reference.string("uid").equals(located.ref().uid())
                && reference.string("name").equals(located.ref().name())
                && reference.string("kind").equals(located.ref().target().type().kind());
    }

    /** Returns the types of a partition. */
    public TypesResponse types(TypesRequest request) {
        Session session = access.enter(Identifiers.partition(request.getTenancy()));
        TypesResponse.Builder response = TypesResponse.newBuilder();
        for (ServedType type : TypeTable.of(session.types()).all()) {
            response.addTypes(TypeInfo.newBuilder()
                    .setType(type.type())
                    .setScope(scope(type))
                    .setData(type.content().message())
                    .setApiVersion(type.target().apiVersion())
                    .setPlural(type.target().type().plural())
                    .setStored(type.target().version().storage())
                    .setKeyedStatus(type.keyedStatus()));
        }
        return response.build();
    }

    private static TypeInfo.Scope scope(ServedType type) {
        return type.global()
                ? TypeInfo.Scope.SCOPE_CLUSTER
                : type.namespaced() ? TypeInfo.Scope.SCOPE_NAMESPACE : TypeInfo.Scope.SCOPE_PARTITION;
    }
}
