package dev.evenkeel.testing.internal.convergence;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.client.ObjectKey;
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
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster without what differs from run to run though it means the same: versions, uids, times, the ends
 * of generated names. Of an observed generation is kept whether it is the present one.
 *
 * @param objects the values of the fields of each object, by their paths, by the name of the object
 * @param times the times, which are equal in {@code objects}, by the name of the object and the path
 */
public record ClusterState(Map<String, Map<String, String>> objects, Map<String, String> times) {
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

    private static final String A_TIME = "a time";
    private static final int LINES = 12;

    /** Creates a state without times. */
    public ClusterState(Map<String, Map<String, String>> objects) {
        this(objects, Map.of());
    }

    /**
     * An object as the server has it.
     *
     * @param tree must not be changed
     * @param fields the fields, if they are known
     */
    public record Found(ObjectRef ref, JsonObject tree, Optional<Fields> fields) {
        /** Returns the object of a document. */
        public static Found of(String kind, JsonObject tree) {
            ObjectKey key = ObjectKey.of(tree.string("metadata", "namespace"), tree.string("metadata", "name"));
            return new Found(new ObjectRef(kind, key), tree, Optional.empty());
        }
    }

    /**
     * The fields of an object.
     *
     * @param name the kind and key of the object
     * @param values the values by their paths
     * @param times the times of those that are a time, by their paths
     */
    record Fields(String name, Map<String, String> values, Map<String, String> times) {}

    /** Returns the objects with their fields, which are the same in every state that contains them unchanged. */
    static List<Found> withFields(List<Found> found, Set<String> ignored) {
        Normalizer normalizer = new Normalizer(found, ignored);
        normalizer.readWords();
        return found.stream()
                .map(one -> new Found(one.ref(), one.tree(), Optional.of(normalizer.fields(one))))
                .toList();
    }

    /** Returns the state of all objects, and of what is outside of the cluster, if anything. */
    public static ClusterState of(List<Found> found, String outside, Set<String> ignored) {
        return new Normalizer(found, ignored).normalize(outside);
    }

