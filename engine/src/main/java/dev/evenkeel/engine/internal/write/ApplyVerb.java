package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.SentEmpty;
import dev.evenkeel.engine.internal.json.Yaml;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Ownership;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.object.WriteOptions.FieldValidation;
import dev.evenkeel.engine.internal.type.Target;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes or creates objects by server-side apply. */
public record ApplyVerb(WriteContext cluster, UpdateVerb updating, Ownership ownership) {
    public Reply apply(Target target, Body body, WriteOptions options) {
        Configuration configuration = Configuration.read(body, cluster.limits());
        JsonObject applied = configuration.tree();
        cluster.strategies().of(target).normaliseConfiguration(applied);
        return updating.change(target, options, live -> {
            if (live == null) {
                checkNew(applied, target);
            }
            JsonObject before = live != null && isVerbatim(live, target) ? live.copy() : null;
            JsonObject merged = merged(live, applied, target, options);
            List<String> warnings = configuration.warnings(options);
            List<SentEmpty> empties = new ArrayList<>(0);
            cluster.decoder().normaliseApplied(merged, target, empties::add);
            if (before != null && !sameContent(before, merged, target)) {
                WriteContext.rawFields(target).ifPresent(raw -> raw.unmark(merged));
            }
            if (live == null) {
                merged.withObject("metadata").remove("resourceVersion");
            }
            return Wanted.owned(merged, warnings).with(empties);
        });
    }

    /** Returns the object with its managedFields after an apply. */
    JsonObject merged(@Nullable JsonObject live, JsonObject applied, Target target, WriteOptions options) {
        return ownership.applied(live, applied.copy(), target, options.fieldManager(), options.force(), cluster.now());
    }

    private static boolean isVerbatim(JsonObject live, Target target) {
        return WriteContext.rawFields(target).map(raw -> raw.isMarked(live)).orElse(false);
    }

    /** Returns whether nothing differs but the owners of fields; objects with and without spaces are the same here. */
    private static boolean sameContent(JsonObject before, JsonObject merged, Target target) {
        JsonObject left = before.copy();
        JsonObject right = merged.copy();
        for (JsonObject tree : List.of(left, right)) {
            WriteContext.rawFields(target).ifPresent(raw -> raw.unmark(tree));
            tree.withObject("metadata").remove("managedFields");
        }
        return left.equals(right);
    }

    private static void checkNew(JsonObject applied, Target target) {
        if (!target.subresource().isEmpty()) {
            throw Refusal.notFound(target.type(), target.name());
        }
        String uid = applied.string("metadata", "uid");
        if (!uid.isEmpty()) {
            throw Refusal.conflict(
                    target.type(),
                    target.name(),
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
        }
    }

    /**
     * An applied configuration.
     *
     * @param problems the keys of YAML that occur more than once
     */
    record Configuration(JsonObject tree, List<String> problems) {
        /** Reads a configuration; an empty document is an object without fields. */
        static Configuration read(Body body, JsonLimits limits) {
            List<String> problems = new ArrayList<>();
            return new Configuration(configuration(body, limits, problems), problems);
        }

        /** Returns the warnings for the client; refuses problems where none may be, which upstream does after the merge. */
        List<String> warnings(WriteOptions options) {
            if (!problems.isEmpty() && options.validation() == FieldValidation.STRICT) {
                throw Refusal.badRequest(
                        "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  "
                                + String.join("\n  ", problems));
            }
            return options.validation() == FieldValidation.WARN ? problems : List.of();
        }
    }

    private static JsonObject configuration(Body body, JsonLimits limits, List<String> problems) {
        Object parsed;
        try {
            // the YAML parser takes many times as long
            parsed = body.format() == Body.Format.JSON
                    ? Json.parse(body.bytes(), limits)
                    : Yaml.parse(body.bytes(), limits, problems::add);
        } catch (JsonException e) {
            throw Refusal.badRequest("error decoding YAML: error converting YAML to JSON: " + e.getMessage());
        }
        return switch (parsed) {
            case null -> new JsonObject();
            case JsonObject map -> map;
            default ->
                throw Refusal.badRequest(
                        "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal "
                                + GoTypes.kind(parsed) + " into Go value of type map[string]interface {}");
        };
    }
}
