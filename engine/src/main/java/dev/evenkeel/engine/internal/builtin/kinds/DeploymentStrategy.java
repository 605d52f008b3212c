package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Deployments. */
record DeploymentStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = PodTemplates.applyDefaults(tree);
        Trees.fill(spec, "replicas", 1L);
        Map<String, @Nullable Object> strategy = Trees.grow(spec, "strategy");
        Trees.fillText(strategy, "type", "RollingUpdate");
        if (Json.string(strategy, "type").equals("RollingUpdate")) {
            Map<String, @Nullable Object> rolling = Trees.grow(strategy, "rollingUpdate");
            Trees.fill(rolling, "maxUnavailable", "25%");
            Trees.fill(rolling, "maxSurge", "25%");
        }
        Trees.fill(spec, "revisionHistoryLimit", 10L);
        Trees.fill(spec, "progressDeadlineSeconds", 600L);
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        PodTemplates.validate(tree, errors);
        String type = Json.string(tree, "spec", "strategy", "type");
        errors.oneOf("spec.strategy.type", type, "Recreate", "RollingUpdate");
        Object rolling = Json.at(tree, "spec", "strategy", "rollingUpdate");
        if (type.equals("Recreate") && rolling != null) {
            errors.forbidden("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
        }
        if (type.equals("RollingUpdate") && rolling != null) {
            rollingUpdate(rolling, errors);
        }
        errors.notNegative("spec.minReadySeconds", Json.at(tree, "spec", "minReadySeconds"));
        errors.notNegative("spec.revisionHistoryLimit", Json.at(tree, "spec", "revisionHistoryLimit"));
        Object deadline = Json.at(tree, "spec", "progressDeadlineSeconds");
        errors.notNegative("spec.progressDeadlineSeconds", deadline);
        if (deadline instanceof Long seconds && seconds <= Json.integer(tree, "spec", "minReadySeconds")) {
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
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        errors.immutable(tree, old, "spec", "selector");
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return PodTemplates.ready(tree);
    }
}
