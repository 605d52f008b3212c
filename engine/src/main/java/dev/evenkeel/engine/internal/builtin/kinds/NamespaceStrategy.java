package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Namespaces: labelled with their name, protected by the finalizer of the namespace deleter, which only {@code
 * /finalize} changes.
 */
record NamespaceStrategy(KindFacts facts) implements KindStrategy {
    private static final String NAME_LABEL = "kubernetes.io/metadata.name";
    private static final String FINALIZER = "kubernetes";

    @Override
    public ResourceType.Names names() {
        return ResourceType.Names.LABEL;
    }

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
            Map<String, @Nullable Object> tree,
            Map<String, @Nullable Object> old,
            String subresource,
            Context context) {
        if (!subresource.equals("finalize")) {
            KindStrategy.super.prepareForUpdate(tree, old, subresource, context);
        }
    }

    @Override
    public void prepareForUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
        ResetFields.restore(tree, old, List.of("spec.finalizers", "status"));
    }

    @Override
    public void reset(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, String subresource) {
        if (subresource.equals("finalize")) {
            List<@Nullable Object> finalizers = Trees.list(tree, "spec", "finalizers");
            Object entries = Json.at(tree, "metadata", "managedFields");
            tree.clear();
            tree.putAll(Json.copyObject(old));
            tree.put("spec", finalizers.isEmpty() ? Trees.of() : Trees.of("finalizers", finalizers));
            Trees.grow(tree, "metadata").put("managedFields", entries);
        }
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        for (Object finalizer : Trees.list(tree, "spec", "finalizers")) {
            String name = String.valueOf(finalizer);
            errors.invalid("spec.finalizers", name, Names.qualified(name));
            if (!name.contains("/")
                    && !List.of(FINALIZER, "orphan", "foregroundDeletion").contains(name)) {
                errors.invalid(
                        "spec.finalizers", name, "name is neither a standard finalizer name nor is it fully qualified");
            }
        }
    }

    @Override
    public boolean marksForDeletion() {
        return true;
    }

    @Override
    public void markForDeletion(Map<String, @Nullable Object> tree, Context context) {
        Map<String, @Nullable Object> metadata = Trees.grow(tree, "metadata");
        metadata.put("deletionTimestamp", Times.seconds(context.now()));
        Trees.grow(tree, "status").put("phase", "Terminating");
    }

    @Override
    public boolean held(Map<String, @Nullable Object> tree) {
        return !Trees.list(tree, "spec", "finalizers").isEmpty();
    }
}
