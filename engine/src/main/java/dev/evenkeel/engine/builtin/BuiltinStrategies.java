package dev.evenkeel.engine.builtin;

import dev.evenkeel.engine.type.ResourceType;
import dev.evenkeel.engine.type.Strategy;
import java.util.HashMap;
import java.util.Map;

/** What is particular to each built-in kind: the one table of it. Kinds that are not listed have defaults by type only. */
public final class BuiltinStrategies {
    private static final Map<String, Strategy> TABLE = Map.ofEntries(
            Map.entry("namespaces", new NamespaceStrategy()),
            Map.entry(
                    "configmaps",
                    Particular.rules(ConfigValidation::configMap).changed(ConfigValidation::configMapUpdate)),
            Map.entry("secrets", new SecretStrategy()),
            Map.entry("services", new ServiceStrategy()),
            Map.entry("endpoints", Particular.of(Defaults::endpoints)),
            Map.entry("pods", new PodStrategy()),
            Map.entry("podtemplates", Particular.of(Defaults::podTemplate)),
            Map.entry("nodes", new NodeStrategy()),
            Map.entry("limitranges", Particular.of(Defaults::limitRange)),
            Map.entry("persistentvolumes", new StorageStrategies.Volume()),
            Map.entry("persistentvolumeclaims", new StorageStrategies.Claim()),
            Map.entry(
                    "replicationcontrollers",
                    Particular.of(WorkloadDefaults::replicationController)
                            .validated(WorkloadValidation::replicationController)),
            Map.entry(
                    "deployments.apps",
                    Particular.of(WorkloadDefaults::deployment)
                            .validated(WorkloadValidation::deployment)
                            .changed(WorkloadValidation::selectorUpdate)),
            Map.entry(
                    "replicasets.apps",
                    Particular.of(WorkloadDefaults::replicaSet)
                            .validated(WorkloadValidation::selected)
                            .changed(WorkloadValidation::selectorUpdate)),
            Map.entry(
                    "statefulsets.apps",
                    Particular.of(WorkloadDefaults::statefulSet)
                            .validated(WorkloadValidation::selected)
                            .changed(WorkloadValidation::statefulSetUpdate)),
            Map.entry("daemonsets.apps", new DaemonSetStrategy()),
            Map.entry("jobs.batch", new JobStrategy()),
            Map.entry(
                    "cronjobs.batch", Particular.of(WorkloadDefaults::cronJob).validated(WorkloadValidation::cronJob)),
            Map.entry(
                    "horizontalpodautoscalers.autoscaling",
                    Particular.of(Defaults::autoscaler).validated(OtherValidation::autoscaler)),
            Map.entry("ingressclasses.networking.k8s.io", Particular.of(Defaults::ingressClass)),
            Map.entry(
                    "networkpolicies.networking.k8s.io",
                    Particular.of(Defaults::networkPolicy).validated(OtherValidation::networkPolicy)),
            Map.entry("ingresses.networking.k8s.io", Particular.rules(OtherValidation::ingress)),
            Map.entry("poddisruptionbudgets.policy", Particular.rules(OtherValidation::disruptionBudget)),
            Map.entry("events", Particular.rules(OtherValidation::event)),
            Map.entry("endpointslices.discovery.k8s.io", Particular.of(Defaults::endpointSlice)),
            Map.entry("roles.rbac.authorization.k8s.io", Particular.rules(RbacValidation::role)),
            Map.entry("clusterroles.rbac.authorization.k8s.io", Particular.rules(RbacValidation::clusterRole)),
            Map.entry(
                    "rolebindings.rbac.authorization.k8s.io",
                    Particular.of(Defaults::binding)
                            .validated(RbacValidation::roleBinding)
                            .changed(RbacValidation::bindingUpdate)),
            Map.entry(
                    "clusterrolebindings.rbac.authorization.k8s.io",
                    Particular.of(Defaults::binding)
                            .validated(RbacValidation::clusterRoleBinding)
                            .changed(RbacValidation::bindingUpdate)),
            Map.entry(
                    "storageclasses.storage.k8s.io",
                    Particular.of(Defaults::storageClass)
                            .validated(StorageValidation::storageClass)
                            .changed(StorageValidation::storageClassUpdate)),
            Map.entry("csidrivers.storage.k8s.io", Particular.of(Defaults::csiDriver)),
            Map.entry("volumeattributesclasses.storage.k8s.io", new StorageStrategies.AttributesClass()),
            Map.entry(
                    "mutatingwebhookconfigurations.admissionregistration.k8s.io",
                    Particular.of(Defaults::mutatingWebhooks).validated(OtherValidation::webhooks)),
            Map.entry(
                    "validatingwebhookconfigurations.admissionregistration.k8s.io",
                    Particular.of(Defaults::validatingWebhooks).validated(OtherValidation::webhooks)),
            Map.entry(
                    "validatingadmissionpolicies.admissionregistration.k8s.io",
                    Particular.of(Defaults::admissionPolicy)),
            Map.entry(
                    "mutatingadmissionpolicies.admissionregistration.k8s.io", Particular.of(Defaults::admissionPolicy)),
            Map.entry(
                    "validatingadmissionpolicybindings.admissionregistration.k8s.io",
                    Particular.of(Defaults::admissionPolicyBinding)),
            Map.entry(
                    "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
                    Particular.of(Defaults::admissionPolicyBinding)),
            Map.entry("customresourcedefinitions.apiextensions.k8s.io", new DefinitionStrategy()),
            Map.entry("apiservices.apiregistration.k8s.io", Particular.of(Defaults::apiService)),
            Map.entry("certificatesigningrequests.certificates.k8s.io", new SigningRequestStrategy()),
            Map.entry(
                    "priorityclasses.scheduling.k8s.io",
                    Particular.of(Defaults::priorityClass).changed(OtherValidation::priorityClassUpdate)),
            Map.entry("leases.coordination.k8s.io", Particular.rules(CoordinationValidation::lease)),
            Map.entry(
                    "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io", Particular.of(Defaults::priorityLevel)),
            Map.entry("flowschemas.flowcontrol.apiserver.k8s.io", Particular.of(Defaults::flowSchema)),
            Map.entry("resourceclaims.resource.k8s.io", Particular.of(Defaults::resourceClaim)),
            Map.entry("resourceclaimtemplates.resource.k8s.io", Particular.of(Defaults::resourceClaimTemplate)));

    private static final Map<String, Strategy> BY_RESOURCE = new HashMap<>();

    static {
        for (BuiltinResource resource : ResourceTable.INSTANCE.resources()) {
            boolean v1 = resource.id().equals("horizontalpodautoscalers.autoscaling")
                    && resource.version().equals("v1");
            Strategy particular =
                    v1 ? Particular.of(Defaults::autoscalerV1) : TABLE.getOrDefault(resource.id(), Strategy.NONE);
            BY_RESOURCE.put(resource.version() + "/" + resource.id(), new BuiltinStrategy(resource, particular));
        }
    }

    private BuiltinStrategies() {}

    /** The strategy for objects of a type in the form of a version; of what is not built in, {@link Strategy#NONE}. */
    public static Strategy of(ResourceType type, ResourceType.Version version) {
        return of(type.id(), version.name());
    }

    /** The strategy for objects of a resource, such as {@code deployments.apps}, in the form of a version. */
    public static Strategy of(String id, String version) {
        return BY_RESOURCE.getOrDefault(version + "/" + id, Strategy.NONE);
    }
}
