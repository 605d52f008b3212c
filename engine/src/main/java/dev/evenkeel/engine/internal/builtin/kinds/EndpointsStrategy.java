package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Endpoints. */
record EndpointsStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        tree.objects("subsets")
                .forEach(subset -> subset.objects("ports").forEach(port -> port.setIfEmpty("protocol", "TCP")));
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        List<String> all = new ArrayList<>();
        for (Object subset : tree.array("subsets")) {
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
