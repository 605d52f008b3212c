package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.kinds.Selectors;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Scale;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;
import java.util.Optional;

/** The form that the {@code scale} subresource gives an object: a Scale, made of some of its fields. */
public final class ScaleForm {
    public static final String API_VERSION = "autoscaling/v1";

    private ScaleForm() {}

    /** Returns the path of the desired number of replicas. */
    public static String[] replicas(Target target) {
        return path(scale(target).specReplicas());
    }

    /** Returns the Scale of an object. */
    public static JsonObject of(JsonObject tree, Target target) {
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
    /** Sets the replicas of an object to those of a Scale. */
    public static void apply(JsonObject scale, JsonObject tree, Target target) {
        String[] path = replicas(target);
        long replicas = replicas(scale, target);
        JsonObject at = tree;
        for (int i = 0; i < path.length - 1; i++) {
            at = at.withObject(path[i]);
        }
        at.put(path[path.length - 1], replicas);
    }

    /** Returns upstream's words about replicas that are not a number. */
    public static String mistyped(Object replicas) {
        return "json: cannot unmarshal " + (replicas instanceof String ? "string" : "value")
                + " into Go struct field ScaleSpec.spec.replicas of type int32";
    }

    private static long replicas(JsonObject wanted, Target target) {
        Object replicas = wanted.at("spec", "replicas");
        if (replicas == null) {
            return 0;
        }
        if (!(replicas instanceof Long number)) {
            throw Refusal.badRequest("Scale in version \"v1\" cannot be handled as a Scale: " + mistyped(replicas));
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
}
