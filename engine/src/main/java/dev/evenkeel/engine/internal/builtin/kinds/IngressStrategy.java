package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ingresses. */
record IngressStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        List<@Nullable Object> rules = Trees.list(tree, "spec", "rules");
        if (rules.isEmpty() && !Trees.has(tree, "spec", "defaultBackend")) {
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
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return switch (column) {
            case "Hosts" -> {
                List<String> hosts = Trees.list(tree, "spec", "rules").stream()
                        .map(rule -> Json.string(rule, "host"))
                        .filter(host -> !host.isEmpty())
                        .toList();
                yield hosts.isEmpty() ? "*" : CellRule.firstThree(hosts);
            }
            case "Address" -> String.join(",", ServiceStrategy.ingresses(tree));
            default -> Trees.list(tree, "spec", "tls").isEmpty() ? "80" : "80, 443";
        };
    }
}
