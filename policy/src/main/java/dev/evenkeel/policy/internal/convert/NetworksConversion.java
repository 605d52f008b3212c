package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.policy.ClusterNetworkSet;
import dev.evenkeel.policy.NetworkSet;
import dev.evenkeel.policy.NetworkSetSpec;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Networks;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Network sets and nodes as blocks of addresses with labels. An invalid block is left out. */
public final class NetworksConversion {
    private NetworksConversion() {}

    /** Converts a set of a namespace; reports what could not be converted as written. */
    public static Networks convert(NetworkSet set, Consumer<String> problems) {
        ObjectKey key = ObjectKey.of(set);
        String name = "NetworkSet " + key.namespace() + "/" + key.name();
        Map<String, String> labels = LabelNames.users(set.getMetadata().getLabels());
        labels.put(LabelNames.NAMESPACE, key.namespace());
        return new Networks(
                name,
                labels,
                List.of(ProfileConversion.namespace(key.namespace())),
                nets(set.getSpec(), new Problems(name, problems)));
    }

    /** Converts a set of the cluster; reports what could not be converted as written. */
    public static Networks convert(ClusterNetworkSet set, Consumer<String> problems) {
        String name = "ClusterNetworkSet " + ObjectKey.of(set).name();
        return new Networks(
                name,
                LabelNames.users(set.getMetadata().getLabels()),
                List.of(),
                nets(set.getSpec(), new Problems(name, problems)));
    }

    /** Converts the internal and external addresses of a node; reports what could not be converted as written. */
    public static Networks convert(Node node, Consumer<String> problems) {
        String name = ObjectKey.of(node).name();
        Map<String, String> labels =
                LabelNames.prefixed(LabelNames.NODE_PREFIX, node.getMetadata().getLabels());
        labels.put(LabelNames.NODE, name);
        List<NodeAddress> addresses =
                node.getStatus() == null || node.getStatus().getAddresses() == null
                        ? List.of()
                        : node.getStatus().getAddresses();
        List<String> texts = addresses.stream()
                .filter(address ->
                        List.of("InternalIP", "ExternalIP").contains(Objects.requireNonNullElse(address.getType(), "")))
                .map(address -> Objects.requireNonNullElse(address.getAddress(), ""))
                .toList();
        return new Networks(
                name,
                labels,
                List.of(),
                parsed("status.addresses", texts, Cidr::address, new Problems("Node " + name, problems)));
    }

    /** Returns the blocks that addresses of a node's pods are taken from; reports what could not be converted as written. */
    public static List<Cidr> podBlocks(Node node, Consumer<String> problems) {
        NodeSpec spec = node.getSpec();
        if (spec == null) {
            return List.of();
        }
        List<String> texts = spec.getPodCIDRs() == null ? new ArrayList<>() : new ArrayList<>(spec.getPodCIDRs());
        if (texts.isEmpty() && spec.getPodCIDR() != null) {
            texts.add(spec.getPodCIDR());
        }
        String name = ObjectKey.of(node).name();
        return parsed("spec.podCIDRs", texts, Cidr::parse, new Problems("Node " + name, problems));
    }

    /** Returns the labels of a converted node as the node has them. */
    public static Map<String, String> nodeLabels(Networks node) {
        return node.labels().entrySet().stream()
                .filter(label -> label.getKey().startsWith(LabelNames.NODE_PREFIX))
                .collect(Collectors.toMap(
                        label -> label.getKey().substring(LabelNames.NODE_PREFIX.length()), Map.Entry::getValue));
    }

    private static List<Cidr> nets(@Nullable NetworkSetSpec spec, Problems problems) {
        return spec == null ? List.of() : parsed("spec.nets", spec.nets(), Cidr::parse, problems);
    }

    private static List<Cidr> parsed(
            String field, List<String> texts, Function<String, Cidr> parser, Problems problems) {
        List<Cidr> nets = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            try {
                nets.add(parser.apply(texts.get(i)));
            } catch (IllegalArgumentException e) {
                problems.add(field + "[" + i + "]", String.valueOf(e.getMessage()), "it is left out");
            }
        }
        return nets;
    }
}
