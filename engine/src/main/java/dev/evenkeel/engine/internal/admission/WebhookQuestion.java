package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.UserInfo;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.engine.internal.type.Target;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The question to a webhook about a write: an {@code AdmissionReview}.
 *
 * @param version the version in which the webhook knows the kind
 */
record WebhookQuestion(WriteContext cluster, Write write, ResourceType.Version version) {
    private static final String REVIEW = "admission.k8s.io/";

    private static final String SCALE = "scale";

    /** The subresources that documents are posted to, and what they are unless they say it. */
    private static final Map<String, List<String>> POSTED = Map.of(
            "binding", List.of("v1", "Binding"),
            "eviction", List.of("policy/v1", "Eviction"),
            "token", List.of("authentication.k8s.io/v1", "TokenRequest"));

    /** Returns true if webhooks and policies decide about a write: not about what a posted document entails. */
    static boolean isAsked(Write write) {
        return !POSTED.containsKey(write.target().subresource()) || write.operation() == Operation.CREATE;
    }

    /** Returns true if the object is a document that a subresource receives: posted, or the options of a connection. */
    private boolean isPosted() {
        return write.operation() == Operation.CONNECT
                || POSTED.containsKey(write.target().subresource());
    }

    private boolean isScale() {
        return write.target().subresource().equals(SCALE);
    }

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
        if (isScale()) {
            return ScaleForm.of(tree.copy(), target);
        }
        if (isPosted()) {
            List<String> kind = POSTED.getOrDefault(target.subresource(), List.of());
            if (!kind.isEmpty()) {
                tree.setIfEmpty("apiVersion", kind.get(0));
                tree.setIfEmpty("kind", kind.get(1));
            }
            return tree;
        }
        return version.name().equals(target.version().name())
                ? tree
                : cluster.strategies().of(target.type(), version).convert(tree.copy());
    }

    /** Returns the schema of the trees. */
    Schema schema() {
        return isScale()
                ? BuiltinTypes.schema("io.k8s.api.autoscaling.v1.Scale").orElse(Schema.ANY)
                : isPosted() ? Schema.ANY : version.schema();
    }

    /** Replaces the object of the write by a changed tree; returns true if it has changed. */
    boolean replace(JsonObject changed) {
        Target target = write.target();
        if (isScale()) {
            JsonObject whole = write.tree().copy();
            ScaleForm.validate(changed, target);
            ScaleForm.apply(changed, whole, target);
            return write.replace(whole, cluster);
        }
        if (isPosted()) {
            boolean same = write.tree().equals(changed);
            write.tree().clear();
            write.tree().putAll(changed);
            return !same;
        }
        boolean converted = !version.name().equals(target.version().name());
        return write.replace(converted ? cluster.strategies().of(target).convert(changed) : changed, cluster);
    }

    /** Returns why a tree cannot be read as the kind with known fields only, in upstream's words; empty if it can. */
    String strictProblem(JsonObject tree) {
        boolean typed = write.target().type().origin() == ResourceType.Origin.BUILT_IN;
        return !typed || isScale() || isPosted()
                ? ""
                : cluster.decoder()
                        .strictProblem(
                                tree,
                                Target.of(write.target().type(), version, "", ""),
                                cluster.types().get());
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
                .set("kind", kind(version))
                .set("resource", of(type, version, "resource", type.plural()))
                .set("requestKind", kind(target.version()))
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

    private JsonObject kind(ResourceType.Version shown) {
        ResourceType type = write.target().type();
        if (!isScale() && !isPosted()) {
            return of(type, shown, "kind", type.kind());
        }
        JsonObject tree = seen(write.tree());
        String apiVersion = tree.string("apiVersion");
        int slash = apiVersion.indexOf('/');
        return JsonObject.of("group", slash < 0 ? "" : apiVersion.substring(0, slash))
                .set("version", apiVersion.substring(slash + 1))
                .set("kind", tree.string("kind"));
    }

    private @Nullable JsonObject options() {
        String kind = switch (write.operation()) {
            case CREATE -> "CreateOptions";
            case UPDATE, RESTORE -> "UpdateOptions";
            case DELETE -> "DeleteOptions";
            case CONNECT -> "";
        };
        if (kind.isEmpty()) {
            return null;
        }
        JsonObject options = JsonObject.of("kind", kind, "apiVersion", "meta.k8s.io/v1");
        return write.options().dryRun() ? options.set("dryRun", List.of("All")) : options;
    }

    /** Returns the version of reviews to use with a webhook that accepts these; empty when it accepts no known one. */
    static Optional<String> reviewVersion(List<?> accepted) {
        return accepted.stream()
                .map(String::valueOf)
                .filter(List.of("v1", "v1beta1")::contains)
                .findFirst();
    }

    /** Returns the complete review, in a version. */
    JsonObject review(String uid, String reviewVersion) {
        JsonObject request = JsonObject.of("uid", uid);
        request.putAll(request());
        request.put("object", object());
        request.put("oldObject", oldObject());
        return JsonObject.of("kind", "AdmissionReview", "apiVersion", REVIEW + reviewVersion, "request", request);
    }

    private static JsonObject of(ResourceType type, ResourceType.Version version, String field, String name) {
        return JsonObject.of("group", type.group(), "version", version.name(), field, name);
    }

    /**
     * Returns the response of an answer to the question. Version v1beta1 requires nothing but a response.
     *
     * @throws IOException when it answers another question, or none
     */
    static Object response(@Nullable Object review, String uid, String reviewVersion, boolean mutating)
            throws IOException {
        String problem = "";
        Object response = Json.at(review, "response");
        if (reviewVersion.equals("v1beta1")) {
            problem = response instanceof JsonObject ? "" : "webhook response was absent";
        } else if (!Json.string(review, "apiVersion").equals(REVIEW + reviewVersion)
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
