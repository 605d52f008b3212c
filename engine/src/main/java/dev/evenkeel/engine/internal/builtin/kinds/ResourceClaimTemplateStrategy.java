package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;

/** Templates of resource claims, which never change. */
record ResourceClaimTemplateStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        TemplateMetadata.validate(root.at("spec", "metadata"));
        DeviceRules.claim(root.at("spec", "spec"));
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Field spec = root.at("spec");
        if (!spec.object().equals(old.object("spec"))) {
            spec.invalidText(InternalForm.text("resource.v1.ResourceClaimTemplateSpec", spec.value()), Field.IMMUTABLE);
        }
    }
}
