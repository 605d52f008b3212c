package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;

/**
 * Namespaces: labelled with their name, protected by the finalizer of the namespace deleter, which only {@code
 * /finalize} changes.
 */
record NamespaceStrategy(KindFacts facts) implements KindStrategy {
    private static final String NAME_LABEL = "kubernetes.io/metadata.name";
    private static final String FINALIZER = "kubernetes";
    private static final List<String> STANDARD = List.of(FINALIZER, "orphan", "foregroundDeletion");

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
        Metadata.addFinalizer(tree.withObject("spec"), FINALIZER);
        tree.put("status", JsonObject.of("phase", "Active"));
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, String subresource, Context context) {
        if (subresource.equals("finalize")) {
            KindStrategy.restore(tree, old, resetFields(subresource));
        } else {
            KindStrategy.super.prepareForUpdate(tree, old, subresource, context);
        }
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        KindStrategy.restore(tree, old, List.of("spec.finalizers", "status"));
    }

    @Override
    public List<String> resetFields(String subresource) {
        return subresource.equals("finalize") ? List.of("status") : KindStrategy.super.resetFields(subresource);
    }

    @Override
    public void validate(Field root) {
        Field finalizers = root.at("spec", "finalizers");
        finalizers.items().forEach(finalizer -> finalizer(finalizers, finalizer.text()));
    }

    private static void finalizer(Field shown, String name) {
        Names.qualified(name).forEach(wrong -> shown.invalid(name, wrong));
        if (!name.contains("/") && !STANDARD.contains(name)) {
            shown.invalid(name, "name is neither a standard finalizer name nor is it fully qualified");
        }
    }

    @Override
    public void validateSubresourceUpdate(Field root, JsonObject old, String subresource) {
        root.at("spec", "finalizers").items().forEach(finalizer -> finalizer(finalizer, finalizer.text()));
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        boolean deleted = root.at("metadata", "deletionTimestamp").given();
        String phase = deleted ? "Terminating" : "Active";
        Field now = root.at("status").with("Phase", root.at("status", "phase").value());
        if (!now.text().equals(phase)) {
            now.invalid(
                    now.text(),
                    "may only be '" + phase + "' if `deletionTimestamp` is " + (deleted ? "not empty" : "empty"));
        }
    }

    @Override
    public boolean marksForDeletion() {
        return true;
    }

    @Override
    public void markForDeletion(JsonObject tree, Context context) {
        tree.withObject("metadata").put("deletionTimestamp", Times.seconds(context.now()));
        tree.withObject("status").put("phase", "Terminating");
    }

    @Override
    public boolean held(JsonObject tree) {
        return !tree.array("spec", "finalizers").isEmpty();
    }
}
