package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy.Addresses;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives a service its cluster address and node ports: those that it asks for, which no other service may have, or any. As
 * upstream, this comes before its validation.
 */
final class ServiceAllocation {
    private static final String IN_USE = "provided port is already allocated";
    private static final String FULL = "range is full";

    private final JsonObject tree;
    private final JsonObject spec;
    private final JsonObject before;
    private final Addresses addresses;

    private ServiceAllocation(JsonObject tree, JsonObject before, Addresses addresses) {
        this.tree = tree;
        this.spec = tree.withObject("spec");
        this.before = before;
        this.addresses = addresses;
    }

    /**
     * Completes a service.
     *
     * @param before its spec before the write; empty for a new one
     * @throws ApiException when it asks for something that is in use
     */
    static void allocate(JsonObject tree, JsonObject before, Addresses addresses) {
        new ServiceAllocation(tree, before, addresses).run();
    }

    private void run() {
        String address = spec.string("clusterIP");
        if (ServiceStrategy.isExternal(spec)) {
            if (!address.isEmpty()) {
                spec.putIfAbsent("clusterIPs", Trees.items(address));
            }
            return;
        }
        if (address.isEmpty() && !spec.array("clusterIPs").isEmpty()) {
            return;
        }
        if (address.contains(":")) {
            spec.putIfAbsent("clusterIPs", Trees.items(address));
            return;
        }
        boolean headless = address.equals("None");
        if (!headless && address.isEmpty() && spec.array("ipFamilies").contains("IPv6")) {
            return;
        }
        if (address.isEmpty()) {
            address = addresses.address();
        } else if (!headless) {
            take(address);
        }
        spec.put("clusterIP", address);
        spec.putIfAbsent("clusterIPs", Trees.items(address));
        boolean any = headless && spec.object("selector").isEmpty();
        spec.putIfAbsent("ipFamilyPolicy", any ? "RequireDualStack" : "SingleStack");
        if (ServiceRules.isWellFormed(Field.of(tree, new ArrayList<>()).at("spec"))) {
            releaseFamily();
        }
        spec.putIfAbsent("ipFamilies", Trees.items("IPv4"));
        List<@Nullable Object> families = spec.array("ipFamilies");
        if (any && families.size() == 1 && !spec.string("ipFamilyPolicy").equals("SingleStack")) {
            Object other = Objects.equals(families.getFirst(), "IPv4") ? "IPv6" : "IPv4";
            spec.put("ipFamilies", new ArrayList<>(Arrays.asList(families.getFirst(), other)));
        }
        if (!ServiceRules.families(Field.of(tree, new ArrayList<>()).at("spec"))) {
            return;
        }
        if (List.of("NodePort", "LoadBalancer").contains(spec.string("type"))) {
            if (before.isEmpty()) {
                newPorts();
            } else {
                changedPorts();
            }
        }
        if (ServiceStrategy.needsHealthCheck(spec)) {
            healthPort();
        }
    }

    /** Gives up the second family if the policy is for one; otherwise it may not be left out. */
    private void releaseFamily() {
        List<@Nullable Object> families = spec.array("ipFamilies");
        List<@Nullable Object> had = before.array("ipFamilies");
        String policy = spec.string("ipFamilyPolicy");
        if (had.size() > 1 && policy.equals("SingleStack") && families.equals(had)) {
            spec.put("ipFamilies", Trees.items(families.getFirst()));
        } else if (!families.isEmpty() && families.size() < had.size() && !policy.equals("SingleStack")) {
            throw invalid("spec.ipFamilyPolicy", policy, "must be 'SingleStack' to release the secondary IP family");
        }
    }

    /** Takes the address that a service asks for as its first one. Others are refused by its validation. */
    private void take(String address) {
        boolean first = before.isEmpty() || ServiceStrategy.isExternal(before);
        List<String> all = spec.strings("clusterIPs");
        boolean single = (all.isEmpty() || all.equals(List.of(address)))
                && !spec.array("ipFamilies").contains("IPv6");
        if (!first || !single || !IpLiterals.isV4(address)) {
            return;
        }
        boolean dryRun = addresses.isDryRun();
        if (!ServiceAddresses.isInRange(address)) {
            throw unavailable(
                    address,
                    dryRun
                            ? "the provided IP (" + address + ") is not in the valid range. The range of valid IPs is "
                                    + ServiceAddresses.RANGE
                            : "the provided network does not match the current range");
        }
        if (!dryRun && !addresses.take(address)) {
            throw unavailable(address, "provided IP is already allocated");
        }
    }

