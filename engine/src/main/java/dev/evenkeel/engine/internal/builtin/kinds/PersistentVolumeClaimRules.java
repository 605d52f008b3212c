package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;

/** Rules of the specification of a claim, on its own or in the volume of a pod. */
final class PersistentVolumeClaimRules {
    private PersistentVolumeClaimRules() {}

    /** Validates the claim that is created for the volume of a pod. */
    static void template(Field template) {
        TemplateMetadata.validate(template.at("metadata"));
        spec(template.at("spec"));
    }

    static void spec(Field spec) {
        if (spec.at("selector").given()) {
            Selectors.validate(spec.at("selector"));
        }
        Volumes.validateAccessModes(spec.at("accessModes"), "at least 1 access mode is required");
        Field storage = spec.at("resources", "requests").entry("storage");
        if (storage.given()) {
            FormatRules.quantity(storage)
                    .filter(amount -> amount.value().signum() <= 0)
                    .ifPresent(amount -> storage.invalid(amount.text(), "must be greater than zero"));
            ResourceRules.any(storage, "storage");
        } else {
            spec.at("resources").entry("storage").missing();
        }
        spec.at("storageClassName").requireIfGiven(Names::subdomain);
        SecurityContextRules.oneOfIfPresent(spec.at("volumeMode"), "Block", "Filesystem");
        source(spec.at("dataSource"));
        source(spec.at("dataSourceRef"));
        spec.at("volumeAttributesClassName").requireIfGiven(Names::subdomain);
    }

    private static void source(Field source) {
        if (!source.given()) {
            return;
        }
        source.at("name").require();
        source.at("kind").require();
        String group = source.at("apiGroup").text();
        if (group.isEmpty() && !source.at("kind").text().equals("PersistentVolumeClaim")) {
            source.invalid(
                    source.at("kind").text(), "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
        }
        if (!group.isEmpty()) {
            source.at("apiGroup").obeys(Names::subdomain);
        }
    }
}
