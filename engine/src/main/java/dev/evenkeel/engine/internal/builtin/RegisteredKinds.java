package dev.evenkeel.engine.internal.builtin;

import java.util.Arrays;
import java.util.Map;

/**
 * The kinds that upstream's decoder knows: those that are served, and those of earlier versions that are not any more,
 * but are still read before they are refused.
 */
public final class RegisteredKinds {
    private static final String EXTENSIONS = "extensions/v1beta1";

    /** The kinds that have been served, by API version. */
    private static final Map<String, String> EARLIER = Map.ofEntries(
            Map.entry(EXTENSIONS, "DaemonSet Deployment Ingress NetworkPolicy ReplicaSet Scale"),
            Map.entry("apps/v1beta1", "ControllerRevision Deployment Scale StatefulSet"),
            Map.entry("apps/v1beta2", "ControllerRevision DaemonSet Deployment ReplicaSet Scale StatefulSet"),
            Map.entry(
                    "admissionregistration.k8s.io/v1beta1",
                    "MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding"
                            + " ValidatingWebhookConfiguration"),
            Map.entry(
                    "admissionregistration.k8s.io/v1alpha1",
                    "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding"),
            Map.entry("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"),
            Map.entry("apiregistration.k8s.io/v1beta1", "APIService"),
            Map.entry("authentication.k8s.io/v1alpha1", "SelfSubjectReview"),
            Map.entry("authentication.k8s.io/v1beta1", "SelfSubjectReview TokenReview"),
            Map.entry(
                    "authorization.k8s.io/v1beta1",
                    "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview"),
            Map.entry("batch/v1beta1", "CronJob"),
            Map.entry("certificates.k8s.io/v1beta1", "CertificateSigningRequest"),
            Map.entry("coordination.k8s.io/v1beta1", "Lease"),
            Map.entry("discovery.k8s.io/v1beta1", "EndpointSlice"),
            Map.entry("events.k8s.io/v1beta1", "Event"),
            Map.entry("flowcontrol.apiserver.k8s.io/v1beta1", "FlowSchema PriorityLevelConfiguration"),
            Map.entry("flowcontrol.apiserver.k8s.io/v1beta2", "FlowSchema PriorityLevelConfiguration"),
            Map.entry("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema PriorityLevelConfiguration"),
            Map.entry("networking.k8s.io/v1beta1", "Ingress IngressClass"),
            Map.entry("node.k8s.io/v1alpha1", "RuntimeClass"),
            Map.entry("node.k8s.io/v1beta1", "RuntimeClass"),
            Map.entry("policy/v1beta1", "Eviction PodDisruptionBudget"),
            Map.entry("rbac.authorization.k8s.io/v1alpha1", "ClusterRole ClusterRoleBinding Role RoleBinding"),
            Map.entry("rbac.authorization.k8s.io/v1beta1", "ClusterRole ClusterRoleBinding Role RoleBinding"),
            Map.entry("scheduling.k8s.io/v1beta1", "PriorityClass"),
            Map.entry("storage.k8s.io/v1alpha1", "CSIStorageCapacity VolumeAttachment VolumeAttributesClass"),
            Map.entry("storage.k8s.io/v1beta1", "CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment"));

    private RegisteredKinds() {}

    /** Returns whether a kind, or a list of it, is known in an API version. */
    public static boolean contains(String apiVersion, String kind) {
        String group = apiVersion.contains("/") ? "" : "/";
        if (FactTable.INSTANCE.definitionsByKind().containsKey(group + apiVersion + "/" + kind)) {
            return true;
        }
        String single = kind.endsWith("List") ? kind.substring(0, kind.length() - "List".length()) : kind;
        return kind.equals("List")
                || Arrays.asList(EARLIER.getOrDefault(apiVersion, "").split(" ", -1))
                        .contains(single);
    }

    /** Returns whether objects of a known API version are converted to those of a group, given equal kinds. */
    public static boolean isVersionOf(String apiVersion, String kind, String group) {
        String other = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        return other.equals(group)
                || apiVersion.equals(EXTENSIONS)
                || (kind.equals("Event") && (other.isEmpty() || other.equals("events.k8s.io")));
    }
}
