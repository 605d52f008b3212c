package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Endpoint slices. */
record EndpointSliceStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        tree.objects("ports").forEach(port -> {
            port.putIfAbsent("name", "");
            port.setIfEmpty("protocol", "TCP");
        });
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        List<String> all = new ArrayList<>();
        if (column.equals("Ports")) {
            for (Object port : tree.array("ports")) {
                Object number = Json.at(port, "port");
                String name = Json.string(port, "name");
                all.add(number != null ? number.toString() : name.isEmpty() ? "*" : name);
            }
        } else {
            for (Object endpoint : tree.array("endpoints")) {
                Trees.list(endpoint, "addresses").forEach(address -> all.add(String.valueOf(address)));
            }
        }
        return all.isEmpty() ? "<unset>" : CellRule.firstThree(all);
    }
}
