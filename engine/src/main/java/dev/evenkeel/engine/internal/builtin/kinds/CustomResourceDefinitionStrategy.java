package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.cel.Cel;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CustomResourceDefinitions: read like other built-in kinds, with the rules of {@link Crds}. */
record CustomResourceDefinitionStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        Crds.applyDefaults(tree);
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        Crds.prepareForCreate(tree);
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, String subresource, Context context) {
        if (subresource.equals("status")) {
            Crds.prepareForStatusUpdate(tree, old);
        } else {
            Crds.prepareForUpdate(tree, old);
        }
    }

    @Override
    public List<FieldError> validate(JsonObject tree, @Nullable JsonObject old, String subresource) {
        return old != null && subresource.equals("status")
                ? Crds.validateStatus(tree, old)
                : Crds.validate(tree, old, (schema, resource) -> Cel.RULES.compile(schema, resource));
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return Crds.warnings(tree, old);
    }

    @Override
    public boolean marksForDeletion() {
        return true;
    }

    @Override
    public void markForDeletion(JsonObject tree, Context context) {
        Crds.markForDeletion(tree, context.now());
        tree.withObject("metadata").put("deletionTimestamp", Times.seconds(context.now()));
    }
}
