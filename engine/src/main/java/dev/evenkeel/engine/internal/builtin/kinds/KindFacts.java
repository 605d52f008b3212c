package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.BuiltinResource;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.builtin.Defaults;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Names;

/** The facts about one version of a built-in kind: its line of the fact table, and what follows from it. */
record KindFacts(
        ResourceType type,
        ResourceType.Version version,
        BuiltinResource resource,
        Names names,
        Defaults defaults,
        Defaults disabled,
        byte[] head) {
    KindFacts(ResourceType type, ResourceType.Version version) {
        this(
                type,
                version,
                BuiltinTypes.resource(type, version).orElseThrow(),
                names(type),
                Defaults.of(type.kind(), version.name()),
                Defaults.disabled(type.kind()),
                ResourceStrategy.head(type, version));
    }

    private static Names names(ResourceType type) {
        return switch (type.kind()) {
            case "Namespace", "Service", "StatefulSet" -> Names.LABEL;
            case "DeviceClass" -> Names.LONG_NAME;
            case "IPAddress" -> Names.ADDRESS;
            case "APIService",
                    "CertificateSigningRequest",
                    "ClusterRole",
                    "ClusterRoleBinding",
                    "PodDisruptionBudget",
                    "Role",
                    "RoleBinding" -> Names.PATH_SEGMENT;
            case "Event" -> type.group().isEmpty() ? Names.PATH_SEGMENT : Names.SUBDOMAIN;
            default -> Names.SUBDOMAIN;
        };
    }

    /**
     * Returns how often upstream checks the finalizers of an object that changes, and reports their errors: not at all
     * for kinds with the general rules of metadata, twice for kinds that are validated as a whole again.
     */
    int finalizerChecks() {
        return switch (type.kind()) {
            case "APIService",
                    "CustomResourceDefinition",
                    "Lease",
                    "MutatingAdmissionPolicy",
                    "MutatingAdmissionPolicyBinding",
                    "PodDisruptionBudget",
                    "RuntimeClass",
                    "ValidatingAdmissionPolicy",
                    "ValidatingAdmissionPolicyBinding",
                    "MutatingWebhookConfiguration",
                    "ValidatingWebhookConfiguration" -> 0;
            case "CronJob",
                    "CSIDriver",
                    "CSINode",
                    "DaemonSet",
                    "Deployment",
                    "EndpointSlice",
                    "FlowSchema",
                    "HorizontalPodAutoscaler",
                    "LimitRange",
                    "NetworkPolicy",
                    "PodTemplate",
                    "PriorityClass",
                    "PriorityLevelConfiguration",
                    "ReplicaSet",
                    "ReplicationController",
                    "ResourceQuota",
                    "ResourceSlice",
                    "Service",
                    "StatefulSet",
                    "VolumeAttachment" -> 1;
            case "Event" -> core() ? 0 : 1;
            default -> 2;
        };
    }

    /**
     * Returns how often upstream checks the change of metadata: once by the rules of every kind, and in most kinds again
     * by their own.
     */
    int metadataChecks() {
        return switch (type.kind()) {
            case "CSINode",
                    "EndpointSlice",
                    "Event",
                    "FlowSchema",
                    "LimitRange",
                    "MutatingAdmissionPolicy",
                    "MutatingAdmissionPolicyBinding",
                    "MutatingWebhookConfiguration",
                    "PersistentVolume",
                    "PodDisruptionBudget",
                    "PriorityLevelConfiguration",
                    "ValidatingAdmissionPolicy",
                    "ValidatingAdmissionPolicyBinding",
                    "ValidatingWebhookConfiguration",
                    "VolumeAttachment" -> 1;
            default -> 2;
        };
    }

    /** Returns whether the kind is in the core group. */
    boolean core() {
        return type.group().isEmpty();
    }
}
