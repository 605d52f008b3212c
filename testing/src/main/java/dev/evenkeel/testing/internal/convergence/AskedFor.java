package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.simulation.internal.ObjectRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values in the specs of the reconciled objects, which users have asked for: they tell which of two runs is wrong.
 *
 * @param values the fields with a value, by its text
 */
record AskedFor(Map<String, List<Field>> values) {
    static final AskedFor NOTHING = new AskedFor(Map.of());

    /** Values that occur by coincidence. */
    private static final Set<String> COMMON = Set.of("", "0", "1", "true", "false");

    /**
     * A field of a spec.
     *
     * @param path such as {@code spec.replicas}
     */
    private record Field(String object, String path) {
        String name() {
            return path.substring(path.lastIndexOf('.') + 1);
        }
    }

    /**
     * Returns the values in the specs of objects, by a state.
     *
     * @param objects names of the objects, such as {@code gardens.example.com default/eden}
     */
    static AskedFor in(ClusterState state, Set<String> objects) {
        Map<String, List<Field>> values = new LinkedHashMap<>();
        for (String object : objects) {
            state.objects().getOrDefault(object, Map.of()).forEach((path, value) -> {
                if (path.startsWith("spec.")) {
                    String field = path.replaceAll("\\[[^\\]]*\\]", "");
                    values.computeIfAbsent(unquoted(value), text -> new ArrayList<>())
                            .add(new Field(object, field));
                }
            });
        }
        return new AskedFor(values);
    }

    static AskedFor in(Map<ObjectRef, JsonObject> specs) {
        Map<String, List<Field>> values = new LinkedHashMap<>();
        specs.forEach((object, spec) -> collect(object.toString(), "spec", spec, values));
        return new AskedFor(values);
    }

    private static void collect(String object, String path, @Nullable Object value, Map<String, List<Field>> values) {
        switch (value) {
            case Map<?, ?> map -> map.forEach((key, part) -> collect(object, path + "." + key, part, values));
            case List<?> list -> list.forEach(part -> collect(object, path, part, values));
            case null -> {}
            default ->
                values.computeIfAbsent(String.valueOf(value), text -> new ArrayList<>())
                        .add(new Field(object, path));
        }
    }

    /** Returns an addition to a line about a field that differs: which side the user asked for, if it is known. */
    String note(String path, String is, String without) {
        Optional<Field> seen = field(path, is);
        Optional<Field> calm = field(path, without);
        if (path.startsWith("spec.")
                && values.values().stream().flatMap(List::stream).anyMatch(f -> f.path.equals(path))) {
            return "";
        }
        if (calm.isPresent() && seen.isEmpty()) {
            return ", as the user asked with " + calm.get().path + " of " + calm.get().object;
        }
        if (seen.isPresent() && calm.isEmpty()) {
            return "; but the user asked for " + is + " with " + seen.get().path + " of " + seen.get().object
                    + ", so the run without faults is wrong";
        }
        return "";
    }

    private Optional<Field> field(String path, String value) {
        String text = unquoted(value);
        List<Field> fields = values.getOrDefault(text, List.of());
        String name = path.substring(path.lastIndexOf('.') + 1);
        return fields.stream()
                .filter(field -> field.name().equals(name) || (fields.size() == 1 && !COMMON.contains(text)))
                .findFirst();
    }

    private static String unquoted(String value) {
        return value.startsWith("\"") && value.endsWith("\"") && value.length() > 1
                ? value.substring(1, value.length() - 1)
                : value;
    }
}
