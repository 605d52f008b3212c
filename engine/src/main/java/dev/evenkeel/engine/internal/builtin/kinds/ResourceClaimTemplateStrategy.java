package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Templates of resource claims, which never change. */
record ResourceClaimTemplateStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        TemplateMetadata.validate(root.at("spec", "metadata"));
        DeviceRules.claim(root.at("spec", "spec"));
    }

    @Override
    public List<FieldError> validate(JsonObject tree, @Nullable JsonObject old, String subresource, Context context) {
        List<FieldError> errors = new ArrayList<>();
        if (old == null) {
            errors.addAll(AdminAccess.ofRequests(tree, tree.object("spec", "spec"), context));
        }
        errors.addAll(validate(tree, old, subresource));
        return errors;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Field spec = root.at("spec");
        if (!spec.object().equals(old.object("spec"))) {
            spec.invalidText(InternalForm.text("resource.v1.ResourceClaimTemplateSpec", spec.value()), Field.IMMUTABLE);
        }
    }
}
