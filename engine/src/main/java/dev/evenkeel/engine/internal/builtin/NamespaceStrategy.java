package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Namespaces: labelled with their name, held by the finalizer of the namespace deleter, which only {@code /finalize} changes. */
final class NamespaceStrategy implements Strategy {
    static final String NAME_LABEL = "kubernetes.io/metadata.name";
    static final String FINALIZER = "kubernetes";

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        String name = Json.string(tree, "metadata", "name");
        if (!name.isEmpty()) {
            Trees.grow(Trees.grow(tree, "metadata"), "labels").put(NAME_LABEL, name);
        }
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        applyDefaults(tree);
        List<@Nullable Object> finalizers = new ArrayList<>(Trees.list(tree, "spec", "finalizers"));
        if (!finalizers.contains(FINALIZER)) {
            finalizers.add(FINALIZER);
        }
        Trees.grow(tree, "spec").put("finalizers", finalizers);
        tree.put("status", Trees.of("phase", "Active"));
    }

    @Override
    public void prepareForUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
        ResetFields.restore(tree, old, List.of("spec.finalizers", "status"));
    }

    @Override
    public List<FieldError> validate(Map<String, @Nullable Object> tree) {
        return OtherValidation.namespace(tree);
    }
}
