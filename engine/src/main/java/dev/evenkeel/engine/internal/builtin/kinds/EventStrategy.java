package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.BuiltinDecoder;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Events of the core group and of {@code events.k8s.io}: one storage, in the core form, with two names for the same
 * fields.
 */
record EventStrategy(KindFacts facts) implements KindStrategy {
    /** Alternating core names and events.k8s.io names; other fields have one name. */
    private static final String[] FIELDS = {
        "involvedObject", "regarding",
        "message", "note",
        "source", "deprecatedSource",
        "firstTimestamp", "deprecatedFirstTimestamp",
        "lastTimestamp", "deprecatedLastTimestamp",
        "count", "deprecatedCount",
        "reportingComponent", "reportingController"
    };

    @Override
    public String storage() {
        return "events";
    }

    @Override
    public JsonObject convert(JsonObject tree) {
        Object from = tree.get("apiVersion");
        KindStrategy.super.convert(tree);
        if (from != null && !from.equals(tree.get("apiVersion"))) {
            rename(tree, facts.core() ? 1 : 0);
            BuiltinDecoder.normalize(tree, facts.resource().definition());
        }
        return tree;
    }

    private static void rename(JsonObject tree, int from) {
        for (int i = 0; i < FIELDS.length; i += 2) {
            if (tree.containsKey(FIELDS[i + from])) {
                tree.put(FIELDS[i + 1 - from], tree.remove(FIELDS[i + from]));
            }
        }
    }

    /** Refuses core events about objects in other namespaces, or about cluster-scoped ones outside {@code default}. */
    @Override
    public void validate(Field root) {
        String namespace = root.at("metadata", "namespace").text();
        Field involved = root.at("involvedObject", "namespace");
        String wanted = involved.text().isEmpty() ? "default" : involved.text();
        if (facts.core() && !namespace.equals(wanted) && !namespace.isEmpty()) {
            involved.invalid(involved.text(), "does not match event.namespace");
        }
    }

    @Override
    public GarbageCollection garbageCollection() {
        return GarbageCollection.UNSUPPORTED;
    }

    @Override
    public List<@Nullable Object> cells(JsonObject tree, Instant now) {
        if (facts.core()) {
            return KindStrategy.super.cells(tree, now);
        }
        JsonObject core = tree.copy();
        rename(core, 1);
        return KindStrategy.super.cells(core, now);
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Last Seen" ->
                tree.has("series")
                        ? Times.since(tree, now, "series", "lastObservedTime")
                        : tree.has("lastTimestamp") ? Times.since(tree, now, "lastTimestamp") : firstSeen(tree, now);
            case "First Seen" -> firstSeen(tree, now);
            case "Object" -> {
                String kind = tree.string("involvedObject", "kind").toLowerCase(Locale.ROOT);
                String name = tree.string("involvedObject", "name");
                yield name.isEmpty() ? kind : kind + "/" + name;
            }
            case "Source" -> source(tree);
            case "Message" -> tree.string("message").strip();
            default -> tree.has("series") ? tree.integer("series", "count") : Math.max(tree.integer("count"), 1);
        };
    }

    private static String firstSeen(JsonObject tree, Instant now) {
        return Times.since(tree, now, tree.has("firstTimestamp") ? "firstTimestamp" : "eventTime");
    }

    private static String source(JsonObject tree) {
        String component = tree.string("source", "component");
        String host = tree.string("source", "host");
        if (component.isEmpty()) {
            component = tree.string("reportingComponent");
            host = host.isEmpty() ? tree.string("reportingInstance") : host;
        }
        return host.isEmpty() ? component : component + ", " + host;
    }
}
