package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.cel.Cel;
import dev.evenkeel.engine.internal.crd.Crds;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** CustomResourceDefinitions: read like other built-in kinds, with the rules of {@link Crds}. */
record CustomResourceDefinitionStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Crds.applyDefaults(tree);
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        Crds.prepareForCreate(tree);
    }

    @Override
    public void prepareForUpdate(
            Map<String, @Nullable Object> tree,
            Map<String, @Nullable Object> old,
            String subresource,
            Context context) {
        if (subresource.equals("status")) {
            Crds.prepareForStatusUpdate(tree, old);
        } else {
            Crds.prepareForUpdate(tree, old);
        }
    }

    @Override
    public List<FieldError> validate(
            Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old, String subresource) {
        return old != null && subresource.equals("status")
                ? Crds.validateStatus(tree, old)
                : Crds.validate(tree, old, (schema, resource) -> Cel.RULES.compile(schema, resource));
    }

    @Override
    public List<String> warnings(Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old) {
        return Crds.warnings(tree, old);
    }

    @Override
    public boolean marksForDeletion() {
        return true;
    }

    @Override
    public void markForDeletion(Map<String, @Nullable Object> tree, Context context) {
        Crds.markForDeletion(tree, context.now());
        Trees.grow(tree, "metadata").put("deletionTimestamp", Times.seconds(context.now()));
    }
}
