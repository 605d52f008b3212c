package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.kinds.Selectors;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.schema.MetadataRules;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Scale;
import dev.evenkeel.engine.internal.type.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The form that the {@code scale} subresource gives an object: a Scale, made of some of its fields. */
public final class ScaleForm {
    public static final String API_VERSION = "autoscaling/v1";

    /** The number of replicas where none is set: the smallest int32, as in upstream. */
    private static final long ABSENT = Integer.MIN_VALUE;

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

    /** Returns the Scale of an object that is to be changed: an absent number is marked, as it may not stay so. */
    public static JsonObject changeable(JsonObject tree, Target target) {
        JsonObject scale = of(tree, target);
        if (isAbsent(tree, target)) {
            scale.withObject("spec").put("replicas", ABSENT);
        }
        return scale;
    }

    private static boolean isAbsent(JsonObject tree, Target target) {
        return target.type().origin() != ResourceType.Origin.BUILT_IN && tree.at(replicas(target)) == null;
    }

    /** Refuses to show the Scale of an object without a number of replicas. */
    public static void requireReplicas(JsonObject tree, Target target) {
        if (isAbsent(tree, target)) {
            throw Refusal.internalError(field(target) + " does not exist");
        }
    }

    private static String field(Target target) {
        return "the spec replicas field \"" + scale(target).specReplicas() + "\"";
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

    /** Refuses a Scale that is not valid. */
    public static void validate(JsonObject scale, Target target) {
        long replicas = scale.integer("spec", "replicas");
        if (target.type().origin() != ResourceType.Origin.BUILT_IN) {
            // the schema reports negative numbers, in other words
            if (replicas == ABSENT) {
                throw Refusal.badRequest(field(target) + " cannot be empty");
            }
            return;
        }
        List<FieldError> errors = new ArrayList<>(MetadataRules.validate(target.type(), scale));
        errors.addAll(MetadataRules.validateFinalizers(scale));
        if (replicas < 0) {
            errors.add(FieldError.invalid("spec.replicas", replicas, "must be greater than or equal to 0"));
        }
        if (!errors.isEmpty()) {
            throw Refusal.invalid("autoscaling", "Scale", target.name(), errors);
        }
    }

    /** Sets the replicas of an object to those of a Scale. */
    public static void apply(JsonObject scale, JsonObject tree, Target target) {
        String[] path = replicas(target);
        JsonObject at = tree;
        for (int i = 0; i < path.length - 1; i++) {
            at = at.withObject(path[i]);
        }
        Object replicas = scale.at("spec", "replicas");
        if (replicas != null && !(replicas instanceof Long)) {
            throw Refusal.badRequest("json: cannot unmarshal " + GoTypes.described(replicas)
                    + " into Go struct field ScaleSpec.spec.replicas of type int32");
        }
        at.put(path[path.length - 1], replicas == null ? 0L : replicas);
    }
}
