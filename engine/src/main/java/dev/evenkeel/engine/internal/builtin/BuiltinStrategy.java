package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.strategy.Strategy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What all built-in kinds have in common, driven by the fact table, around what is particular to one. */
record BuiltinStrategy(BuiltinResource resource, Strategy particular) implements Strategy {

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        particular.applyDefaults(tree);
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        // Kubelets register nodes with their status.
        if (resource.resetFields().contains("status") && !resource.id().equals("nodes")) {
            ResetFields.clear(tree, FactTable.INSTANCE.type(resource.definition()), "status");
        }
        particular.prepareForCreate(tree, context);
    }

    @Override
    public void prepareForUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
        ResetFields.restore(tree, old, resource.resetFields());
        particular.prepareForUpdate(tree, old, context);
    }

    @Override
    public void prepareForStatusUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
        ResetFields.restore(tree, old, resource.statusResetFields());
        particular.prepareForStatusUpdate(tree, old, context);
    }

    @Override
    public List<FieldError> validate(Map<String, @Nullable Object> tree) {
        return particular.validate(tree);
    }

    @Override
    public List<FieldError> validateUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return particular.validateUpdate(tree, old);
    }

    @Override
    public List<String> warnings(Map<String, @Nullable Object> tree) {
        return particular.warnings(tree);
    }
}
