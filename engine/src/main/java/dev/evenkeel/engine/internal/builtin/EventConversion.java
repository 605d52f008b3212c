package dev.evenkeel.engine.internal.builtin;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Events between the core group and {@code events.k8s.io}: one storage, in the core form, under two names for the same
 * fields. Both directions change the tree they are given.
 */
public final class EventConversion {
    /** Core names and events.k8s.io names in turn; what is not here is called the same. */
    private static final String[] NAMES = {
        "involvedObject", "regarding",
        "message", "note",
        "source", "deprecatedSource",
        "firstTimestamp", "deprecatedFirstTimestamp",
        "lastTimestamp", "deprecatedLastTimestamp",
        "count", "deprecatedCount",
        "reportingComponent", "reportingController"
    };

    private EventConversion() {}

    /** From {@code events.k8s.io/v1} to {@code v1}. */
    public static void toCore(Map<String, @Nullable Object> tree) {
        rename(tree, 1, 0);
        tree.put("apiVersion", "v1");
        BuiltinDecoder.normalize(tree, "io.k8s.api.core.v1.Event");
    }

    /** From {@code v1} to {@code events.k8s.io/v1}. */
    public static void toEvents(Map<String, @Nullable Object> tree) {
        rename(tree, 0, 1);
        tree.put("apiVersion", "events.k8s.io/v1");
        BuiltinDecoder.normalize(tree, "io.k8s.api.events.v1.Event");
    }

    private static void rename(Map<String, @Nullable Object> tree, int from, int to) {
        for (int i = 0; i < NAMES.length; i += 2) {
            if (tree.containsKey(NAMES[i + from])) {
                tree.put(NAMES[i + to], tree.remove(NAMES[i + from]));
            }
        }
    }
}
