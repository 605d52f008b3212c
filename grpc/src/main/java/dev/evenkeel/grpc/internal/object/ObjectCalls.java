package dev.evenkeel.grpc.internal.object;

import com.google.protobuf.ByteString;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.read.ContinueToken;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.read.Page;
import dev.evenkeel.engine.internal.schema.MetadataRules;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.resource.v1.CreateObjectRequest;
import dev.evenkeel.grpc.resource.v1.DeleteCollectionRequest;
import dev.evenkeel.grpc.resource.v1.DeleteObjectRequest;
import dev.evenkeel.grpc.resource.v1.DeleteObjectResponse;
import dev.evenkeel.grpc.resource.v1.GetObjectRequest;
import dev.evenkeel.grpc.resource.v1.GetScaleRequest;
import dev.evenkeel.grpc.resource.v1.LeaseFence;
import dev.evenkeel.grpc.resource.v1.ListObjectsRequest;
import dev.evenkeel.grpc.resource.v1.ListObjectsResponse;
import dev.evenkeel.grpc.resource.v1.ObjectDeleteOptions;
import dev.evenkeel.grpc.resource.v1.ObjectResponse;
import dev.evenkeel.grpc.resource.v1.ObjectScale;
import dev.evenkeel.grpc.resource.v1.ObjectWriteOptions;
import dev.evenkeel.grpc.resource.v1.PatchObjectRequest;
import dev.evenkeel.grpc.resource.v1.SetScaleRequest;
import dev.evenkeel.grpc.resource.v1.Subresource;
import dev.evenkeel.grpc.resource.v1.UpdateObjectRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads and writes of objects in the form of the Kubernetes API: the verbs of the engine, as that API uses them.
 *
 * @param maxBytes the size of the largest list
 */
public record ObjectCalls(Access access, int maxBytes) {
    private static final String SCALE = "scale";

    /** Returns an object. */
    public ObjectResponse get(GetObjectRequest request) {
        ObjectTarget at = ObjectTarget.of(access, request.getCollection(), request.getName(), "", "get");
        Document document = at.partition().get(at.target(), "", at.user());
        return ObjectResponse.newBuilder()
                .setObject(ObjectCodec.json(document, request.getMetadataOnly()))
                .build();
    }

    /** Returns objects, at least one if there is any. */
    public ListObjectsResponse list(ListObjectsRequest request) {
        if (request.getLimit() < 0) {
            throw Refusal.badRequest("limit: must not be negative: " + request.getLimit());
        }
        LabelSelector labels = LabelSelector.parse(request.getLabelSelector());
        FieldSelector fields = FieldSelector.parse(request.getFieldSelector());
        String version = request.getResourceVersion();
        boolean notOlder = request.getContinueToken().isEmpty() && !version.isEmpty() && !version.equals("0");
        ObjectTarget at = ObjectTarget.of(access, request.getCollection(), "list", name(fields));
        Page page = at.partition()
                .list(
                        at.target(),
                        new ListQuery(
                                labels,
                                fields,
                                version,
                                notOlder ? "NotOlderThan" : "",
                                request.getLimit(),
                                request.getContinueToken()),
                        at.user());
        return response(at.target(), page, request.getMetadataOnly());
    }

    /** Returns the name that a selector limits a list to; empty for none. */
    public static String name(FieldSelector fields) {
        return fields.exactValue("metadata.name").orElse("");
    }

    private ListObjectsResponse response(Target target, Page page, boolean metadataOnly) {
        ListObjectsResponse.Builder response = ListObjectsResponse.newBuilder()
                .setResourceVersion(Long.toString(page.revision()))
                .setContinueToken(page.continueToken());
        long bytes = 0;
        Document last = null;
        for (Document document : page.items()) {
            ByteString json = ObjectCodec.json(document, metadataOnly);
            bytes += json.size();
            if (bytes > maxBytes && last != null) {
                String start = after(last, target);
                return response.setContinueToken(new ContinueToken(page.revision(), start).text())
                        .build();
            }
            response.addObjects(json);
            last = document;
        }
        return response.build();
    }

    /** Returns the start of the objects after one. */
    private static String after(Document last, Target target) {
        ObjectKey key = Encoded.of(last.json()).header().key();
        boolean all = target.namespace().isEmpty() && !key.namespace().isEmpty();
        return (all ? key.namespace() + "/" : "") + key.name() + "\0";
    }

