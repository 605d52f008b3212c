package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.admission.Documents;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.builtin.kinds.Selectors;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.patch.Patches;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Scale;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The {@code scale} subresource: an {@code autoscaling/v1} Scale composed of some fields of the object; writing it
 * writes one of them.
 */
public record ScaleVerb(WriteContext cluster, UpdateVerb updating, ApplyVerb applying) {
    static final String API_VERSION = "autoscaling/v1";

    public Document get(Target target) {
        Entry entry = cluster.read(target);
        if (entry == null) {
            throw Refusal.notFound(target.type(), target.name());
        }
        return Documents.of(shown(cluster.tree(entry, target), target));
    }

    public Reply update(Target target, Body body, WriteOptions options) {
        Map<String, @Nullable Object> wanted = cluster.decoder().object(body, "Scale", new ArrayList<>());
        String name = Json.string(wanted, "metadata", "name");
        if (!name.isEmpty()) {
            Identity.checkName(name, target);
        }
        return write(target, options, present -> wanted);
    }

    public Reply patch(Target target, Patch.Type patchType, Body body, WriteOptions options) {
        if (patchType == Patch.Type.APPLY) {
            Map<String, @Nullable Object> wanted = ApplyVerb.configuration(body, cluster.limits(), new ArrayList<>());
            return apply(target, wanted, options);
        }
        return write(
                target,
                options,
                present -> Json.object(Patches.apply(
                                        // a Scale has no lists, so both are equivalent
                                        patchType == Patch.Type.STRATEGIC ? Patch.Type.MERGE : patchType,
                                        present,
                                        body.bytes(),
                                        Schema.ANY,
                                        cluster.limits(),
                                        problem -> {})
                                .tree())
                        .orElseThrow(() ->
                                Refusal.badRequest("the object provided is unrecognized (must be of type Scale)")));
    }

    private Reply apply(Target target, Map<String, @Nullable Object> wanted, WriteOptions options) {
        return shown(
                updating.change(target, options, live -> {
                    Map<String, @Nullable Object> present = UpdateVerb.present(live, target);
                    Map<String, @Nullable Object> merged = applying.merged(present, wanted, target, options);
                    checkApplicable(present, merged, wanted, target);
                    return Wanted.owned(merged, List.of());
                }),
                target);
    }

    /**
     * Refuses to apply a new number to the scale of a custom resource, in upstream's words: upstream does not support
     * it.
     */
    private static void checkApplicable(
            Map<String, @Nullable Object> live,
            Map<String, @Nullable Object> merged,
            Map<String, @Nullable Object> wanted,
            Target target) {
        String[] replicas = path(scale(target).specReplicas());
        if (target.type().origin() == ResourceType.Origin.CUSTOM
                && Json.integer(live, replicas) != Json.integer(merged, replicas)) {
            throw Refusal.internal("failed to convert new object (" + Json.string(wanted, "metadata", "namespace") + "/"
                    + Json.string(wanted, "metadata", "name") + "; " + API_VERSION
                    + ", Kind=Scale) to proper version: request to convert CR to an invalid group/version: "
                    + API_VERSION);
        }
    }

    /** Sets the replicas of an object to those of a Scale. */
    static void setReplicas(Map<String, @Nullable Object> tree, Target target, Map<String, @Nullable Object> scale) {
        set(tree, scale(target).specReplicas(), replicas(scale, target));
    }

    private Reply write(Target target, WriteOptions options, UnaryOperator<Map<String, @Nullable Object>> change) {
        return shown(
                updating.edit(target, options, live -> {
                    Map<String, @Nullable Object> wanted = change.apply(shown(live, target));
                    String version = Json.string(wanted, "metadata", "resourceVersion");
                    Identity.checkUid(Json.object(wanted.get("metadata")).orElse(Map.of()), Metadata.of(live), target);
                    if (!version.isEmpty()) {
                        Metadata.of(live).put("resourceVersion", version);
                    }
                    setReplicas(live, target, wanted);
                }),
                target);
    }

    private static long replicas(Map<String, @Nullable Object> wanted, Target target) {
        Object replicas = Json.at(wanted, "spec", "replicas");
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
    static Map<String, @Nullable Object> shown(Map<String, @Nullable Object> tree, Target target) {
        Scale scale = scale(target);
        Map<String, @Nullable Object> from = Metadata.of(tree);
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            Object value = from.get(field);
            if (value != null) {
                metadata.put(field, value);
            }
        }
        Object desired = Json.at(tree, path(scale.specReplicas()));
        if (desired == null && target.type().origin() != ResourceType.Origin.BUILT_IN) {
            throw Refusal.internal("the spec replicas field \"" + scale.specReplicas() + "\" does not exist");
        }
        Map<String, @Nullable Object> spec = new LinkedHashMap<>();
        if (desired instanceof Long number && number != 0) {
            spec.put("replicas", number);
        }
        Map<String, @Nullable Object> status = new LinkedHashMap<>();
        status.put("replicas", Json.integer(tree, path(scale.statusReplicas())));
        selector(tree, scale).ifPresent(text -> status.put("selector", text));
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        shown.put("kind", "Scale");
        shown.put("apiVersion", API_VERSION);
        shown.put("metadata", metadata);
        shown.put("spec", spec);
        shown.put("status", status);
        return shown;
    }

    /** Returns the selector in text form: given as text, or as a LabelSelector of a built-in kind. */
    private static Optional<String> selector(Map<String, @Nullable Object> tree, Scale scale) {
        if (scale.labelSelector().isEmpty()) {
            return Optional.empty();
        }
        Object value = Json.at(tree, path(scale.labelSelector()));
        return switch (value) {
            case String text -> text.isEmpty() ? Optional.empty() : Optional.of(text);
            case Map<?, ?> selector -> Optional.of(Selectors.text(Json.asObject(selector)));
            case null, default -> Optional.empty();
        };
    }

    private static Scale scale(Target target) {
        return target.version().scale().orElseThrow(() -> Refusal.notFound(target.type(), target.name()));
    }

    private static String[] path(String dotted) {
        return (dotted.startsWith(".") ? dotted.substring(1) : dotted).split("\\.");
    }

    private static void set(Map<String, @Nullable Object> tree, String dotted, long value) {
        String[] path = path(dotted);
        Map<String, @Nullable Object> at = tree;
        for (int i = 0; i < path.length - 1; i++) {
            Object next = at.get(path[i]);
            if (!(next instanceof Map<?, ?>)) {
                next = new LinkedHashMap<String, @Nullable Object>();
                at.put(path[i], next);
            }
            at = Json.asObject(next);
        }
        at.put(path[path.length - 1], value);
    }
}
