package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.policy.HostEndpoint;
import dev.evenkeel.policy.HostEndpointSpec;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Endpoint;
import dev.evenkeel.policy.internal.model.Endpoint.NamedPort;
import dev.evenkeel.policy.internal.model.Protocol;
import dev.evenkeel.policy.internal.sharing.Shared;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pods and HostEndpoints as endpoints.
 *
 * <p>A pod is an endpoint while it has addresses of its own: it is scheduled, does not use the network of its host, and is
 * not finished. A terminating pod stays one until then.
 */
public final class EndpointConversion {
    private static final List<String> ADDRESS_ANNOTATIONS =
            List.of("cni.projectcalico.org/podIPs", "cni.projectcalico.org/podIP", "vpc.amazonaws.com/pod-ips");
    private static final List<String> FINISHED = List.of("Failed", "Succeeded", "Completed");

    /** The longest name of an interface in Linux is 15 characters: this prefix and 11 digits. */
    private static final String INTERFACE_PREFIX = "cali";

    private static final int INTERFACE_DIGITS = 11;

    private EndpointConversion() {}

    /** Converts a pod; empty if it has no addresses of its own. Reports what could not be converted as written. */
    public static Optional<Endpoint> convert(Pod pod, Consumer<String> problems) {
        ObjectKey key = ObjectKey.of(pod);
        PodSpec spec = pod.getSpec();
        if (spec == null
                || Boolean.TRUE.equals(spec.getHostNetwork())
                || spec.getNodeName() == null
                || spec.getNodeName().isEmpty()) {
            return Optional.empty();
        }
        List<Cidr> addresses = addresses(pod, new Problems("Pod " + key.namespace() + "/" + key.name(), problems));
        if (addresses.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> labels = LabelNames.users(pod.getMetadata().getLabels());
        labels.put(LabelNames.NAMESPACE, key.namespace());
        labels.put(LabelNames.ORCHESTRATOR, LabelNames.KUBERNETES);
        List<String> profiles = new ArrayList<>();
        profiles.add(ProfileConversion.namespace(key.namespace()));
        String account = spec.getServiceAccountName();
        if (account != null && !account.isEmpty()) {
            labels.put(LabelNames.SERVICE_ACCOUNT, account);
            profiles.add(ProfileConversion.serviceAccount(key.namespace(), account));
        }
        return Optional.of(new Endpoint(
                Shared.of(key.namespace() + "/" + key.name()),
                true,
                Shared.of(spec.getNodeName()),
                "",
                addresses,
                labels,
                profiles,
                ports(spec)));
    }

    /** Converts a host endpoint. Reports what could not be converted as written. */
    public static Endpoint convert(HostEndpoint endpoint, Consumer<String> problems) {
        String name = ObjectKey.of(endpoint).name();
        Problems of = new Problems("HostEndpoint " + name, problems);
        HostEndpointSpec spec =
                endpoint.getSpec() == null ? new HostEndpointSpec("", null, List.of(), List.of()) : endpoint.getSpec();
        List<NamedPort> ports = new ArrayList<>();
        for (HostEndpointSpec.EndpointPort port : spec.ports()) {
            Protocol.find(port.protocol())
                    .filter(Protocol::hasPorts)
                    .ifPresentOrElse(
                            protocol -> ports.add(new NamedPort(port.name(), protocol, port.port())),
                            () -> of.add(
                                    "spec.ports",
                                    "the protocol \"" + port.protocol() + "\" must be TCP, UDP or SCTP",
                                    "the port has no name"));
        }
        return new Endpoint(
                name,
                false,
                Objects.requireNonNullElse(spec.node(), ""),
                Objects.requireNonNullElse(spec.interfaceName(), ""),
                parsed("spec.expectedIPs", spec.expectedIPs(), of),
                LabelNames.users(endpoint.getMetadata().getLabels()),
                List.of(),
                ports);
    }

    private static List<Cidr> addresses(Pod pod, Problems problems) {
        Map<String, String> annotations =
                Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        boolean tornDown = pod.getMetadata().getDeletionTimestamp() != null
                && ADDRESS_ANNOTATIONS.stream()
                        .limit(2)
                        .anyMatch(name -> annotations.containsKey(name)
                                && annotations.get(name).isBlank());
        if (tornDown || FINISHED.contains(Objects.requireNonNullElse(status.getPhase(), ""))) {
            return List.of();
        }
        for (List<String> texts : sources(status, annotations)) {
            if (!texts.isEmpty()) {
                return parsed("addresses", texts, problems);
            }
        }
        return List.of();
    }

    /** Returns the addresses of a pod in each place that may have them. */
    private static List<List<String>> sources(PodStatus status, Map<String, String> annotations) {
        List<List<String>> sources = new ArrayList<>();
        List<String> all = new ArrayList<>();
        for (PodIP address : Objects.requireNonNullElse(status.getPodIPs(), List.<PodIP>of())) {
            all.add(address.getIp());
        }
        sources.add(present(all));
        sources.add(present(Collections.singletonList(status.getPodIP())));
        for (String name : ADDRESS_ANNOTATIONS) {
            String text = annotations.get(name);
            if (text != null) {
                sources.add(present(List.of(text.split(","))));
            }
        }
        return sources;
    }

    private static List<String> present(List<@Nullable String> texts) {
        List<String> present = new ArrayList<>();
        for (String text : texts) {
            if (text != null && !text.isBlank()) {
                present.add(text.strip());
            }
        }
        return present;
    }

    private static List<Cidr> parsed(String field, List<String> texts, Problems problems) {
        List<Cidr> addresses = new ArrayList<>();
        for (String text : texts) {
            try {
                int slash = text.indexOf('/');
                addresses.add(Cidr.address(slash < 0 ? text : text.substring(0, slash)));
            } catch (IllegalArgumentException e) {
                problems.add(field, String.valueOf(e.getMessage()), "the endpoint does not have it");
            }
        }
        return addresses.size() < 2 ? addresses : addresses.stream().distinct().toList();
    }

    private static List<NamedPort> ports(PodSpec spec) {
        List<NamedPort> ports = new ArrayList<>();
        addPorts(spec.getContainers(), ports);
        addPorts(spec.getInitContainers(), ports);
        return ports;
    }

    private static void addPorts(@Nullable List<Container> containers, List<NamedPort> to) {
        for (Container container : Objects.requireNonNullElse(containers, List.<Container>of())) {
            for (ContainerPort port : Objects.requireNonNullElse(container.getPorts(), List.<ContainerPort>of())) {
                port(port).ifPresent(to::add);
            }
        }
    }

    private static Optional<NamedPort> port(@Nullable ContainerPort port) {
        if (port == null || port.getName() == null || port.getName().isEmpty()) {
            return Optional.empty();
        }
        Integer number = port.getContainerPort();
        return number == null || number == 0
                ? Optional.empty()
                : Protocol.find(Objects.requireNonNullElse(port.getProtocol(), "TCP"))
                        .filter(Protocol::hasPorts)
                        .map(protocol -> new NamedPort(port.getName(), protocol, number));
    }

    /** Returns the name of the interface of a pod on its node, where it is {@code cali} and digits. */
    public static String interfaceName(String namespace, String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1")
                    .digest((namespace + "." + name).getBytes(StandardCharsets.UTF_8));
            return INTERFACE_PREFIX + HexFormat.of().formatHex(digest).substring(0, INTERFACE_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-1 is missing in this Java runtime", e);
        }
    }
}
