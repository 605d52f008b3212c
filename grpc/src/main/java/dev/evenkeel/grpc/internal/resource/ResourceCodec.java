package dev.evenkeel.grpc.internal.resource;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import java.util.Optional;

/**
 * Shows objects of a partition as resources.
 *
 * @param partition name of the partition
 */
public record ResourceCodec(TypeTable types, String partition) {
    /** Returns an object of a type as a resource. */
    public Resource resource(ServedType type, Document document) {
        return types.resources().get(document, () -> resource(type, document.tree()));
    }

    /** Returns an object of a type as a resource. */
    public Resource resource(ServedType type, JsonObject tree) {
        JsonObject metadata = tree.object("metadata");
        Resource.Builder resource = Resource.newBuilder()
                .setId(id(type, metadata))
                .setVersion(metadata.string("resourceVersion"))
                .putAllStatus(new StatusCodec(types).statuses(type, tree))
                .addAllFinalizers(metadata.strings("finalizers"));
        if (metadata.get("generation") instanceof Long generation) {
            resource.setGeneration(generation.toString());
        }
        metadata.object("annotations").forEach((key, value) -> resource.putMetadata(key, String.valueOf(value)));
        metadata.object("labels").forEach((key, value) -> resource.putLabels(key, String.valueOf(value)));
        Times.timestamp(metadata.string("creationTimestamp")).ifPresent(resource::setCreationTimestamp);
        Times.timestamp(metadata.string("deletionTimestamp")).ifPresent(resource::setDeletionTimestamp);
        owner(metadata).ifPresent(reference -> resource.setOwner(owner(reference, metadata)));
        type.content().data(tree).ifPresent(resource::setData);
        return resource.build();
    }

    private ID id(ServedType type, JsonObject metadata) {
        return ID.newBuilder()
                .setUid(metadata.string("uid"))
                .setName(metadata.string("name"))
                .setType(type.type())
                .setTenancy(type.global() ? Tenancy.getDefaultInstance() : tenancy(metadata.string("namespace")))
                .build();
    }

    private Tenancy tenancy(String namespace) {
        return Tenancy.newBuilder()
                .setPartition(partition)
                .setNamespace(namespace)
                .build();
    }

    /** Returns the owner reference of the controlling owner. */
    public static Optional<JsonObject> owner(JsonObject metadata) {
        return metadata.objects("ownerReferences").stream()
                .filter(reference -> reference.bool("controller"))
                .findFirst();
    }

    private ID owner(JsonObject reference, JsonObject metadata) {
        ID.Builder owner = ID.newBuilder()
                .setUid(reference.string("uid"))
                .setName(reference.string("name"))
                .setType(types.type(reference.string("apiVersion"), reference.string("kind")));
        Optional<ServedType> type = types.find(owner.getType());
        boolean namespaced = type.map(ServedType::namespaced).orElse(true);
        boolean global = type.filter(ServedType::global).isPresent();
        return owner.setTenancy(
                        global ? Tenancy.getDefaultInstance() : tenancy(namespaced ? metadata.string("namespace") : ""))
                .build();
    }
}
