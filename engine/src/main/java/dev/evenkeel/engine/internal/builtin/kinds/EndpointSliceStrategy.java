package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Endpoint slices. */
record EndpointSliceStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.each(
                tree,
                port -> {
                    Trees.fill(port, "name", "");
                    Trees.fillText(port, "protocol", "TCP");
                },
                "ports");
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        List<String> all = new ArrayList<>();
        if (column.equals("Ports")) {
            for (Object port : Trees.list(tree, "ports")) {
                Object number = Json.at(port, "port");
                String name = Json.string(port, "name");
                all.add(number != null ? number.toString() : name.isEmpty() ? "*" : name);
            }
        } else {
            for (Object endpoint : Trees.list(tree, "endpoints")) {
                Trees.list(endpoint, "addresses").forEach(address -> all.add(String.valueOf(address)));
            }
        }
        return all.isEmpty() ? "<unset>" : CellRule.firstThree(all);
    }
}
