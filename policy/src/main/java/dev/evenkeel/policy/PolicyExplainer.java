package dev.evenkeel.policy;

import dev.evenkeel.policy.internal.convert.PolicyModel;
import dev.evenkeel.policy.internal.explain.Evaluator;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Endpoint;
import dev.evenkeel.policy.internal.model.Icmp;
import dev.evenkeel.policy.internal.model.Protocol;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Explains which rule of which policy decides on a connection, from the objects of a cluster alone.
 *
 * <pre>{@code
 * Explanation why = PolicyExplainer.of(objects).explain("shop/front", "shop/db", "TCP", 5432);
 * }</pre>
 *
 * <p>NetworkPolicies, ClusterNetworkPolicies and the policies of this package are considered, with tiers, network sets and
 * host endpoints. Each explanation takes time proportional to the number of objects. Not thread-safe.
 */
public final class PolicyExplainer {
    /** A port that clients open connections from, unless they choose one. */
    private static final int EPHEMERAL = 49_152;

    private static final int ECHO_REQUEST = 8;
    private static final int ECHO_REQUEST_V6 = 128;

    private final PolicyModel model;
    private final Evaluator evaluator;
    private final List<String> problems;

    private PolicyExplainer(PolicyModel model, List<String> problems) {
        this.model = model;
        this.problems = List.copyOf(problems);
        evaluator = new Evaluator(model);
    }

    /**
     * Returns an explainer of these objects: namespaces, service accounts, pods, nodes, and policies, in their classes or
     * generic ones. Objects of other kinds do not matter.
     *
     * @throws IllegalArgumentException if a generic object does not fit the class of its kind
     */
    public static PolicyExplainer of(Collection<? extends HasMetadata> objects) {
        List<String> problems = new ArrayList<>();
        return new PolicyExplainer(PolicyModel.of(objects, problems::add), problems);
    }

    /**
     * Returns the fields that are invalid or not supported, each with the consequence. Such a field never makes a policy
     * allow more.
     */
    public List<String> problems() {
        return problems;
    }

    /**
     * Explains the verdict on a connection. Between pods with addresses of both families it is an IPv4 connection. One of
     * ICMP or ICMPv6 is an echo request.
     *
     * @param from the source: a pod as {@code namespace/name}, the name of a host endpoint, or an address
     * @param to the destination, likewise
     * @param protocol {@code TCP}, {@code UDP}, {@code SCTP}, {@code ICMP}, {@code ICMPv6} or a number
     * @param port the port at the destination; 0 for protocols without ports
     * @throws IllegalArgumentException if an end is unknown, the ends have no addresses of the same family, or the protocol
     *     or the port is invalid
     */
    public Explanation explain(String from, String to, String protocol, int port) {
        Protocol known = Protocol.find(protocol)
                .orElseThrow(() -> new IllegalArgumentException("protocol: \"" + protocol
                        + "\" must be TCP, UDP, SCTP, ICMP, ICMPv6 or a number from 0 to 255"));
        if (known.hasPorts() ? port < 1 || port > 65_535 : port != 0) {
            throw new IllegalArgumentException("port: must be "
                    + (known.hasPorts() ? "from 1 to 65535" : "0, as " + known + " has no ports") + ": " + port);
        }
        Optional<Icmp> icmp = known.isIcmp()
                ? Optional.of(Icmp.of(known.equals(Protocol.ICMP) ? ECHO_REQUEST : ECHO_REQUEST_V6, 0))
                : Optional.empty();
        return explain(
                from,
                to,
                (source, destination) -> new Evaluator.Connection(
                        source, known.hasPorts() ? EPHEMERAL : 0, destination, port, known, icmp));
    }

    /**
     * Explains the verdict on a message of ICMP, between IPv6 addresses of ICMPv6.
     *
     * @param from the source: a pod as {@code namespace/name}, the name of a host endpoint, or an address
     * @param to the destination, likewise
     * @param type the type of the message
     * @param code its code
     * @throws IllegalArgumentException if an end is unknown, the ends have no addresses of the same family, or the type or
     *     the code is invalid
     */
    public Explanation explainIcmp(String from, String to, int type, int code) {
        if (type < 0 || type > 255 || code < 0 || code > 255) {
            throw new IllegalArgumentException("type and code: must be from 0 to 255: " + type + " and " + code);
        }
        return explain(
                from,
                to,
                (source, destination) -> new Evaluator.Connection(
                        source,
                        0,
                        destination,
                        0,
                        source.isIpv4() ? Protocol.ICMP : Protocol.ICMPV6,
                        Optional.of(Icmp.of(type, code))));
    }

    private Explanation explain(String from, String to, BiFunction<Cidr, Cidr, Evaluator.Connection> connection) {
        List<Cidr> sources = addresses("from", from);
        List<Cidr> destinations = addresses("to", to);
        for (Cidr source : sources) {
            for (Cidr destination : destinations) {
                if (source.isIpv4() == destination.isIpv4()) {
                    return explain(connection.apply(source, destination));
                }
            }
        }
        throw new IllegalArgumentException(
                "from and to: must have addresses of the same family: " + sources + " and " + destinations);
    }

    private Explanation explain(Evaluator.Connection connection) {
        List<Explanation.Decision> decisions = evaluator.decide(connection).stream()
                .map(decision -> new Explanation.Decision(
                        decision.endpoint().name(),
                        decision.direction().name().toLowerCase(Locale.ROOT),
                        decision.allowed(),
                        decision.reason(),
                        decision.path()))
                .toList();
        return new Explanation(decisions.stream().allMatch(Explanation.Decision::allowed), decisions);
    }

    private List<Cidr> addresses(String field, String end) {
        for (Endpoint endpoint : model.endpoints()) {
            if (endpoint.name().equals(end)) {
                return endpoint.addresses().stream().sorted().toList();
            }
        }
        try {
            return List.of(Cidr.address(end));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    field + ": \"" + end
                            + "\" must be an address, the name of a host endpoint, or a pod as namespace/name"
                            + " that is scheduled, not finished, and not in the network of its host",
                    e);
        }
    }
}
