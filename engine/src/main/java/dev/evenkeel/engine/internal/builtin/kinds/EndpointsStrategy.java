package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Endpoints. */
record EndpointsStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.each(
                tree,
                subset -> Trees.each(subset, port -> Trees.fillText(port, "protocol", "TCP"), "ports"),
                "subsets");
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        List<String> all = new ArrayList<>();
        for (Object subset : Trees.list(tree, "subsets")) {
            List<@Nullable Object> ports = Trees.list(subset, "ports");
            for (Object address : Trees.list(subset, "addresses")) {
                String ip = Json.string(address, "ip");
                if (ports.isEmpty()) {
                    all.add(ip);
                }
                for (Object port : ports) {
                    all.add((ip.contains(":") ? "[" + ip + "]" : ip) + ":" + Json.integer(port, "port"));
                }
            }
        }
        return CellRule.orNone(CellRule.firstThree(all));
    }
}
