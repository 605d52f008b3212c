package dev.evenkeel.load.internal.run;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.load.Effect;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.internal.drive.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The objects in which effects are visible, without what differs between clusters: uids, versions, and times. */
final class EndStates {
    private static final Set<String> OF_THE_CLUSTER =
            Set.of("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink");
    /** Counts the edits of an object, which the other cluster has not seen. */
    private static final String OF_THE_EDITS = "observedGeneration";

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z");
    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final int MOST = 100;

    private EndStates() {}

    /** Returns the kinds in which effects are visible. */
    static Set<Kind<Encoded>> kinds(LoadPlan plan) {
        Set<Kind<Encoded>> kinds = new LinkedHashSet<>();
        plan.effects().forEach((kind, effect) -> {
            switch (effect) {
                case Effect.Output output -> {}
                case Effect.ObservedGeneration observed -> kinds.add(kind);
                case Effect.Shown shown -> kinds.add(shown.kind());
            }
        });
        return kinds;
    }

    /** Returns the objects of kinds, by kind and key. */
    static SortedMap<String, Object> read(Client client, Set<Kind<Encoded>> kinds) {
        SortedMap<String, Object> objects = new TreeMap<>();
        for (Kind<Encoded> kind : kinds) {
            for (Encoded object : client.list(kind, ListOptions.ALL).items()) {
                objects.put(kind.id() + " " + object.header().key(), comparable(Json.tree(object.json()), ""));
            }
        }
        return objects;
    }

    private static Object comparable(Object node, String parent) {
        return switch (node) {
            case Map<?, ?> map -> {
                SortedMap<String, Object> result = new TreeMap<>();
                map.forEach((name, value) -> {
                    boolean ofObject = parent.equals("metadata") || parent.equals("ownerReferences");
                    boolean ofTheCluster = ofObject ? OF_THE_CLUSTER.contains(name) : OF_THE_EDITS.equals(name);
                    if (value != null && !ofTheCluster) {
                        result.put(String.valueOf(name), comparable(value, String.valueOf(name)));
                    }
                });
                yield result;
            }
            case List<?> list ->
                list.stream().map(one -> comparable(one, parent)).toList();
            case String text when TIME.matcher(text).matches() -> "a time";
            // names that are derived from uids
            case String text -> UID.matcher(text).replaceAll("UID");
            default -> node;
        };
    }

    /** Returns the differences of two states, a line for each; the first hundred. */
    static List<String> differences(Map<String, Object> loaded, Map<String, Object> fresh) {
        List<String> lines = new ArrayList<>();
        Set<String> names = new TreeSet<>(loaded.keySet());
        names.addAll(fresh.keySet());
        for (String name : names) {
            if (lines.size() < MOST) {
                compare(name, "", loaded.get(name), fresh.get(name), lines);
            }
        }
        return lines;
    }

    private static void compare(
            String name, String path, @Nullable Object loaded, @Nullable Object fresh, List<String> lines) {
        if (loaded instanceof Map<?, ?> one && fresh instanceof Map<?, ?> other) {
            Set<String> fields = new TreeSet<>();
            one.keySet().forEach(field -> fields.add(String.valueOf(field)));
            other.keySet().forEach(field -> fields.add(String.valueOf(field)));
            fields.forEach(field -> compare(
                    name, path.isEmpty() ? field : path + "." + field, one.get(field), other.get(field), lines));
        } else if (!Objects.equals(loaded, fresh) && path.isEmpty()) {
            lines.add(name + (fresh == null ? " is left over" : " is missing"));
        } else if (!Objects.equals(loaded, fresh)) {
            lines.add(name + ": " + path + " is " + loaded + ", and " + fresh + " without the load");
        }
    }
}
