package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ingresses. */
record IngressStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        List<@Nullable Object> rules = tree.array("spec", "rules");
        if (rules.isEmpty() && !tree.has("spec", "defaultBackend")) {
            errors.invalid("spec", rules, "either `defaultBackend` or `rules` must be specified");
        }
        for (int i = 0; i < rules.size(); i++) {
            List<@Nullable Object> paths = Trees.list(rules.get(i), "http", "paths");
            for (int j = 0; j < paths.size(); j++) {
                String at = "spec.rules[" + i + "].http.paths[" + j + "]";
                String type = Json.string(paths.get(j), "pathType");
                if (type.isEmpty()) {
                    errors.required(at + ".pathType", "pathType must be specified");
                } else {
                    errors.oneOf(at + ".pathType", type, "Exact", "ImplementationSpecific", "Prefix");
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
