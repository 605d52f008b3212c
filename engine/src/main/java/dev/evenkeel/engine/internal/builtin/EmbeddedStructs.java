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

    /** Returns the embedded structs around a field whose protobuf path has several steps, joined by dots. */
    static String around(FieldFacts field, TypeFacts type) {
        String outer = type.name().substring(type.name().lastIndexOf('.') + 1);
        String names = NAMES.getOrDefault(outer, "TypeMeta");
        int dot = names.indexOf('.');
        return dot > 0 && field.path().size() == 2 ? names.substring(0, dot) : names;
    }
}
