package dev.evenkeel.engine.internal.builtin;

import java.util.Map;

/**
 * Names of the Go structs that other structs embed: their fields are those of the other in JSON, but Go's errors about
 * the type of a value name them.
 */
final class EmbeddedStructs {
    private static final String REFERENCE = "LocalObjectReference";
    private static final String DEVICES = "DeviceConfiguration";

    /** By the simple name of the outer type, outermost first. */
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("ConfigMapEnvSource", REFERENCE),
            Map.entry("ConfigMapKeySelector", REFERENCE),
            Map.entry("ConfigMapProjection", REFERENCE),
            Map.entry("ConfigMapVolumeSource", REFERENCE),
            Map.entry("DeviceAllocationConfiguration", DEVICES),
            Map.entry("DeviceClaimConfiguration", DEVICES),
            Map.entry("DeviceClassConfiguration", DEVICES),
            Map.entry("EphemeralContainer", "EphemeralContainerCommon"),
            Map.entry("IngressRule", "IngressRuleValue"),
            Map.entry("NamedRuleWithOperations", "RuleWithOperations.Rule"),
            Map.entry("PersistentVolumeSpec", "PersistentVolumeSource"),
            Map.entry("Probe", "ProbeHandler"),
            Map.entry("RuleWithOperations", "Rule"),
            Map.entry("SecretEnvSource", REFERENCE),
            Map.entry("SecretKeySelector", REFERENCE),
            Map.entry("SecretProjection", REFERENCE),
            Map.entry("Volume", "VolumeSource"));

    private EmbeddedStructs() {}

    /** Returns whether a field belongs to an embedded struct: it has several steps in protobuf, or is that of a kind. */
    static boolean isEmbedded(FieldFacts field) {
        return field.path().size() > 1
                || (field.path().isEmpty()
                        && (field.name().equals("apiVersion") || field.name().equals("kind")));
    }

    /** Returns the embedded structs around such a field, joined by dots. */
    static String around(FieldFacts field, TypeFacts type) {
        String outer = type.name().substring(type.name().lastIndexOf('.') + 1);
        String names = field.path().isEmpty() ? "TypeMeta" : NAMES.getOrDefault(outer, "TypeMeta");
        int dot = names.indexOf('.');
        return dot > 0 && field.path().size() == 2 ? names.substring(0, dot) : names;
    }
}
