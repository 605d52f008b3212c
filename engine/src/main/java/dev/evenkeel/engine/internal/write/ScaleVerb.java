package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.admission.Documents;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.builtin.kinds.Selectors;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.patch.Patched;
import dev.evenkeel.engine.internal.patch.Patches;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Scale;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The {@code scale} subresource: an {@code autoscaling/v1} Scale composed of some fields of the object; writing it
 * writes one of them.
 */
public record ScaleVerb(WriteContext cluster, UpdateVerb updating, ApplyVerb applying) {
    static final String API_VERSION = "autoscaling/v1";

    public Document get(Target target) {
        Store.Entry entry = cluster.require(cluster.latest(), target);
        return Documents.of(shown(cluster.tree(entry, target), target));
    }

    public Reply update(Target target, Body body, WriteOptions options) {
        JsonObject wanted = cluster.decoder().object(body, "Scale", new ArrayList<>());
        String name = wanted.string("metadata", "name");
        if (!name.isEmpty()) {
            Identity.checkName(name, target);
        }
        return write(target, options, present -> wanted);
    }

    public Reply patch(Target target, Patch.Type patchType, Body body, WriteOptions options) {
        if (patchType == Patch.Type.APPLY) {
            JsonObject wanted = ApplyVerb.configuration(body, cluster.limits(), new ArrayList<>());
            return apply(target, wanted, options);
        }
        // a Scale has no lists, so both are equivalent
        Patch.Type plain = patchType == Patch.Type.STRATEGIC ? Patch.Type.MERGE : patchType;
        return write(target, options, present -> {
            Patched patched = Patches.apply(plain, present, body.bytes(), Schema.ANY, cluster.limits(), problem -> {});
            return Json.object(patched.tree())
                    .orElseThrow(
                            () -> Refusal.badRequest("the object provided is unrecognized (must be of type Scale)"));
        });
    }

    private Reply apply(Target target, JsonObject wanted, WriteOptions options) {
        return shown(
                updating.change(target, options, live -> {
                    JsonObject present = UpdateVerb.present(live, target);
                    JsonObject merged = applying.merged(present, wanted, target, options);
                    checkApplicable(present, merged, wanted, target);
                    return Wanted.owned(merged, List.of());
                }),
                target);
    }

    /**
     * Refuses to apply a new number to the scale of a custom resource, in upstream's words: upstream does not support
     * it.
     */
    private static void checkApplicable(JsonObject live, JsonObject merged, JsonObject wanted, Target target) {
        String[] replicas = path(scale(target).specReplicas());
        if (target.type().origin() == ResourceType.Origin.CUSTOM
                && live.integer(replicas) != merged.integer(replicas)) {
            throw Refusal.internal("failed to convert new object (" + wanted.string("metadata", "namespace") + "/"
                    + wanted.string("metadata", "name") + "; " + API_VERSION
                    + ", Kind=Scale) to proper version: request to convert CR to an invalid group/version: "
                    + API_VERSION);
        }
    }

    /** Sets the replicas of an object to those of a Scale. */
    static void setReplicas(JsonObject tree, Target target, JsonObject scale) {
        String[] path = path(scale(target).specReplicas());
        long replicas = replicas(scale, target);
        JsonObject at = tree;
        for (int i = 0; i < path.length - 1; i++) {
            at = at.withObject(path[i]);
        }
        at.put(path[path.length - 1], replicas);
    }

    private Reply write(Target target, WriteOptions options, UnaryOperator<JsonObject> change) {
        return shown(
                updating.edit(target, options, live -> {
                    JsonObject wanted = change.apply(shown(live, target));
                    String version = wanted.string("metadata", "resourceVersion");
                    Identity.checkUid(wanted.object("metadata"), live.withObject("metadata"), target);
                    if (!version.isEmpty()) {
                        live.withObject("metadata").put("resourceVersion", version);
                    }
                    setReplicas(live, target, wanted);
                }),
                target);
    }

    private static long replicas(JsonObject wanted, Target target) {
        Object replicas = wanted.at("spec", "replicas");
        if (replicas == null) {
            return 0;
        }
        if (!(replicas instanceof Long number)) {
            throw Refusal.badRequest("Scale in version \"v1\" cannot be handled as a Scale: json: cannot unmarshal "
                    + (replicas instanceof String ? "string" : "value")
                    + " into Go struct field ScaleSpec.spec.replicas of type int32");
        }
        // for custom resources the schema reports it, in other words
        if (number < 0 && target.type().origin() != ResourceType.Origin.CUSTOM) {
            throw Refusal.invalid(
                    "autoscaling",
                    "Scale",
                    target.name(),
                    List.of(FieldError.invalid("spec.replicas", number, "must be greater than or equal to 0")));
        }
        return number;
    }

    private Reply shown(Reply reply, Target target) {
        return switch (reply) {
            case Reply.Shown(int code, Document document, List<String> warnings) ->
                new Reply.Shown(code, Documents.of(shown(document.tree(), target)), warnings);
            case Reply.Success success -> success;
        };
    }

    /** Returns the Scale of an object. */
    static JsonObject shown(JsonObject tree, Target target) {
        Scale scale = scale(target);
        JsonObject from = tree.withObject("metadata");
        JsonObject metadata = new JsonObject();
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            metadata.setUnlessEmpty(field, from.get(field));
        }
        Object desired = tree.at(path(scale.specReplicas()));
        if (desired == null && target.type().origin() != ResourceType.Origin.BUILT_IN) {
            throw Refusal.internal("the spec replicas field \"" + scale.specReplicas() + "\" does not exist");
        }
        boolean any = desired instanceof Long number && number != 0;
        JsonObject status = JsonObject.of("replicas", tree.integer(path(scale.statusReplicas())));
        selector(tree, scale).ifPresent(text -> status.put("selector", text));
        return new JsonObject()
                .set("kind", "Scale")
                .set("apiVersion", API_VERSION)
                .set("metadata", metadata)
                .set("spec", any ? JsonObject.of("replicas", desired) : new JsonObject())
                .set("status", status);
    }

    /** Returns the selector in text form: given as text, or as a LabelSelector of a built-in kind. */
    private static Optional<String> selector(JsonObject tree, Scale scale) {
        return switch (tree.at(path(scale.labelSelector()))) {
            case String text -> text.isEmpty() ? Optional.empty() : Optional.of(text);
            case JsonObject selector -> Optional.of(Selectors.text(selector));
            case null, default -> Optional.empty();
        };
    }

    private static Scale scale(Target target) {
        return target.version().scale().orElseThrow(() -> Refusal.notFound(target.type(), target.name()));
    }

    private static String[] path(String dotted) {
        return (dotted.startsWith(".") ? dotted.substring(1) : dotted).split("\\.");
    }
}