    /** Creates an object. */
    public ObjectResponse create(CreateObjectRequest request) {
        ObjectTarget at = ObjectTarget.of(access, request.getCollection(), "create", "");
        Body body = Body.json(request.getObject().toByteArray());
        return response(at.partition().create(at.target(), body, options(at, request.getOptions(), "CreateOptions")));
    }

    /** Replaces an object or its status. */
    public ObjectResponse update(UpdateObjectRequest request) {
        String part = subresource(request.getSubresource(), request.getSubresourceValue());
        ObjectTarget at = ObjectTarget.of(access, request.getCollection(), request.getName(), part, "update");
        Body body = Body.json(request.getObject().toByteArray());
        return response(at.partition().update(at.target(), body, options(at, request.getOptions(), "UpdateOptions")));
    }

    /** Changes an object or its status. */
    public ObjectResponse patch(PatchObjectRequest request) {
        String part = subresource(request.getSubresource(), request.getSubresourceValue());
        Patch.Type type = switch (request.getType()) {
            case PATCH_TYPE_JSON -> Patch.Type.JSON;
            case PATCH_TYPE_MERGE -> Patch.Type.MERGE;
            case PATCH_TYPE_STRATEGIC -> Patch.Type.STRATEGIC;
            case PATCH_TYPE_APPLY -> Patch.Type.APPLY;
            case PATCH_TYPE_UNSPECIFIED, UNRECOGNIZED ->
                throw Refusal.badRequest("type: must be a type of patch: " + request.getTypeValue());
        };
        ObjectTarget at = ObjectTarget.of(access, request.getCollection(), request.getName(), part, "patch");
        boolean yaml = type == Patch.Type.APPLY && !isJson(request.getPatch());
        Body body = new Body(request.getPatch().toByteArray(), yaml ? Body.Format.YAML : Body.Format.JSON);
        List<FieldError> errors = new ArrayList<>(0);
        if (type == Patch.Type.APPLY && request.getOptions().getFieldManager().isEmpty()) {
            errors.add(FieldError.required("fieldManager", "is required for apply patch"));
        }
        if (type != Patch.Type.APPLY && request.getOptions().getForce()) {
            errors.add(FieldError.forbidden("force", "may not be specified for non-apply patch"));
        }
        check("PatchOptions", errors);
        return response(
                at.partition().patch(at.target(), type, body, options(at, request.getOptions(), "PatchOptions")));
    }

    private static boolean isJson(ByteString text) {
        for (byte character : text) {
            if (character > ' ' || character < 0) {
                return character == '{';
            }
        }
        return false;
    }

    private static String subresource(Subresource subresource, int value) {
        return switch (subresource) {
            case SUBRESOURCE_UNSPECIFIED -> "";
            case SUBRESOURCE_STATUS -> "status";
            case UNRECOGNIZED -> throw Refusal.badRequest("subresource: unknown value " + value);
        };
    }

    private static WriteOptions options(ObjectTarget at, ObjectWriteOptions options, String kind) {
        String manager = options.getFieldManager();
        check(kind, MetadataRules.validateManager("fieldManager", manager));
        return new WriteOptions(
                manager.isEmpty() ? at.session().call().manager() : manager,
                options.getDryRun(),
                WriteOptions.FieldValidation.WARN,
                options.getForce(),
                fence(options.hasFence(), options.getFence()),
                at.requester());
    }

    private static void check(String kind, List<FieldError> errors) {
        if (!errors.isEmpty()) {
            throw Refusal.invalid("meta.k8s.io", kind, "", errors);
        }
    }

    private static Optional<Fence> fence(boolean present, LeaseFence fence) {
        if (!present) {
            return Optional.empty();
        }
        try {
            ObjectKey lease = ObjectKey.of(fence.getNamespace(), fence.getName());
            return Optional.of(new Fence(lease, fence.getHolder(), fence.getTransitions()));
        } catch (IllegalArgumentException e) {
            throw Refusal.badRequest("options.fence: " + e.getMessage());
        }
    }

