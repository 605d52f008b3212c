package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.strategy.Strategy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Daemon sets count the changes of their template in an annotation. */
final class DaemonSetStrategy implements Strategy {
    private static final String COUNTER = "deprecated.daemonset.template.generation";

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        WorkloadDefaults.daemonSet(tree);
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
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
    public List<FieldError> validate(Map<String, @Nullable Object> tree) {
        return WorkloadValidation.selected(tree);
    }

    @Override
    public List<FieldError> validateUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return WorkloadValidation.selectorUpdate(tree, old);
    }
}
