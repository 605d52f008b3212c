package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.BuiltinDecoder;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    public Map<String, @Nullable Object> convert(Map<String, @Nullable Object> tree) {
        boolean core = facts.type().group().isEmpty();
        Object from = tree.get("apiVersion");
        KindStrategy.super.convert(tree);
        if (from != null && !from.equals(tree.get("apiVersion"))) {
            rename(tree, core ? 1 : 0);
            BuiltinDecoder.normalize(tree, facts.resource().definition());
        }
        return tree;
    }

    private static void rename(Map<String, @Nullable Object> tree, int from) {
        for (int i = 0; i < FIELDS.length; i += 2) {
            if (tree.containsKey(FIELDS[i + from])) {
                tree.put(FIELDS[i + 1 - from], tree.remove(FIELDS[i + from]));
            }
        }
    }

    /** Refuses core events about objects in other namespaces, or about cluster-scoped ones outside {@code default}. */
    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        if (!facts.type().group().isEmpty()) {
            return;
        }
        String namespace = Json.string(tree, "metadata", "namespace");
        String involved = Json.string(tree, "involvedObject", "namespace");
        boolean right = involved.isEmpty() ? namespace.equals("default") : involved.equals(namespace);
        if (!right && !namespace.isEmpty()) {
            errors.invalid("involvedObject.namespace", involved, "does not match event.namespace");
        }
    }

    @Override
    public GarbageCollection garbageCollection() {
        return GarbageCollection.UNSUPPORTED;
    }

    @Override
    public List<@Nullable Object> cells(Map<String, @Nullable Object> tree, Instant now) {
        if (facts.type().group().isEmpty()) {
            return KindStrategy.super.cells(tree, now);
        }
        Map<String, @Nullable Object> core = Json.copyObject(tree);
        rename(core, 1);
        return KindStrategy.super.cells(core, now);
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return switch (column) {
            case "Last Seen" ->
                Trees.has(tree, "series")
                        ? Times.since(tree, now, "series", "lastObservedTime")
                        : Trees.has(tree, "lastTimestamp")
                                ? Times.since(tree, now, "lastTimestamp")
                                : firstSeen(tree, now);
            case "First Seen" -> firstSeen(tree, now);
            case "Object" -> {
                String kind = Json.string(tree, "involvedObject", "kind").toLowerCase(Locale.ROOT);
                String name = Json.string(tree, "involvedObject", "name");
                yield name.isEmpty() ? kind : kind + "/" + name;
            }
            case "Source" -> source(tree);
            case "Message" -> Json.string(tree, "message").strip();
            default ->
                Trees.has(tree, "series")
                        ? Json.integer(tree, "series", "count")
                        : Math.max(Json.integer(tree, "count"), 1);
        };
    }

    private static String firstSeen(Map<String, @Nullable Object> tree, Instant now) {
        return Times.since(tree, now, Trees.has(tree, "firstTimestamp") ? "firstTimestamp" : "eventTime");
    }

    private static String source(Map<String, @Nullable Object> tree) {
        String component = Json.string(tree, "source", "component");
        String host = Json.string(tree, "source", "host");
        if (component.isEmpty()) {
            component = Json.string(tree, "reportingComponent");
            host = host.isEmpty() ? Json.string(tree, "reportingInstance") : host;
        }
        return host.isEmpty() ? component : component + ", " + host;
    }
}
