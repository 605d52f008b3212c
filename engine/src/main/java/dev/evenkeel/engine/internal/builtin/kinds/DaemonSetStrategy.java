package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Daemon sets, which count the changes of their template in an annotation. */
record DaemonSetStrategy(KindFacts facts) implements KindStrategy {
    private static final String COUNTER = "deprecated.daemonset.template.generation";

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = PodTemplates.applyDefaults(tree);
        Map<String, @Nullable Object> update = Trees.grow(spec, "updateStrategy");
        Trees.fillText(update, "type", "RollingUpdate");
        if (Json.string(update, "type").equals("RollingUpdate")) {
            Map<String, @Nullable Object> rolling = Trees.grow(update, "rollingUpdate");
            Trees.fill(rolling, "maxUnavailable", 1L);
            Trees.fill(rolling, "maxSurge", 0L);
        }
        Trees.fill(spec, "revisionHistoryLimit", 10L);
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        Trees.grow(Trees.grow(tree, "metadata"), "annotations").put(COUNTER, "1");
    }

    @Override
    public void prepareForUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
        long count = count(old);
        boolean changed = !Objects.equals(Json.at(tree, "spec", "template"), Json.at(old, "spec", "template"));
        Trees.grow(Trees.grow(tree, "metadata"), "annotations")
                .put(COUNTER, Long.toString(changed ? count + 1 : count));
    }

    private static long count(Map<String, @Nullable Object> tree) {
        try {
            return Long.parseLong(Json.string(tree, "metadata", "annotations", COUNTER));
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        PodTemplates.validate(tree, errors);
        errors.notNegative("spec.minReadySeconds", Json.at(tree, "spec", "minReadySeconds"));
    }

    @Override
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        errors.immutable(tree, old, "spec", "selector");
    }
}