    private static ObjectResponse response(Reply reply) {
        return ObjectResponse.newBuilder()
                .setObject(ObjectCodec.json(document(reply), false))
                .addAllWarnings(reply.warnings())
                .build();
    }

    private static Document document(Reply reply) {
        return switch (reply) {
            case Reply.Shown shown -> shown.document();
            case Reply.Success success ->
                throw new IllegalStateException("a write was answered without an object: " + success);
        };
    }

    /** Deletes an object. */
    public DeleteObjectResponse delete(DeleteObjectRequest request) {
        ObjectTarget at = ObjectTarget.of(access, request.getCollection(), request.getName(), "", "delete");
        Reply reply = at.partition().delete(at.target(), options(request.getOptions()), at.requester());
        DeleteObjectResponse.Builder response =
                DeleteObjectResponse.newBuilder().addAllWarnings(reply.warnings());
        return switch (reply) {
            case Reply.Shown shown -> {
                ByteString json = ObjectCodec.json(shown.document(), false);
                yield response.setObject(json)
                        .setUid(Encoded.of(shown.document().json()).header().uid())
                        .build();
            }
            case Reply.Success success ->
                response.setUid(success.details().uid()).build();
        };
    }

    /** Deletes all selected objects. */
    public ListObjectsResponse deleteCollection(DeleteCollectionRequest request) {
        LabelSelector labels = LabelSelector.parse(request.getLabelSelector());
        FieldSelector fields = FieldSelector.parse(request.getFieldSelector());
        ObjectTarget at = ObjectTarget.of(access, request.getCollection(), "deletecollection", "");
        ListQuery query = new ListQuery(labels, fields, "", "", 0, "");
        Page page = at.partition().deleteCollection(at.target(), query, options(request.getOptions()), at.requester());
        ListObjectsResponse.Builder response =
                ListObjectsResponse.newBuilder().setResourceVersion(Long.toString(page.revision()));
        page.items().forEach(document -> response.addObjects(ObjectCodec.json(document, false)));
        return response.build();
    }

    private static DeleteOptions options(ObjectDeleteOptions options) {
        Optional<DeleteOptions.Propagation> dependents = switch (options.getDependents()) {
            case DEPENDENTS_UNSPECIFIED -> Optional.empty();
            case DEPENDENTS_BACKGROUND -> Optional.of(DeleteOptions.Propagation.BACKGROUND);
            case DEPENDENTS_FOREGROUND -> Optional.of(DeleteOptions.Propagation.FOREGROUND);
            case DEPENDENTS_ORPHAN -> Optional.of(DeleteOptions.Propagation.ORPHAN);
            case UNRECOGNIZED ->
                throw Refusal.badRequest("options.dependents: unknown value " + options.getDependentsValue());
        };
        return new DeleteOptions(
                dependents,
                Optional.empty(),
                OptionalLong.empty(),
                Optional.of(options.getUid()).filter(uid -> !uid.isEmpty()),
                Optional.of(options.getResourceVersion()).filter(version -> !version.isEmpty()),
                options.getDryRun(),
                fence(options.hasFence(), options.getFence()));
    }

    /** Returns the scale of an object. */
    public ObjectScale scale(GetScaleRequest request) {
        ObjectTarget at = ObjectTarget.of(access, request.getCollection(), request.getName(), SCALE, "get");
        return scale(at.partition().get(at.target(), "", at.user()), List.of());
    }

    /** Sets the desired replicas of an object. */
    public ObjectScale scale(SetScaleRequest request) {
        ObjectTarget at = ObjectTarget.of(access, request.getCollection(), request.getName(), SCALE, "patch");
        Body body = Body.json("{\"spec\":{\"replicas\":" + request.getReplicas() + "}}");
        Reply reply = at.partition()
                .patch(at.target(), Patch.Type.MERGE, body, options(at, request.getOptions(), "PatchOptions"));
        return scale(document(reply), reply.warnings());
    }

    private static ObjectScale scale(Document document, List<String> warnings) {
        var tree = document.tree();
        return ObjectScale.newBuilder()
                .setDesiredReplicas((int) tree.integer("spec", "replicas"))
                .setObservedReplicas((int) tree.integer("status", "replicas"))
                .setSelector(tree.string("status", "selector"))
                .addAllWarnings(warnings)
                .build();
    }
}
