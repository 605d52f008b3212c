package dev.evenkeel.policy;

import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The objects of a cluster, made with few words. */
public final class World {
    private final List<HasMetadata> objects = new ArrayList<>();

    /** Returns all objects. */
    public List<HasMetadata> objects() {
        return List.copyOf(objects);
    }

    /** Returns the objects of a class. */
    public <T extends HasMetadata> List<T> all(Class<T> type) {
        return objects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Adds an object. */
    public <T extends HasMetadata> T add(T object) {
        objects.add(object);
        return object;
    }

    /** Adds a namespace. */
    public Namespace namespace(String name, Map<String, String> labels) {
        return add(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels(labels)
                .addToLabels("kubernetes.io/metadata.name", name)
                .endMetadata()
                .build());
    }

    /** Adds a node. */
    public Node node(String name, Map<String, String> labels, String... addresses) {
        return add(new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewStatus()
                .withAddresses(List.of(addresses).stream()
                        .map(address -> new NodeAddress(address, "InternalIP"))
                        .toList())
                .endStatus()
                .build());
    }

    /** Adds a running pod with a container. A port is {@code name=number/protocol}. */
    public Pod pod(
            String namespace,
            String name,
            String node,
            Map<String, String> labels,
            List<String> addresses,
            List<String> ports) {
        return add(new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .withServiceAccountName("default")
                .addNewContainer()
                .withName("main")
                .withPorts(ports.stream()
                        .map(port -> port.split("[=/]"))
                        .map(port -> new ContainerPortBuilder()
                                .withName(port[0])
                                .withContainerPort(Integer.valueOf(port[1]))
                                .withProtocol(port[2])
                                .build())
                        .toList())
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .withPodIP(addresses.isEmpty() ? null : addresses.getFirst())
                .withPodIPs(addresses.stream().map(PodIP::new).toList())
                .endStatus()
                .build());
    }
}