    private ApiException unavailable(String address, String why) {
        return invalid("spec.clusterIPs", Trees.items(address), "failed to allocate IP " + address + ": " + why);
    }

    private ApiException invalid(String field, Object value, String detail) {
        String name = tree.string("metadata", "name");
        return Refusal.invalid("", "Service", name, List.of(FieldError.invalid(field, value, detail)));
    }

    /** Allocates the node ports of a new service: ports with the same number, of other protocols, share theirs. */
    private void newPorts() {
        List<JsonObject> ports = spec.objects("ports");
        Map<Long, Long> chosen = new HashMap<>();
        for (int i = 0; i < ports.size(); i++) {
            JsonObject port = ports.get(i);
            long wanted = port.integer("nodePort");
            if (wanted == 0 && !ServiceStrategy.needsNodePorts(spec)) {
                continue;
            }
            long number = port.integer("port");
            Long known = chosen.get(number);
            if (known == null) {
                long asked = ports.stream()
                        .filter(other -> other.integer("port") == number)
                        .mapToLong(other -> other.integer("nodePort"))
                        .filter(nodePort -> nodePort != 0)
                        .findFirst()
                        .orElse(0);
                long nodePort = asked == 0 ? anyPort() : asked;
                if (asked != 0) {
                    take(i, asked);
                }
                port.put("nodePort", nodePort);
                chosen.put(number, nodePort);
            } else if (wanted == 0) {
                port.put("nodePort", known);
            } else if (wanted != known) {
                take(i, wanted);
            }
        }
    }

    /** Allocates the node ports that a service does not have yet. As upstream, a repeated one is not its validation's. */
    private void changedPorts() {
        List<JsonObject> ports = spec.objects("ports");
        Set<String> all = new HashSet<>();
        Set<Long> own = new HashSet<>();
        before.objects("ports").forEach(port -> own.add(port.integer("nodePort")));
        for (int i = 0; i < ports.size(); i++) {
            JsonObject port = ports.get(i);
            long wanted = port.integer("nodePort");
            if (wanted != 0) {
                if (own.add(wanted)) {
                    take(i, wanted);
                }
                String key = "{" + port.string("protocol") + " " + wanted + "}";
                if (!all.add(key)) {
                    throw Refusal.internal("duplicate nodePort: " + key);
                }
            } else if (ServiceStrategy.needsNodePorts(spec)) {
                port.put("nodePort", anyPort());
            }
        }
    }

    private void take(int index, long nodePort) {
        if (!mayOpen(nodePort)) {
            throw invalid("spec.ports[" + index + "].nodePort", nodePort, ServiceAddresses.NO_NODE_PORT);
        }
        if (!addresses.take((int) nodePort)) {
            throw invalid("spec.ports[" + index + "].nodePort", nodePort, IN_USE);
        }
    }

    private boolean mayOpen(long nodePort) {
        return addresses.isDryRun() || ServiceAddresses.isNodePort(nodePort);
    }

    private long anyPort() {
        return addresses.nodePort().orElseThrow(() -> Refusal.internalError("failed to allocate a nodePort: " + FULL));
    }

    private void healthPort() {
        long wanted = spec.integer(ServiceStrategy.HEALTH_PORT);
        if (wanted == 0) {
            long port = addresses
                    .nodePort()
                    .orElseThrow(() -> Refusal.internalError("failed to allocate a HealthCheck NodePort 0: " + FULL));
            spec.put(ServiceStrategy.HEALTH_PORT, port);
        } else if (!ServiceStrategy.needsHealthCheck(before)) {
            String failed = "failed to allocate requested HealthCheck NodePort " + wanted + ": ";
            if (!mayOpen(wanted)) {
                throw Refusal.internalError(failed + ServiceAddresses.NO_NODE_PORT);
            }
            if (!addresses.take((int) wanted)) {
                throw Refusal.internalError(failed + IN_USE);
            }
        }
    }
}
