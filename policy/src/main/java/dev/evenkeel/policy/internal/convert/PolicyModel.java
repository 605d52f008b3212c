package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.policy.ClusterNetworkPolicy;
import dev.evenkeel.policy.ClusterNetworkSet;
import dev.evenkeel.policy.ClusterTieredPolicy;
import dev.evenkeel.policy.HostEndpoint;
import dev.evenkeel.policy.NetworkSet;
import dev.evenkeel.policy.Tier;
import dev.evenkeel.policy.TieredPolicy;
import dev.evenkeel.policy.internal.model.Endpoint;
import dev.evenkeel.policy.internal.model.Networks;
import dev.evenkeel.policy.internal.model.Policy;
import dev.evenkeel.policy.internal.model.Profile;
import dev.evenkeel.policy.internal.model.Slice;
import dev.evenkeel.policy.internal.model.TierOrder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Everything that verdicts depend on, at one time.
 *
 * @param tiers all tiers, in their order: those that exist, and after them those that only policies name
 * @param policies all policies, in the order of a tier
 * @param profiles profiles by their names
 * @param endpoints all endpoints, by name
 * @param networks network sets
 * @param nodes nodes by their names
 * @param slices parts of Services
 */
public record PolicyModel(
        List<TierOrder> tiers,
        List<Policy> policies,
        Map<String, Profile> profiles,
        List<Endpoint> endpoints,
        List<Networks> networks,
        Map<String, Networks> nodes,
        List<Slice> slices) {
    private static final List<Class<? extends HasMetadata>> TYPES = List.of(
            Namespace.class,
            ServiceAccount.class,
            Pod.class,
            Node.class,
            NetworkPolicy.class,
            ClusterNetworkPolicy.class,
            Tier.class,
            TieredPolicy.class,
            ClusterTieredPolicy.class,
            NetworkSet.class,
            ClusterNetworkSet.class,
            HostEndpoint.class,
            EndpointSlice.class);
    private static final Map<String, Class<? extends HasMetadata>> KINDS = kinds(TYPES);

    /** Copies the collections. */
    public PolicyModel {
        tiers = List.copyOf(tiers);
        policies = List.copyOf(policies);
        profiles = Map.copyOf(profiles);
        endpoints = List.copyOf(endpoints);
        networks = List.copyOf(networks);
        nodes = Map.copyOf(nodes);
        slices = List.copyOf(slices);
    }

    private static Map<String, Class<? extends HasMetadata>> kinds(List<Class<? extends HasMetadata>> types) {
        Map<String, Class<? extends HasMetadata>> kinds = new HashMap<>();
        for (Class<? extends HasMetadata> type : types) {
            kinds.put(type(HasMetadata.getApiVersion(type), HasMetadata.getKind(type)), type);
        }
        return kinds;
    }

    /** Returns the kinds that matter. */
    public static List<Class<? extends HasMetadata>> kinds() {
        return TYPES;
    }

    private static String type(String apiVersion, String kind) {
        return apiVersion + " " + kind;
    }

    /**
     * Converts objects; those of other kinds do not matter. Reports what could not be converted as written.
     *
     * @throws IllegalArgumentException if an object does not fit the class of its kind
     */
    public static PolicyModel of(Collection<? extends HasMetadata> objects, Consumer<String> problems) {
        Builder builder = new Builder(problems);
        objects.forEach(object -> builder.add(typed(object)));
        return builder.build();
    }

    /**
     * Returns an object in the class of its kind, and a generic one of another kind as it is.
     *
     * @throws IllegalArgumentException if the object does not fit the class
     */
    public static HasMetadata typed(HasMetadata object) {
        if (object instanceof GenericKubernetesResource) {
            Class<? extends HasMetadata> type = KINDS.get(type(object.getApiVersion(), object.getKind()));
            return type == null ? object : ModelCodec.convert(object, type);
        }
        return object;
    }

    /** Returns the labels of an endpoint, as selectors see them. */
    public Map<String, String> labels(Endpoint endpoint) {
        return inherited(endpoint.labels(), endpoint.profiles());
    }

    /** Returns the labels of blocks of addresses, as selectors see them. */
    public Map<String, String> labels(Networks blocks) {
        return inherited(blocks.labels(), blocks.profiles());
    }

    private Map<String, String> inherited(Map<String, String> own, List<String> parents) {
        Map<String, String> labels = new HashMap<>(own);
        for (String parent : parents) {
            Optional.ofNullable(profiles.get(parent))
                    .ifPresent(profile -> profile.labels().forEach(labels::putIfAbsent));
        }
        return labels;
    }

    private static final class Builder {
        private final Consumer<String> problems;
        private final List<TierOrder> tiers = new ArrayList<>(TierOrder.BUILT_IN);
        private final List<Policy> policies = new ArrayList<>();
        private final Map<String, Profile> profiles = new HashMap<>();
        private final List<Endpoint> endpoints = new ArrayList<>();
        private final List<Networks> networks = new ArrayList<>();
        private final Map<String, Networks> nodes = new HashMap<>();
        private final List<Slice> slices = new ArrayList<>();

        Builder(Consumer<String> problems) {
            this.problems = problems;
        }

        void add(HasMetadata object) {
            switch (object) {
                case Namespace namespace -> add(ProfileConversion.convert(namespace));
                case ServiceAccount account -> add(ProfileConversion.convert(account));
                case Pod pod -> EndpointConversion.convert(pod, problems).ifPresent(endpoints::add);
                case Node node -> nodes.put(ObjectKey.of(node).name(), NetworksConversion.convert(node, problems));
                case NetworkPolicy policy -> policies.add(NetworkPolicyConversion.convert(policy, problems));
                case ClusterNetworkPolicy policy ->
                    policies.add(ClusterNetworkPolicyConversion.convert(policy, problems));
                case Tier tier -> TierConversion.convert(tier, problems).ifPresent(tiers::add);
                case TieredPolicy policy -> policies.add(TieredPolicyConversion.convert(policy, problems));
                case ClusterTieredPolicy policy -> policies.add(TieredPolicyConversion.convert(policy, problems));
                case NetworkSet set -> networks.add(NetworksConversion.convert(set, problems));
                case ClusterNetworkSet set -> networks.add(NetworksConversion.convert(set, problems));
                case HostEndpoint endpoint -> endpoints.add(EndpointConversion.convert(endpoint, problems));
                case EndpointSlice slice ->
                    SliceConversion.convert(slice, problems).ifPresent(slices::add);
                default -> {
                    // other kinds do not matter
                }
            }
        }

        private void add(Profile profile) {
            profiles.put(profile.name(), profile);
        }

        PolicyModel build() {
            tiers.sort(TierOrder.ORDER);
            policies.stream()
                    .map(Policy::tier)
                    .filter(name -> tiers.stream().noneMatch(tier -> tier.name().equals(name)))
                    .distinct()
                    .sorted()
                    .forEach(name -> {
                        problems.accept(TierConversion.missing(name));
                        tiers.add(TierOrder.missing(name));
                    });
            policies.sort(Policy.ORDER);
            endpoints.sort(Comparator.comparing(Endpoint::name));
            return new PolicyModel(tiers, policies, profiles, endpoints, networks, nodes, slices);
        }
    }
}
