package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.internal.admission.Decoder;
import dev.evenkeel.engine.internal.admission.Documents;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.ScaleForm;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.builtin.EncodedOrder;
import dev.evenkeel.engine.internal.builtin.Subresource;
import dev.evenkeel.engine.internal.json.GoTypes;
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
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The {@code scale} subresource: an {@code autoscaling/v1} Scale composed of some fields of the object; writing it
 * writes one of them.
 */
public record ScaleVerb(WriteContext cluster, UpdateVerb updating, ApplyVerb applying) {
    /** The documents of the subresource, of all types. */
    private static final Subresource DOCUMENTS = new Subresource("scale", "autoscaling", "v1", "Scale", List.of());

    public Document get(Target target) {
        Store.Entry entry = cluster.require(cluster.latest(), target);
        JsonObject tree = cluster.tree(entry, target);
        ScaleForm.requireReplicas(tree, target);
        return Documents.of(ScaleForm.of(tree, target));
    }

    public Reply update(Target target, Body body, WriteOptions options) {
        Decoder.Decoded decoded = cluster.decoder().decode(body, DOCUMENTS, options.validation());
        JsonObject metadata = decoded.tree().withObject("metadata");
        try {
            Namespaces.fill(metadata, target);
            Identity.checkName(metadata.string("name"), target);
            return write(target, options, decoded.warnings(), (present, warnings) -> {
                Identity.checkUid(metadata, present.object("metadata"), target);
                return decoded.tree().copy();
            });
        } catch (ApiException refusal) {
            throw RefusalWarnings.attach(refusal, decoded.warnings());
        }
    }

    public Reply patch(Target target, Patch.Type patchType, Body body, WriteOptions options) {
        if (patchType == Patch.Type.APPLY) {
            return apply(target, ApplyVerb.Configuration.read(body, cluster.limits()), options);
        }
        return write(target, options, List.of(), (present, warnings) -> {
            List<String> problems = new ArrayList<>();
            Schema schema = BuiltinTypes.schema(DOCUMENTS.definition()).orElse(Schema.ANY);
            Patched patched =
                    Patches.apply(patchType, present.copy(), body.bytes(), schema, cluster.limits(), problems::add);
            JsonObject scale = decoded(patched, present, problems);
            warnings.addAll(PatchVerb.warnings(problems, options, why -> refused(patched, present, why)));
            Namespaces.fill(scale.withObject("metadata"), target);
            Identity.checkName(scale.string("metadata", "name"), target);
            checkSameUid(scale, present, target);
            return scale;
        });
    }

    /** Reads the result of a patch as a Scale. */
    private JsonObject decoded(Patched patched, JsonObject present, List<String> problems) {
        JsonObject scale = Json.object(Json.copy(patched.tree()))
                .orElseThrow(() -> patched.invalid(
                        "json: cannot unmarshal " + GoTypes.kind(patched.tree()) + " into Go value of type v1.Scale"));
        try {
            if (!patched.strategic()) {
                cluster.decoder().checkKind(scale, DOCUMENTS, cluster.types().get());
            }
            problems.addAll(cluster.decoder().normalised(scale, DOCUMENTS));
            return scale;
        } catch (MalformedObjectException e) {
            String why = patched.strategic() ? e.ofConversion() : String.valueOf(e.getMessage());
            throw refused(patched, present, why);
        }
    }

    private static ApiException refused(Patched patched, JsonObject present, String why) {
        Object shown = patched.tree() instanceof JsonObject result
                ? EncodedOrder.patched(DOCUMENTS.definition(), result, present)
                : patched.tree();
        return (shown == null ? patched : patched.showing(shown)).invalid(why);
    }

    /** Checks that a patch leaves the uid of a built-in kind as it is: upstream names the subresource in this error. */
    private static void checkSameUid(JsonObject scale, JsonObject present, Target target) {
        String wanted = scale.string("metadata", "uid");
        String uid = present.string("metadata", "uid");
        if (target.type().origin() == ResourceType.Origin.BUILT_IN && !wanted.isEmpty() && !wanted.equals(uid)) {
            ScaleForm.validate(scale, target);
            throw Refusal.conflictOfSubresource(
                    target, "Precondition failed: UID in precondition: " + wanted + ", UID in object meta: " + uid);
        }
    }

    private Reply apply(Target target, ApplyVerb.Configuration configuration, WriteOptions options) {
        return shown(
                updating.change(target, options, live -> {
                    JsonObject present = UpdateVerb.present(live, target);
                    JsonObject wanted = configuration.tree();
                    JsonObject merged = applying.merged(present, wanted, target, options);
                    List<String> warnings = configuration.warnings(options);
                    checkApplicable(present, merged, wanted, target);
                    JsonObject named = wanted.copy();
                    JsonObject metadata = named.withObject("metadata");
                    Namespaces.fill(metadata, target);
                    metadata.setIfEmpty("name", target.name());
                    Identity.checkName(metadata.string("name"), target);
                    checkSameUid(named, present, target);
                    String version = metadata.string("resourceVersion");
                    if (!version.isEmpty()) {
                        merged.withObject("metadata").put("resourceVersion", version);
                    }
                    return Wanted.owned(merged, warnings);
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

    /** Computes the wanted Scale from the present one; adds warnings. */
    @FunctionalInterface
    private interface Change {
        JsonObject wanted(JsonObject present, List<String> warnings);
    }

    private Reply write(Target target, WriteOptions options, List<String> before, Change change) {
        return shown(
                updating.change(target, options, live -> {
                    JsonObject tree = UpdateVerb.present(live, target);
                    List<String> warnings = new ArrayList<>();
                    try {
                        JsonObject scale = change.wanted(FieldOwners.scaled(tree, target), warnings);
                        ScaleForm.validate(scale, target);
                        setVersion(tree, scale.string("metadata", "resourceVersion"), target);
                        ScaleForm.apply(scale, tree, target);
                    } catch (ApiException refusal) {
                        throw RefusalWarnings.attach(refusal, warnings);
                    }
                    return Wanted.of(tree, warnings);
                }),
                target,
                before);
    }

    /** Makes the version of a Scale the precondition; without one, a built-in kind is written unconditionally. */
    private static void setVersion(JsonObject tree, String version, Target target) {
        if (!version.isEmpty() || target.type().origin() == ResourceType.Origin.BUILT_IN) {
            tree.withObject("metadata").put("resourceVersion", version);
        }
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
