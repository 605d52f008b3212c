package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.List;

/** Deployments. */
record DeploymentStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        JsonObject spec = PodTemplates.applyDefaults(tree);
        spec.putIfAbsent("replicas", 1L);
        JsonObject strategy = spec.withObject("strategy");
        strategy.setIfEmpty("type", "RollingUpdate");
        if (strategy.string("type").equals("RollingUpdate")) {
            JsonObject rolling = strategy.withObject("rollingUpdate");
            rolling.putIfAbsent("maxUnavailable", "25%");
            rolling.putIfAbsent("maxSurge", "25%");
        }
        spec.putIfAbsent("revisionHistoryLimit", 10L);
        spec.putIfAbsent("progressDeadlineSeconds", 600L);
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        PodTemplates.validate(tree, errors);
        String type = tree.string("spec", "strategy", "type");
        errors.oneOf("spec.strategy.type", type, "Recreate", "RollingUpdate");
        Object rolling = tree.at("spec", "strategy", "rollingUpdate");
        if (type.equals("Recreate") && rolling != null) {
            errors.forbidden("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
        }
        if (type.equals("RollingUpdate") && rolling != null) {
            rollingUpdate(rolling, errors);
        }
        errors.notNegative("spec.minReadySeconds", tree.at("spec", "minReadySeconds"));
        errors.notNegative("spec.revisionHistoryLimit", tree.at("spec", "revisionHistoryLimit"));
        Object deadline = tree.at("spec", "progressDeadlineSeconds");
        errors.notNegative("spec.progressDeadlineSeconds", deadline);
        if (deadline instanceof Long seconds && seconds <= tree.integer("spec", "minReadySeconds")) {
            errors.invalid("spec.progressDeadlineSeconds", seconds, "must be greater than minReadySeconds");
        }
    }

    private static void rollingUpdate(Object rolling, FieldErrors errors) {
        boolean none = true;
        for (String field : List.of("maxUnavailable", "maxSurge")) {
            Object value = Json.at(rolling, field);
            String at = "spec.strategy.rollingUpdate." + field;
            errors.notNegative(at, value);
            if (value instanceof String text && !percent(text)) {
                errors.invalid(
                        at,
                        text,
                        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or"
                                + " '93%', regex used for validation is '[0-9]+%')");
            }
            none &= value != null && (value.equals(0L) || value.equals("0%"));
        }
        if (none) {
            errors.invalid(
                    "spec.strategy.rollingUpdate.maxUnavailable",
                    Json.at(rolling, "maxUnavailable"),
                    "may not be 0 when `maxSurge` is 0");
        }
    }

    private static boolean percent(String text) {
        return text.length() > 1
                && text.endsWith("%")
                && text.chars().limit(text.length() - 1L).allMatch(c -> c >= '0' && c <= '9');
    }

    @Override
    public void validateUpdate(JsonObject tree, JsonObject old, FieldErrors errors) {
        errors.immutable(tree, old, "spec", "selector");
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return PodTemplates.ready(tree);
    }
}
