package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;
import java.util.Objects;

/** Rules of the specification of a claim, on its own or in the volume of a pod. */
final class PersistentVolumeClaimRules {
    private PersistentVolumeClaimRules() {}

    /** Validates the claim that is created for the volume of a pod. */
    static void template(Field template) {
        TemplateMetadata.validate(template.at("metadata"));
        spec(template.at("spec"), false);
    }

    /**
     * Validates a specification.
     *
     * @param anyGroup whether the claim had a source of another group before, so that any group is accepted
     */
    static void spec(Field spec, boolean anyGroup) {
        if (spec.at("accessModes").array().isEmpty()) {
            spec.at("accessModes").missing("at least 1 access mode is required");
        }
        if (spec.at("selector").given()) {
            Selectors.validate(spec.at("selector"));
        }
        Volumes.validateAccessModes(spec.at("accessModes"));
        Object requested = spec.at("resources", "requests").entry("storage").value();
        Field storage = spec.at("resources").with("[storage]", requested);
        if (storage.given()) {
            FormatRules.quantity(storage)
                    .filter(amount -> amount.value().signum() <= 0)
                    .ifPresent(amount -> storage.invalid(amount.text(), "must be greater than zero"));
        } else {
            storage.missing();
        }
        spec.at("storageClassName").requireIfGiven(Names::subdomain);
        SecurityContextRules.oneOfIfPresent(spec.at("volumeMode"), "Block", "Filesystem");
        Field source = spec.at("dataSource");
        Field reference = spec.at("dataSourceRef");
        source(source, anyGroup);
        source(reference, anyGroup);
        boolean elsewhere = !reference.at("namespace").text().isEmpty();
        reference.at("namespace").requireIfGiven(Names::label);
        if (elsewhere && source.given()) {
            spec.invalid(new JsonObject(), "may not be specified when dataSourceRef.namespace is specified");
        } else if (!elsewhere
                && source.given()
                && reference.given()
                && !List.of("apiGroup", "kind", "name").stream()
                        .allMatch(name -> Objects.equals(
                                source.at(name).value(), reference.at(name).value()))) {
            spec.invalid(new JsonObject(), "must match dataSourceRef");
        }
        spec.at("volumeAttributesClassName").requireIfGiven(Names::subdomain);
    }

    private static void source(Field source, boolean anyGroup) {
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
        if (!group.isEmpty() && !anyGroup) {
            source.at("apiGroup").obeys(Names::subdomain);
        }
    }
}
