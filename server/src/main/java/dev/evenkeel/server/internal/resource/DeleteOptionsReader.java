package dev.evenkeel.server.internal.resource;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import dev.evenkeel.engine.internal.write.DeleteOptions.Propagation;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the options of a delete: from the body when there is one, else from the query. */
public final class DeleteOptionsReader {
    private static final List<String> POLICIES = List.of("Foreground", "Background", "Orphan", "nil");

    private DeleteOptionsReader() {}

    public static DeleteOptions fromQuery(Query query) {
        List<FieldError> errors = new ArrayList<>(0);
        OptionsReader.checkDryRun(query.all("dryRun"), errors);
        return options(
                query.first("propagationPolicy"),
                query.has("orphanDependents") ? Optional.of(query.flag("orphanDependents")) : Optional.empty(),
                query.has("gracePeriodSeconds")
                        ? OptionalLong.of(query.integer("gracePeriodSeconds"))
                        : OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                !query.all("dryRun").isEmpty(),
                errors);
    }

    public static DeleteOptions fromBody(JsonObject body) {
        List<FieldError> errors = new ArrayList<>(0);
        String kind = body.string("kind");
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            String version = body.string("apiVersion");
            throw Failures.badRequest(kind + " in version \"" + version.substring(version.indexOf('/') + 1)
                    + "\" cannot be handled as a DeleteOptions: converting to DeleteOptions: unknown conversion");
        }
        List<String> dryRun = typed(body, "dryRun", List.class, "[]string").map(Json::array).orElse(List.of()).stream()
                .map(value -> value instanceof String text ? text : Json.text(value))
                .toList();
        OptionsReader.checkDryRun(dryRun, errors);
        return options(
                typed(body, "propagationPolicy", String.class, "v1.DeletionPropagation")
                        .orElse(""),
                typed(body, "orphanDependents", Boolean.class, "bool"),
                typed(body, "gracePeriodSeconds", Long.class, "int64")
                        .map(OptionalLong::of)
                        .orElse(OptionalLong.empty()),
                Optional.of(body.string("preconditions", "uid")).filter(t -> !t.isEmpty()),
                Optional.of(body.string("preconditions", "resourceVersion")).filter(t -> !t.isEmpty()),
                !dryRun.isEmpty(),
                errors);
    }

    /** Returns the tree of a body. */
    public static JsonObject tree(Body body, JsonLimits limits) {
        try {
            return switch (body.format()) {
                case JSON -> Json.parseObject(body.bytes(), limits);
                case YAML -> Yaml.parseObject(body.bytes(), limits);
            };
        } catch (JsonException e) {
            String text = String.valueOf(e.getMessage());
            throw Failures.badRequest(
                    "couldn't get version/kind; " + (text.startsWith("json") ? "" : "json parse error: ") + text);
        }
    }

    private static DeleteOptions options(
            String policy,
            Optional<Boolean> orphanDependents,
            OptionalLong grace,
            Optional<String> uid,
            Optional<String> resourceVersion,
            boolean dryRun,
            List<FieldError> errors) {
        Optional<Propagation> propagation = switch (policy) {
            case "" -> Optional.empty();
            case "Foreground" -> Optional.of(Propagation.FOREGROUND);
            case "Background" -> Optional.of(Propagation.BACKGROUND);
            case "Orphan" -> Optional.of(Propagation.ORPHAN);
            default -> {
                errors.add(FieldError.notSupported("propagationPolicy", policy, POLICIES));
                yield Optional.empty();
            }
        };
        if (!policy.isEmpty() && orphanDependents.isPresent()) {
            errors.add(FieldError.invalid(
                    "propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"));
        }
        OptionsReader.check("DeleteOptions", errors);
        return new DeleteOptions(propagation, orphanDependents, grace, uid, resourceVersion, dryRun);
    }

    private static <T> Optional<T> typed(JsonObject body, String key, Class<T> type, String name) {
        Object value = body.get(key);
        if (value != null && !type.isInstance(value)) {
            throw Failures.badRequest(
                    "json: cannot unmarshal value into Go struct field DeleteOptions." + key + " of type " + name);
        }
        return Optional.ofNullable(type.cast(value));
    }
}
