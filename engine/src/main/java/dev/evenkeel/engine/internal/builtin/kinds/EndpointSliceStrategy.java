package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Endpoint slices. */
record EndpointSliceStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        List<String> all = new ArrayList<>();
        if (column.equals("Ports")) {
            for (JsonObject port : tree.objects("ports")) {
                Object number = port.get("port");
                String name = port.string("name");
                all.add(number != null ? number.toString() : name.isEmpty() ? "*" : name);
            }
        } else {
            tree.objects("endpoints").forEach(endpoint -> all.addAll(endpoint.strings("addresses")));
        }
        return all.isEmpty() ? "<unset>" : CellRule.firstThree(all);
    }
}
