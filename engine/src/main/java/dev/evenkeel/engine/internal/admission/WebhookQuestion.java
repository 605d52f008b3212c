package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.UserInfo;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The question to a webhook about a write: an {@code AdmissionReview}.
 *
 * @param version the version in which the webhook knows the kind
 */
record WebhookQuestion(WriteContext cluster, Write write, ResourceType.Version version) {
    private static final String REVIEW_VERSION = "admission.k8s.io/v1";

    /** Returns the object after the write; null for a delete. */
    @Nullable
    JsonObject object() {
        return write.operation() == Operation.DELETE ? null : seen(write.tree());
    }

    /** Returns the object before the write; null for a create. */
    @Nullable
    JsonObject oldObject() {
        return write.old() == null ? null : seen(write.old());
    }

    /** Returns a tree of the object in the version of the webhook; must not be changed. */
    JsonObject seen(JsonObject tree) {
        Target target = write.target();
        return version.name().equals(target.version().name())
                ? tree
                : cluster.strategies().of(target.type(), version).convert(tree.copy());
    }

    /** Returns the name of the object; empty when it has none yet. */
    String name() {
        String name = write.target().name();
        return name.isEmpty() ? write.tree().string("metadata", "name") : name;
    }

    /** Returns the request without the objects. */
    JsonObject request() {
        Target target = write.target();
        ResourceType type = target.type();
        String name = name();
        JsonObject request = new JsonObject()
                .set("kind", of(type, version, "kind", type.kind()))
                .set("resource", of(type, version, "resource", type.plural()))
                .set("requestKind", of(type, target.version(), "kind", type.kind()))
                .set("requestResource", of(type, target.version(), "resource", type.plural()))
                .setUnlessEmpty("subResource", target.subresource())
                .setUnlessEmpty("requestSubResource", target.subresource())
                .setUnlessEmpty("name", name)
                .setUnlessEmpty("namespace", target.namespace());
        if (type.id().equals(Namespaces.ID)) {
            request.putIfAbsent("namespace", name);
        }
        return request.set("operation", write.operation().name())
                .set("userInfo", UserInfo.of(write.options().requester().user()))
                .set("dryRun", write.options().dryRun())
                .set("options", options());
    }

    private JsonObject options() {
        String kind = switch (write.operation()) {
            case CREATE -> "CreateOptions";
            case UPDATE, RESTORE -> "UpdateOptions";
            case DELETE -> "DeleteOptions";
        };
        JsonObject options = JsonObject.of("kind", kind, "apiVersion", "meta.k8s.io/v1");
        return write.options().dryRun() ? options.set("dryRun", List.of("All")) : options;
    }

    /** Returns the complete review. */
    JsonObject review(String uid) {
        JsonObject request = JsonObject.of("uid", uid);
        request.putAll(request());
        request.put("object", object());
        request.put("oldObject", oldObject());
        return JsonObject.of("kind", "AdmissionReview", "apiVersion", REVIEW_VERSION, "request", request);
    }

    private static JsonObject of(ResourceType type, ResourceType.Version version, String field, String name) {
        return JsonObject.of("group", type.group(), "version", version.name(), field, name);
    }

    /**
     * Returns the response of an answer to the question.
     *
     * @throws IOException when it answers another question, or none
     */
    static Object response(@Nullable Object review, String uid, boolean mutating) throws IOException {
        String problem = "";
        Object response = Json.at(review, "response");
        if (!Json.string(review, "apiVersion").equals(REVIEW_VERSION)
                || !Json.string(review, "kind").equals("AdmissionReview")) {
            problem = "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got "
                    + Json.string(review, "apiVersion") + ", Kind=" + Json.string(review, "kind");
        } else if (!(response instanceof JsonObject)) {
            problem = "webhook response was absent";
        } else if (!Json.string(response, "uid").equals(uid)) {
            problem = "expected response.uid=\"" + uid + "\", got \"" + Json.string(response, "uid") + "\"";
        } else if (mutating) {
            String type = Json.string(response, "patchType");
            boolean patch = !Json.string(response, "patch").isEmpty();
            if (patch && type.isEmpty()) {
                problem = "webhook returned response.patch but not response.patchType";
            } else if (!type.isEmpty() && !type.equals("JSONPatch")) {
                problem = "webhook returned invalid response.patchType of \"" + type + "\"";
            }
        }
        if (response == null || !problem.isEmpty()) {
            throw new IOException("received invalid webhook response: " + problem);
        }
        return response;
    }
}
