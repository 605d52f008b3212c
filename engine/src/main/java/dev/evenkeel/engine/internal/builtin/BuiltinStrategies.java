package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.strategy.Strategy;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is particular to each built-in kind: the one table of it. Kinds that are not listed have defaults by type only;
 * custom resource definitions have a room of their own, with the schemas.
 */
public final class BuiltinStrategies {
    private static final Map<String, Strategy> KNOWN = new ConcurrentHashMap<>();

    private BuiltinStrategies() {}

    /** The strategy for objects of a type in the form of a version; of what is not built in, {@link Strategy#NONE}. */
    public static Strategy of(ResourceType type, ResourceType.Version version) {
        return of(type.id(), version.name());
    }

    /** The strategy for objects of a resource, such as {@code deployments.apps}, in the form of a version. */
    public static Strategy of(String id, String version) {
        String key = version + "/" + id;
        Strategy known = KNOWN.get(key);
        if (known == null) {
            known = Strategy.NONE;
            for (BuiltinResource resource : ResourceTable.INSTANCE.resources()) {
                if (resource.id().equals(id) && resource.version().equals(version)) {
                    known = new BuiltinStrategy(resource, particular(id, version));
                }
            }
            KNOWN.put(key, known);
        }
        return known;
    }

    /** A switch rather than a map, so that only the strategies in use are ever made. */
    private static Strategy particular(String id, String version) {
        return switch (id) {
            case "namespaces" -> new NamespaceStrategy();
            case "configmaps" ->
                Particular.rules(ConfigValidation::configMap).changed(ConfigValidation::configMapUpdate);
            case "secrets" -> new SecretStrategy();
            case "services" -> new ServiceStrategy();
            case "endpoints" -> Particular.of(Defaults::endpoints);
            case "pods" -> new PodStrategy();
            case "podtemplates" -> Particular.of(Defaults::podTemplate);
            case "nodes" -> new NodeStrategy();
            case "limitranges" -> Particular.of(Defaults::limitRange);
            case "persistentvolumes" -> new StorageStrategies.Volume();
            case "persistentvolumeclaims" -> new StorageStrategies.Claim();
            case "replicationcontrollers" ->
                Particular.of(WorkloadDefaults::replicationController)
                        .validated(WorkloadValidation::replicationController);
            case "deployments.apps" ->
                Particular.of(WorkloadDefaults::deployment)
                        .validated(WorkloadValidation::deployment)
                        .changed(WorkloadValidation::selectorUpdate);
            case "replicasets.apps" ->
                Particular.of(WorkloadDefaults::replicaSet)
                        .validated(WorkloadValidation::selected)
                        .changed(WorkloadValidation::selectorUpdate);
            case "statefulsets.apps" ->
                Particular.of(WorkloadDefaults::statefulSet)
                        .validated(WorkloadValidation::statefulSet)
                        .changed(WorkloadValidation::statefulSetUpdate);
            case "daemonsets.apps" -> new DaemonSetStrategy();
            case "jobs.batch" -> new JobStrategy();
            case "cronjobs.batch" -> Particular.of(WorkloadDefaults::cronJob).validated(WorkloadValidation::cronJob);
            case "horizontalpodautoscalers.autoscaling" ->
                version.equals("v1")
                        ? Particular.of(Defaults::autoscalerV1)
                        : Particular.of(Defaults::autoscaler).validated(OtherValidation::autoscaler);
            case "ingressclasses.networking.k8s.io" -> Particular.of(Defaults::ingressClass);
            case "networkpolicies.networking.k8s.io" ->
                Particular.of(Defaults::networkPolicy).validated(OtherValidation::networkPolicy);
            case "ingresses.networking.k8s.io" -> Particular.rules(OtherValidation::ingress);
            case "poddisruptionbudgets.policy" -> Particular.rules(OtherValidation::disruptionBudget);
            case "events" -> Particular.rules(OtherValidation::event);
            case "endpointslices.discovery.k8s.io" -> Particular.of(Defaults::endpointSlice);
            case "roles.rbac.authorization.k8s.io" -> Particular.rules(RbacValidation::role);
            case "clusterroles.rbac.authorization.k8s.io" -> Particular.rules(RbacValidation::clusterRole);
            case "rolebindings.rbac.authorization.k8s.io" ->
                Particular.of(Defaults::binding)
                        .validated(RbacValidation::roleBinding)
                        .changed(RbacValidation::bindingUpdate);
            case "clusterrolebindings.rbac.authorization.k8s.io" ->
                Particular.of(Defaults::binding)
                        .validated(RbacValidation::clusterRoleBinding)
                        .changed(RbacValidation::bindingUpdate);
            case "storageclasses.storage.k8s.io" ->
                Particular.of(Defaults::storageClass)
                        .validated(StorageValidation::storageClass)
                        .changed(StorageValidation::storageClassUpdate);
            case "csidrivers.storage.k8s.io" -> Particular.of(Defaults::csiDriver);
            case "volumeattributesclasses.storage.k8s.io" -> new StorageStrategies.AttributesClass();
            case "mutatingwebhookconfigurations.admissionregistration.k8s.io" ->
                Particular.of(Defaults::mutatingWebhooks).validated(WebhookValidation::webhooks);
            case "validatingwebhookconfigurations.admissionregistration.k8s.io" ->
                Particular.of(Defaults::validatingWebhooks).validated(WebhookValidation::webhooks);
            case "validatingadmissionpolicies.admissionregistration.k8s.io" -> Particular.of(Defaults::admissionPolicy);
            case "mutatingadmissionpolicies.admissionregistration.k8s.io" -> Particular.of(Defaults::admissionPolicy);
            case "validatingadmissionpolicybindings.admissionregistration.k8s.io" ->
                Particular.of(Defaults::admissionPolicyBinding);
            case "mutatingadmissionpolicybindings.admissionregistration.k8s.io" ->
                Particular.of(Defaults::admissionPolicyBinding);
            case "apiservices.apiregistration.k8s.io" -> Particular.of(Defaults::apiService);
            case "certificatesigningrequests.certificates.k8s.io" -> new SigningRequestStrategy();
            case "priorityclasses.scheduling.k8s.io" ->
                Particular.of(Defaults::priorityClass).changed(OtherValidation::priorityClassUpdate);
            case "leases.coordination.k8s.io" -> Particular.rules(CoordinationValidation::lease);
            case "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io" -> Particular.of(Defaults::priorityLevel);
            case "flowschemas.flowcontrol.apiserver.k8s.io" -> Particular.of(Defaults::flowSchema);
            case "resourceclaims.resource.k8s.io" -> Particular.of(Defaults::resourceClaim);
            case "resourceclaimtemplates.resource.k8s.io" -> Particular.of(Defaults::resourceClaimTemplate);
            default -> Strategy.NONE;
        };
    }
}
