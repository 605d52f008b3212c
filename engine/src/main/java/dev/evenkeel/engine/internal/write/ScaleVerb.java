package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.internal.admission.Decoder;
import dev.evenkeel.engine.internal.admission.Documents;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.ScaleForm;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.builtin.EncodedOrder;
import dev.evenkeel.engine.internal.builtin.Subresource;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.patch.Patched;
import dev.evenkeel.engine.internal.patch.Patches;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The {@code scale} subresource: an {@code autoscaling/v1} Scale composed of some fields of the object; writing it
 * writes one of them.
 */
public record ScaleVerb(WriteContext cluster, UpdateVerb updating, ApplyVerb applying) {
    private static final String SCALE = "io.k8s.api.autoscaling.v1.Scale";

    /** The documents of the subresource, of all types. */
    private static final Subresource DOCUMENTS = new Subresource("scale", "autoscaling", "v1", "Scale", List.of());

    public Document get(Target target) {
        Store.Entry entry = cluster.require(cluster.latest(), target);
        return Documents.of(ScaleForm.of(cluster.tree(entry, target), target));
    }

    public Reply update(Target target, Body body, WriteOptions options) {
        Decoder.Decoded decoded = cluster.decoder().decode(body, DOCUMENTS, options.validation());
        JsonObject metadata = decoded.tree().withObject("metadata");
        try {
            Namespaces.fill(metadata, target);
            Identity.checkName(metadata.string("name"), target);
            return write(target, options, decoded.warnings(), present -> decoded.tree());
        } catch (ApiException refusal) {
            throw RefusalWarnings.attach(refusal, decoded.warnings());
        }
    }

    public Reply patch(Target target, Patch.Type patchType, Body body, WriteOptions options) {
        if (patchType == Patch.Type.APPLY) {
            JsonObject wanted = ApplyVerb.configuration(body, cluster.limits(), new ArrayList<>());
            return apply(target, wanted, options);
        }
        // a Scale has no lists, so both are equivalent
        Patch.Type plain = patchType == Patch.Type.STRATEGIC ? Patch.Type.MERGE : patchType;
        return write(target, options, List.of(), present -> {
            JsonObject before = present.copy();
            Patched patched = Patches.apply(plain, present, body.bytes(), Schema.ANY, cluster.limits(), problem -> {});
            Object replicas = Json.at(patched.tree(), "spec", "replicas");
            if (target.type().origin() == ResourceType.Origin.BUILT_IN
                    && replicas != null
                    && !(replicas instanceof Long)) {
                JsonObject shown = EncodedOrder.patched(SCALE, Json.asObject(patched.tree()), before);
                throw patched.showing(shown).invalid(ScaleForm.mistyped(replicas));
            }
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
                target,
                List.of());
    }

    /**
     * Refuses to apply a new number to the scale of a custom resource, in upstream's words: upstream does not support
     * it.
     */
    private static void checkApplicable(JsonObject live, JsonObject merged, JsonObject wanted, Target target) {
        String[] replicas = ScaleForm.replicas(target);
        if (target.type().origin() == ResourceType.Origin.CUSTOM
                && live.integer(replicas) != merged.integer(replicas)) {
            throw Refusal.internal("failed to convert new object (" + wanted.string("metadata", "namespace") + "/"
                    + wanted.string("metadata", "name") + "; " + ScaleForm.API_VERSION
                    + ", Kind=Scale) to proper version: request to convert CR to an invalid group/version: "
                    + ScaleForm.API_VERSION);
        }
    }

    private Reply write(Target target, WriteOptions options, List<String> before, UnaryOperator<JsonObject> change) {
        return shown(
                updating.edit(target, options, live -> {
                    JsonObject wanted = change.apply(FieldOwners.scaled(live, target));
                    String version = wanted.string("metadata", "resourceVersion");
                    Identity.checkUid(wanted.object("metadata"), live.withObject("metadata"), target);
                    if (!version.isEmpty()) {
                        live.withObject("metadata").put("resourceVersion", version);
                    }
                    ScaleForm.apply(wanted, live, target);
                }),
                target,
                before);
    }

    private Reply shown(Reply reply, Target target, List<String> before) {
        return switch (reply) {
            case Reply.Shown(int code, Document document, List<String> warnings) ->
                new Reply.Shown(
                        code,
                        Documents.of(ScaleForm.of(document.tree(), target)),
                        Stream.concat(before.stream(), warnings.stream()).toList());
            case Reply.Success success -> success;
        };
    }
}
