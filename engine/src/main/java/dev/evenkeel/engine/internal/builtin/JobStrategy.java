package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.strategy.Strategy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jobs: a job finds its pods by its own uid, unless told otherwise. */
final class JobStrategy implements Strategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        WorkloadDefaults.job(tree);
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        String uid = Json.string(tree, "metadata", "uid");
        if (Trees.isTrue(spec, "manualSelector") || uid.isEmpty()) {
            return;
        }
        String name = Json.string(tree, "metadata", "name");
        Map<String, @Nullable Object> labels =
                Trees.grow(Trees.grow(Trees.grow(spec, "template"), "metadata"), "labels");
        Trees.fill(labels, "batch.kubernetes.io/controller-uid", uid);
        Trees.fill(labels, "batch.kubernetes.io/job-name", name);
        Trees.fill(labels, "controller-uid", uid);
        Trees.fill(labels, "job-name", name);
        Trees.grow(Trees.grow(spec, "selector"), "matchLabels").putIfAbsent("batch.kubernetes.io/controller-uid", uid);
        WorkloadDefaults.labelsFromTemplate(tree);
    }

    @Override
    public List<FieldError> validate(Map<String, @Nullable Object> tree) {
        return WorkloadValidation.job(tree);
    }

    @Override
    public List<FieldError> validateUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return WorkloadValidation.jobUpdate(tree, old);
    }
}
