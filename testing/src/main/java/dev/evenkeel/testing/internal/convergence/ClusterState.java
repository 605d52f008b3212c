package dev.evenkeel.testing.internal.convergence;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.simulation.internal.ObjectRef;
import dev.evenkeel.testing.diff.Difference;
import dev.evenkeel.testing.diff.FieldPath;
import dev.evenkeel.testing.diff.Normalization;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster without what differs from run to run though it means the same: versions, uids, times, the ends
 * of generated names. Of an observed generation is kept whether it is the present one.
 *
 * @param objects the values of the fields of each object, by their paths, by the name of the object
 */
public record ClusterState(Map<String, Map<String, String>> objects) {
    /** The annotation that another actor writes into an object. */
    static final String TOUCH = "convergence.evenkeel.dev/touched";

    static final String HOLD = "convergence.evenkeel.dev/another-actor";

    static final String OUTSIDE = "outside of the cluster";

    private static final Set<String> METADATA = Set.of(
            "name",
            "namespace",
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "generation",
            "managedFields",
            "selfLink");
    private static final Pattern TIME =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)");
    private static final Pattern ASSIGNED =
            Pattern.compile("spec\\.(clusterIPs?|ports\\[[^\\]]*\\]\\.nodePort|healthCheckNodePort)(\\[.*)?");

    private static final int LINES = 12;

    /** An object as the server has it. */
    public record Found(String kind, Encoded object) {
        ObjectRef ref() {
            return new ObjectRef(kind, object.header().key());
        }
    }

    /** Returns the state of all objects, and of what is outside of the cluster, if anything. */
    public static ClusterState of(List<Found> found, String outside, Set<String> ignored) {
        return new Normalizer(found, ignored, new TreeMap<>(Normalizer.LONGEST_FIRST)).normalize(outside);
    }

    /** Returns the differences, in lines; empty if there are none. */
    public static List<String> differences(ClusterState expected, ClusterState actual) {
        List<String> lines = new ArrayList<>();
        Map<String, List<Difference.Change>> byObject = Difference.between(
                        Json.text(expected.objects), Json.text(actual.objects), Normalization.exact())
                .changes()
                .stream()
                .collect(Collectors.groupingBy(change -> step(change, 0), LinkedHashMap::new, Collectors.toList()));
        byObject.forEach((name, changes) -> {
            Difference.Change first = changes.getFirst();
            if (first.path().steps().size() == 1) {
                boolean missing = first.type() == Difference.Type.REMOVED;
                lines.add(name + (missing ? " is missing" : " should not be there"));
                return;
            }
            lines.add(name + " differs:");
            changes.stream().limit(LINES).map(ClusterState::line).forEach(lines::add);
            if (changes.size() > LINES) {
                lines.add("    ... and more");
            }
        });
        return lines;
    }

    private static String step(Difference.Change change, int index) {
        return ((FieldPath.Field) change.path().steps().get(index)).name();
    }

    private static String line(Difference.Change change) {
        String is = " is " + text(change.observed());
        String should = ", and should be " + text(change.expected());
        return "    " + step(change, 1)
                + switch (change.type()) {
                    case REMOVED -> " is missing" + should;
                    case ADDED -> is + ", and should not be there";
                    default -> is + should;
                };
    }

    private static String text(String json) {
        return json.isEmpty() ? "" : String.valueOf(Json.parse(json.getBytes(UTF_8), JsonLimits.DEFAULT));
    }

    private record Normalizer(List<Found> found, Set<String> ignored, Map<String, String> words) {
        private static final Comparator<String> LONGEST_FIRST =
                Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder());

        ClusterState normalize(String outside) {
            List<JsonObject> trees = new ArrayList<>();
            for (Found one : found) {
                JsonObject tree = Json.parseObject(one.object().json(), JsonLimits.DEFAULT);
                trees.add(tree);
                String name = tree.string("metadata", "name");
                String generated = tree.string("metadata", "generateName");
                boolean isGenerated = !generated.isEmpty() && name.startsWith(generated);
                if (isGenerated) {
                    words.put(name, generated + "*");
                }
                String uid = tree.string("metadata", "uid");
                words.put(uid, "uid of " + one.kind() + " " + (isGenerated ? generated + "*" : name));
            }
            Map<String, List<Map<String, String>>> byName = new TreeMap<>();
            for (int i = 0; i < trees.size(); i++) {
                ObjectRef ref = found.get(i).ref();
                byName.computeIfAbsent(ref.kind() + " " + words(ref.key().toString()), n -> new ArrayList<>(1))
                        .add(fields(trees.get(i)));
            }
            Map<String, Map<String, String>> objects = new TreeMap<>();
            byName.forEach((name, all) -> {
                all.sort(Comparator.comparing(Map::toString));
                for (int i = 0; i < all.size(); i++) {
                    objects.put(i == 0 ? name : name + " (" + (i + 1) + ")", all.get(i));
                }
            });
            if (!outside.isEmpty()) {
                objects.put(OUTSIDE, Map.of("state", words(outside)));
            }
            return new ClusterState(objects);
        }

        private Map<String, String> fields(JsonObject tree) {
            Map<String, String> fields = new TreeMap<>();
            long generation = tree.integer("metadata", "generation");
            tree.forEach((key, value) -> {
                if (key.equals("metadata")) {
                    Json.asObject(value).forEach((name, part) -> {
                        if (!METADATA.contains(name)) {
                            put(fields, "metadata." + name, part, generation);
                        }
                    });
                } else if (!key.equals("kind") && !key.equals("apiVersion")) {
                    put(fields, key, value, generation);
                }
            });
            return fields;
        }

        private void put(Map<String, String> fields, String path, @Nullable Object value, long generation) {
            if (value == null || ignored.contains(path)) {
                return;
            }
            switch (value) {
                case Map<?, ?> map ->
                    map.forEach((key, part) -> {
                        if (!key.equals(TOUCH)) {
                            put(fields, path + "." + key, part, generation);
                        }
                    });
                case List<?> all -> {
                    List<?> list = all.stream().filter(one -> !HOLD.equals(one)).toList();
                    for (int i = 0; i < list.size(); i++) {
                        put(fields, path + "[" + name(list, i) + "]", list.get(i), generation);
                    }
                }
                default -> fields.put(path, value(path, value, generation));
            }
        }

        /** Returns the name of an element of a list: its type or name if that is unique, or else its index. */
        private String name(List<?> list, int index) {
            for (String field : List.of("type", "name")) {
                List<String> names =
                        list.stream().map(one -> nameOf(one, field)).toList();
                String name = names.get(index);
                if (!name.isEmpty() && Collections.frequency(names, name) == 1) {
                    return words(name);
                }
            }
            return Integer.toString(index);
        }

        private static String nameOf(@Nullable Object element, String field) {
            return element instanceof Map<?, ?> ? Json.string(element, field) : "";
        }

        private String value(String path, Object value, long generation) {
            if (ASSIGNED.matcher(path).matches()) {
                return "assigned by the server";
            }
            if (path.endsWith("observedGeneration") && value instanceof Number seen) {
                return seen.longValue() == generation ? "the present generation" : "not the present generation";
            }
            if (value instanceof String text) {
                return TIME.matcher(text).matches() ? "a time" : '"' + words(text) + '"';
            }
            return String.valueOf(value);
        }

        private String words(String text) {
            String result = text;
            for (Map.Entry<String, String> word : words.entrySet()) {
                if (!word.getKey().isEmpty() && result.contains(word.getKey())) {
                    result = result.replace(word.getKey(), word.getValue());
                }
            }
            return result;
        }
    }
}
