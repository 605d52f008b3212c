package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
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
    public void applyDefaults(JsonObject tree) {
        String name = tree.string("metadata", "name");
        if (!name.isEmpty()) {
            tree.withObject("metadata").withObject("labels").put(NAME_LABEL, name);
        }
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        applyDefaults(tree);
        List<@Nullable Object> finalizers = new ArrayList<>(tree.array("spec", "finalizers"));
        if (!finalizers.contains(FINALIZER)) {
            finalizers.add(FINALIZER);
        }
        tree.withObject("spec").put("finalizers", finalizers);
        tree.put("status", JsonObject.of("phase", "Active"));
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, String subresource, Context context) {
        if (!subresource.equals("finalize")) {
            KindStrategy.super.prepareForUpdate(tree, old, subresource, context);
        }
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        ResetFields.restore(tree, old, List.of("spec.finalizers", "status"));
    }

    @Override
    public void reset(JsonObject tree, JsonObject old, String subresource) {
        if (subresource.equals("finalize")) {
            List<@Nullable Object> finalizers = tree.array("spec", "finalizers");
            Object entries = tree.at("metadata", "managedFields");
            tree.clear();
            tree.putAll(old.copy());
            tree.put("spec", finalizers.isEmpty() ? new JsonObject() : JsonObject.of("finalizers", finalizers));
            tree.withObject("metadata").put("managedFields", entries);
        }
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        for (Object finalizer : tree.array("spec", "finalizers")) {
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
    public void markForDeletion(JsonObject tree, Context context) {
        JsonObject metadata = tree.withObject("metadata");
        metadata.put("deletionTimestamp", Times.seconds(context.now()));
        tree.withObject("status").put("phase", "Terminating");
    }

    @Override
    public boolean held(JsonObject tree) {
        return !tree.array("spec", "finalizers").isEmpty();
    }
}
