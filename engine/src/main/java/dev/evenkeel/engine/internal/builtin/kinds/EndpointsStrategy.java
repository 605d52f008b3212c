package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Endpoints. */
record EndpointsStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        List<String> all = new ArrayList<>();
        for (JsonObject subset : tree.objects("subsets")) {
            List<JsonObject> ports = subset.objects("ports");
            for (JsonObject address : subset.objects("addresses")) {
                String ip = address.string("ip");
                if (ports.isEmpty()) {
                    all.add(ip);
                }
                for (JsonObject port : ports) {
                    all.add((ip.contains(":") ? "[" + ip + "]" : ip) + ":" + port.integer("port"));
                }
            }
        }
        return CellRule.orNone(CellRule.firstThree(all));
    }
}
