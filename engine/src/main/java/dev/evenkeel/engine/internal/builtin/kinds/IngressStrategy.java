package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.time.Instant;
import java.util.List;

/** Ingresses. */
record IngressStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Field rules = root.at("spec", "rules");
        if (rules.array().isEmpty() && !root.at("spec", "defaultBackend").given()) {
            root.at("spec").invalid(rules.array(), "either `defaultBackend` or `rules` must be specified");
        }
        for (Field rule : rules.items()) {
            for (Field path : rule.at("http", "paths").items()) {
                if (path.at("pathType").require("pathType must be specified")) {
                    path.at("pathType").oneOf("Exact", "ImplementationSpecific", "Prefix");
                }
            }
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Hosts" -> {
                List<String> hosts = tree.array("spec", "rules").stream()
                        .map(rule -> Json.string(rule, "host"))
                        .filter(host -> !host.isEmpty())
                        .toList();
                yield hosts.isEmpty() ? "*" : CellRule.firstThree(hosts);
            }
            case "Address" -> String.join(",", ServiceStrategy.ingresses(tree));
            default -> tree.array("spec", "tls").isEmpty() ? "80" : "80, 443";
        };
    }
}
