package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.strategy.Review;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** The strategies of built-in kinds: one line for each kind that has rules of its own, in alphabetical order. */
public final class BuiltinStrategies {
    private static final Map<ResourceType.Version, KindStrategy> MADE = new ConcurrentHashMap<>();

    private BuiltinStrategies() {}

    public static ResourceStrategy of(ResourceType type, ResourceType.Version version) {
        KindStrategy made = MADE.get(version);
        if (made == null) {
            made = make(new KindFacts(type, version));
            MADE.put(version, made);
        }
        return made;
    }

    /** Creates a strategy; a switch rather than a map, so that only the classes in use are loaded. */
    private static KindStrategy make(KindFacts facts) {
        return switch (facts.type().kind()) {
            case "APIService" -> new ApiServiceStrategy(facts);
            case "CertificateSigningRequest" -> new CertificateSigningRequestStrategy(facts);
            case "ClusterRole", "Role" -> new RoleStrategy(facts);
            case "ClusterRoleBinding", "RoleBinding" -> new RoleBindingStrategy(facts);
            case "ComponentStatus" -> new CellStrategy(facts, Cells::componentStatus);
            case "ConfigMap" -> new ConfigMapStrategy(facts);
            case "ControllerRevision" -> new ControllerRevisionStrategy(facts);
            case "CronJob" -> new CronJobStrategy(facts);
            case "CSIDriver" -> new CsiDriverStrategy(facts);
            case "CSINode" -> new CsiNodeStrategy(facts);
            case "CSIStorageCapacity" -> new CsiStorageCapacityStrategy(facts);
            case "CustomResourceDefinition" -> new CustomResourceDefinitionStrategy(facts);
            case "DaemonSet" -> new DaemonSetStrategy(facts);
            case "Deployment" -> new DeploymentStrategy(facts);
            case "DeviceClass" -> new DeviceClassStrategy(facts);
            case "Endpoints" -> new EndpointsStrategy(facts);
            case "EndpointSlice" -> new EndpointSliceStrategy(facts);
            case "Event" -> new EventStrategy(facts);
            case "FlowSchema" -> new FlowSchemaStrategy(facts);
            case "HorizontalPodAutoscaler" -> new HorizontalPodAutoscalerStrategy(facts);
            case "IngressClass" -> new IngressClassStrategy(facts);
            case "Ingress" -> new IngressStrategy(facts);
            case "IPAddress" -> new IpAddressStrategy(facts);
            case "Job" -> new JobStrategy(facts);
            case "Lease" -> new LeaseStrategy(facts);
            case "LimitRange" -> new LimitRangeStrategy(facts);
            case "LocalSubjectAccessReview" -> new ReviewStrategy(facts, new AccessReview(true, true));
            case "MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicyBinding" ->
                new AdmissionPolicyBindingStrategy(facts);
            case "MutatingAdmissionPolicy", "ValidatingAdmissionPolicy" -> new AdmissionPolicyStrategy(facts);
            case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration" ->
                new WebhookConfigurationStrategy(facts);
            case "Namespace" -> new NamespaceStrategy(facts);
            case "NetworkPolicy" -> new NetworkPolicyStrategy(facts);
            case "Node" -> new NodeStrategy(facts);
            case "PersistentVolume" -> new PersistentVolumeStrategy(facts);
            case "PersistentVolumeClaim" -> new PersistentVolumeClaimStrategy(facts);
            case "Pod" -> new PodStrategy(facts);
            case "PodDisruptionBudget" -> new PodDisruptionBudgetStrategy(facts);
            case "PodTemplate" -> new PodTemplateStrategy(facts);
            case "PriorityLevelConfiguration" -> new PriorityLevelConfigurationStrategy(facts);
            case "PriorityClass" -> new PriorityClassStrategy(facts);
            case "ReplicaSet" -> new ReplicaSetStrategy(facts);
            case "ReplicationController" -> new ReplicationControllerStrategy(facts);
            case "ResourceClaim" -> new ResourceClaimStrategy(facts);
            case "ResourceClaimTemplate" -> new ResourceClaimTemplateStrategy(facts);
            case "ResourceQuota" -> new ResourceQuotaStrategy(facts);
            case "ResourceSlice" -> new ResourceSliceStrategy(facts);
            case "RuntimeClass" -> new RuntimeClassStrategy(facts);
            case "Secret" -> new SecretStrategy(facts);
            case "SelfSubjectAccessReview" -> new ReviewStrategy(facts, new AccessReview(false, false));
            case "SelfSubjectReview" -> new ReviewStrategy(facts, Reviews::self);
            case "SelfSubjectRulesReview" -> new ReviewStrategy(facts, Reviews::rules);
            case "Service" -> new ServiceStrategy(facts);
            case "ServiceAccount" -> new ServiceAccountStrategy(facts);
            case "ServiceCIDR" -> new ServiceCidrStrategy(facts);
            case "StatefulSet" -> new StatefulSetStrategy(facts);
            case "StorageClass" -> new StorageClassStrategy(facts);
            case "SubjectAccessReview" -> new ReviewStrategy(facts, new AccessReview(true, false));
            case "TokenReview" -> new ReviewStrategy(facts, Reviews::token);
            case "VolumeAttachment" -> new VolumeAttachmentStrategy(facts);
            case "VolumeAttributesClass" -> new VolumeAttributesClassStrategy(facts);
            default -> new PlainStrategy(facts);
        };
    }

    /** The strategy of kinds whose rules are all in the fact tables. */
    private record PlainStrategy(KindFacts facts) implements KindStrategy {}

    /** The strategy of kinds that need code for their columns only. */
    private record CellStrategy(KindFacts facts, BiFunction<String, JsonObject, Object> cells) implements KindStrategy {
        @Override
        public Object cell(String column, JsonObject tree, Instant now) {
            return cells.apply(column, tree);
        }
    }

    /** The strategy of kinds that are answered instead of stored. */
    private record ReviewStrategy(KindFacts facts, Optional<Review> review) implements KindStrategy {
        ReviewStrategy(KindFacts facts, Review review) {
            this(facts, Optional.of(review));
        }
    }
}
