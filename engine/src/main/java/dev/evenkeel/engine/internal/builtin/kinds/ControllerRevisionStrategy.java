package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.Locale;

/** Controller revisions. */
record ControllerRevisionStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        for (Object owner : tree.array("metadata", "ownerReferences")) {
            if (Trees.isTrue(owner, "controller")) {
                String version = Json.string(owner, "apiVersion");
                int slash = version.indexOf('/');
                String kind = Json.string(owner, "kind").toLowerCase(Locale.ROOT);
                return (slash < 0 ? kind : kind + "." + version.substring(0, slash)) + "/" + Json.string(owner, "name");
            }
        }
        return "<none>";
    }
}
