package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** IP addresses. */
record IpAddressStrategy(KindFacts facts) implements KindStrategy {
    /** Returns three cells, as upstream does, although there are two columns. */
    @Override
    public List<@Nullable Object> cells(Map<String, @Nullable Object> tree, Instant now) {
        List<@Nullable Object> cells = KindStrategy.super.cells(tree, now);
        cells.add(Times.since(tree, now, "metadata", "creationTimestamp"));
        return cells;
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        String group = Json.string(tree, "spec", "parentRef", "group");
        String resource = Json.string(tree, "spec", "parentRef", "resource");
        String namespace = Json.string(tree, "spec", "parentRef", "namespace");
        return (group.isEmpty() ? resource : resource + "." + group) + "/"
                + (namespace.isEmpty() ? "" : namespace + "/") + Json.string(tree, "spec", "parentRef", "name");
    }
}
