package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Endpoint slices. */
record EndpointSliceStrategy(KindFacts facts) implements KindStrategy {
    private static final int MOST_ENDPOINTS = 1000;
    private static final int MOST_ADDRESSES = 100;
    private static final int MOST_PORTS = 20_000;
    private static final int MOST_HINTS = 8;

    /** The controllers whose slices have addresses in their usual form. */
    private static final Set<String> CONTROLLERS =
            Set.of("endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io");

    @Override
    public void validate(Field root) {
        Field type = root.at("addressType");
        if (type.require()) {
            type.oneOf("FQDN", "IPv4", "IPv6");
        }
        Field endpoints = root.at("endpoints");
        if (endpoints.array().size() > MOST_ENDPOINTS) {
            endpoints.tooMany(endpoints.array().size(), MOST_ENDPOINTS);
        } else {
            endpoints.items().forEach(endpoint -> endpoint(endpoint, type.text()));
        }
        Field ports = root.at("ports");
        if (ports.array().size() > MOST_PORTS) {
            ports.tooMany(ports.array().size(), MOST_PORTS);
            return;
        }
        Set<String> names = new HashSet<>();
        for (Field port : ports.items()) {
            Field name = port.at("name");
            name.requireIfGiven(Names::label);
            if (!names.add(name.text())) {
                name.duplicate(name.text());
            }
            Field protocol = port.at("protocol");
            if (!protocol.given()) {
                protocol.missing();
            } else {
                protocol.oneOf("SCTP", "TCP", "UDP");
            }
            if (port.at("appProtocol").given()) {
                port.at("appProtocol").obeys(Names::qualified);
            }
        }
    }

    private static void endpoint(Field endpoint, String type) {
        Field addresses = endpoint.at("addresses");
        if (addresses.array().isEmpty()) {
            addresses.missing("must contain at least 1 address");
        } else if (addresses.array().size() > MOST_ADDRESSES) {
            addresses.tooMany(addresses.array().size(), MOST_ADDRESSES);
        }
        for (Field address : addresses.items()) {
            switch (type) {
                case "FQDN" -> domain(address);
                case "IPv4", "IPv6" -> address(addresses, address, type);
                default -> {}
            }
        }
        if (endpoint.at("nodeName").given()) {
            endpoint.at("nodeName").obeys(Names::subdomain);
        }
        if (endpoint.at("hostname").given()) {
            endpoint.at("hostname").obeys(Names::label);
        }
        Field hints = endpoint.at("hints");
        if (hints(hints.at("forZones"), Names::labelValue)) {
            hints(hints.at("forNodes"), Names::subdomain);
        }
    }

    private static void address(Field addresses, Field address, String type) {
        if (address.obeys(FormatRules::ip)) {
            if (address.text().contains(":") != type.equals("IPv6")) {
                addresses.invalid(address.text(), "must be an " + type + " address");
            }
            EndpointAddresses.validate(address);
        }
    }

    /** Requires a domain in another one, of which the dot at the end is left away. */
    private static void domain(Field address) {
        if (!address.require()) {
            return;
        }
        String name = address.text().replaceFirst("\\.$", "");
        List<String> wrong = Names.subdomain(name);
        if (!wrong.isEmpty()) {
            address.invalid(name, String.join(",", wrong));
        } else if (!name.contains(".")) {
            address.invalid(name, "should be a domain with at least two segments separated by dots");
        } else {
            List.of(name.split("\\.", -1)).stream()
                    .filter(label -> !Names.label(label).isEmpty())
                    .findFirst()
                    .ifPresent(label -> address.invalid(label, String.join(",", Names.label(label))));
        }
    }

    /** Checks the names of hints; returns false if there are too many. */
    private static boolean hints(Field hints, Function<String, List<String>> rule) {
        if (hints.array().size() > MOST_HINTS) {
            hints.tooMany(hints.array().size(), MOST_HINTS);
            return false;
        }
        Set<String> names = new HashSet<>();
        for (Field hint : hints.items()) {
            Field name = hint.at("name");
            if (!names.add(name.text())) {
                name.duplicate(name.text());
            }
            name.obeys(rule);
        }
        return true;
    }

    /** The former topology is dropped once the generation is known. */
    @Override
    public void dropDisabled(JsonObject tree) {}

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        dropTopology(tree);
    }

    /** A change of labels begins a new generation, too, and so does a topology that is dropped. */
    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        if (!tree.object("metadata", "labels").equals(old.object("metadata", "labels"))
                || !tree.array("endpoints").equals(old.array("endpoints"))) {
            tree.withObject("metadata").put("generation", old.integer("metadata", "generation") + 1);
        }
        dropTopology(tree);
    }

    private static void dropTopology(JsonObject tree) {
        tree.objects("endpoints").forEach(endpoint -> endpoint.remove("deprecatedTopology"));
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        root.immutable(old, "addressType");
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        List<String> warnings = new ArrayList<>();
        if (old == null && tree.string("addressType").equals("FQDN")) {
            warnings.add("spec.addressType: FQDN endpoints are deprecated");
        }
        if (CONTROLLERS.contains(tree.object("metadata", "labels").string("endpointslice.kubernetes.io/managed-by"))) {
            return warnings;
        }
        List<JsonObject> endpoints = tree.objects("endpoints");
        for (int i = 0; i < endpoints.size(); i++) {
            warnings.addAll(AddressWarnings.ips(
                    "endpoints[" + i + "].addresses", endpoints.get(i).strings("addresses")));
        }
        return warnings;
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Cells.endpointSlice(column, tree);
    }
}