    /** Returns the times that are the same as in another state. */
    Set<String> keptTimes(ClusterState former) {
        return times.entrySet().stream()
                .filter(time -> time.getValue().equals(former.times.get(time.getKey())))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, List<Difference.Change>> changes(ClusterState expected, ClusterState actual) {
        if (expected.objects.equals(actual.objects)) {
            return Map.of();
        }
        return Difference.between(Json.text(expected.objects), Json.text(actual.objects), Normalization.exact())
                .changes()
                .stream()
                .collect(Collectors.groupingBy(change -> step(change, 0), LinkedHashMap::new, Collectors.toList()));
    }

    /** Returns a finding if two runs without faults differ. */
    static Optional<RunResult.Finding> unsteady(ClusterState one, ClusterState other) {
        return difference(one, other, "use ignoring(\"%s\"), or a seeded source that starts again in each run")
                .map(it -> new RunResult.Finding(
                        "not deterministic: " + it.problem() + " differs between two undisturbed runs", it.details()));
    }

    /**
     * Returns the first difference between the states of two runs; the problem is the name of the field.
     *
     * @param advice a line for the details, in which {@code %s} is the path of the field
     */
    public static Optional<RunResult.Finding> difference(
            List<ClusterState> one, List<ClusterState> other, String advice) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            Optional<RunResult.Finding> found = difference(one.get(i), other.get(i), advice);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<RunResult.Finding> difference(ClusterState one, ClusterState other, String advice) {
        List<String> fields = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        changes(one, other)
                .forEach((name, changes) -> changes.forEach(change -> {
                    boolean whole = change.path().steps().size() == 1;
                    String field = name.equals(OUTSIDE)
                            ? "the state " + OUTSIDE
                            : (whole ? "" : step(change, 1) + " of ") + name;
                    fields.add(field);
                    lines.add(
                            whole
                                    ? field + " exists in one of them only"
                                    : field + " is " + shown(change.expected()) + " in one, and "
                                            + shown(change.observed()) + " in the other");
                    if (!whole && !name.equals(OUTSIDE) && lines.size() == 1) {
                        lines.add(advice.formatted(step(change, 1)));
                    }
                }));
        return fields.isEmpty()
                ? Optional.empty()
                : Optional.of(new RunResult.Finding(
                        fields.getFirst(), lines.stream().limit(LINES).toList()));
    }

    private static String shown(String json) {
        return json.isEmpty() ? "missing" : text(json);
    }

    /** Returns the differences from a run without faults, in lines; empty if there are none. */
    public static List<String> differences(ClusterState expected, ClusterState actual) {
        return differences(expected, actual, AskedFor.NOTHING);
    }

    /**
     * Returns the differences, with the side that users asked for where it is known.
     *
     * @param asked names of the objects in whose specs users ask for something
     */
    public static List<String> differences(ClusterState expected, ClusterState actual, Set<String> asked) {
        return differences(expected, actual, AskedFor.in(actual, asked));
    }

    /** Returns the differences, with the side that users asked for where it is known. */
    static List<String> differences(ClusterState expected, ClusterState actual, AskedFor asked) {
        List<String> lines = new ArrayList<>();
        changes(expected, actual).forEach((name, changes) -> {
            Difference.Change first = changes.getFirst();
            if (first.path().steps().size() == 1) {
                boolean missing = first.type() == Difference.Type.REMOVED;
                lines.add(name + (missing ? " is missing" : " should not be there"));
                return;
            }
            lines.add(name + " differs:");
            changes.stream().limit(LINES).map(change -> line(change, asked)).forEach(lines::add);
            if (changes.size() > LINES) {
                lines.add("    ... and more");
            }
        });
        return lines;
    }

    private static String step(Difference.Change change, int index) {
        return ((FieldPath.Field) change.path().steps().get(index)).name();
    }

    private static String line(Difference.Change change, AskedFor asked) {
        String is = change.type() == Difference.Type.REMOVED ? "missing" : text(change.observed());
        String without = change.type() == Difference.Type.ADDED ? "missing" : text(change.expected());
        String path = step(change, 1);
        return "    " + path + " is " + is + "; without faults it is " + without + asked.note(path, is, without);
    }

    private static String text(String json) {
        return json.isEmpty() ? "" : String.valueOf(Json.parse(json.getBytes(UTF_8), JsonLimits.DEFAULT));
    }

    private record Normalizer(List<Found> found, Set<String> ignored, Map<String, String> words) {
        private static final Comparator<String> LONGEST_FIRST =
                Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder());

        Normalizer(List<Found> found, Set<String> ignored) {
            this(found, ignored, new TreeMap<>(LONGEST_FIRST));
        }

        /** Reads the words that stand for uids and generated names. */
        void readWords() {
            for (Found one : found) {
                JsonObject tree = one.tree();
                String name = tree.string("metadata", "name");
                String generated = tree.string("metadata", "generateName");
                boolean isGenerated = !generated.isEmpty() && name.startsWith(generated);
                if (isGenerated) {
                    words.put(name, generated + "*");
                }
                String uid = tree.string("metadata", "uid");
                words.put(uid, "uid of " + one.ref().kind() + " " + (isGenerated ? generated + "*" : name));
            }
        }

        ClusterState normalize(String outside) {
            readWords();
            Map<String, List<Map<String, String>>> byName = new TreeMap<>();
            Map<String, String> times = new TreeMap<>();
            for (Found one : found) {
                Fields fields = one.fields().orElseGet(() -> fields(one));
                byName.computeIfAbsent(fields.name(), n -> new ArrayList<>(1)).add(fields.values());
                fields.times().forEach((path, time) -> times.put(fields.name() + ": " + path, time));
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
            return new ClusterState(objects, times);
        }

        private Fields fields(Found one) {
            JsonObject tree = one.tree();
            Map<String, String> fields = new TreeMap<>();
            Map<String, String> times = new TreeMap<>();
            long generation = tree.integer("metadata", "generation");
            tree.forEach((key, value) -> {
                if (key.equals("metadata")) {
                    Json.asObject(value).forEach((field, part) -> {
                        if (!METADATA.contains(field)) {
                            put(fields, "metadata." + field, part, generation);
                        }
                    });
                } else if (!key.equals("kind") && !key.equals("apiVersion")) {
                    put(fields, key, value, generation);
                }
            });
            fields.replaceAll((path, value) -> {
                boolean time = value.startsWith(A_TIME);
                if (time) {
                    times.put(path, value.substring(A_TIME.length()));
                }
                return time ? A_TIME : value;
            });
            String name = one.ref().kind() + " " + words(one.ref().key().toString());
            return new Fields(name, fields, times);
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
                        boolean isSet = path.equals("metadata.finalizers"); // their order has no meaning
                        String name = isSet ? String.valueOf(list.get(i)) : name(list, i);
                        put(fields, path + "[" + name + "]", list.get(i), generation);
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
            if (path.startsWith("spec.") && ASSIGNED.matcher(path).matches()) {
                return "assigned by the server";
            }
            if (path.endsWith("observedGeneration") && value instanceof Number seen) {
                return seen.longValue() == generation ? "the present generation" : "not the present generation";
            }
            if (value instanceof String text) {
                boolean time = text.endsWith("Z") || text.indexOf(':') > 0;
                return time && TIME.matcher(text).matches() ? A_TIME + text : '"' + words(text) + '"';
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
