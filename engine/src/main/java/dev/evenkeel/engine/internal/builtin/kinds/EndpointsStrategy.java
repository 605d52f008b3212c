package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Endpoints. */
record EndpointsStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        for (Field subset : root.at("subsets").items()) {
            boolean none = subset.at("addresses").array().isEmpty()
                    && subset.at("notReadyAddresses").array().isEmpty();
            if (none) {
                subset.missing("must specify `addresses` or `notReadyAddresses`");
            }
            for (String kind : List.of("addresses", "notReadyAddresses")) {
                subset.at(kind).items().forEach(EndpointsStrategy::address);
            }
            boolean several = subset.at("ports").array().size() > 1;
            subset.at("ports").items().forEach(port -> port(port, several));
        }
    }

    private static void address(Field address) {
        Field ip = address.at("ip");
        ip.obeys(FormatRules::ip);
        address.at("hostname").requireIfGiven(Names::label);
        if (address.at("nodeName").given()) {
            address.at("nodeName").obeys(Names::subdomain);
        }
        if (FormatRules.isIp(ip.text())) {
            EndpointAddresses.validate(ip);
        } else {
            ip.invalid(ip.text(), "must be a valid IP address");
        }
    }

    private static void port(Field port, boolean named) {
        Field name = port.at("name");
        if (named && name.text().isEmpty()) {
            name.missing();
        } else {
            name.requireIfGiven(Names::label);
        }
        FormatRules.portNumber(port.at("port"));
        if (port.at("protocol").require()) {
            port.at("protocol").oneOf("SCTP", "TCP", "UDP");
        }
        if (port.at("appProtocol").given()) {
            port.at("appProtocol").obeys(Names::qualified);
        }
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        List<String> warnings = new ArrayList<>();
        if (tree.object("metadata", "labels")
                .string("endpoints.kubernetes.io/managed-by")
                .equals("endpoint-controller")) {
            return warnings;
        }
        List<JsonObject> subsets = tree.objects("subsets");
        for (int i = 0; i < subsets.size(); i++) {
            for (String kind : List.of("addresses", "notReadyAddresses")) {
                warnings.addAll(AddressWarnings.ips(
                        "subsets[" + i + "]." + kind, subsets.get(i).objects(kind), "ip"));
            }
        }
        return warnings;
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Cells.endpoints(column, tree);
    }
}
