package dev.evenkeel.testing.call;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import dev.evenkeel.testing.call.RecordedCall.Body;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a body writes, by path.
 *
 * <p>Bodies of different verbs have different forms with the same meaning: an object has the desired fields, a patch
 * has the changes, an update has everything and changes what differs. Here all become paths with values. Replacing or
 * removing a field includes everything below it.
 *
 * <p>An update that repeats or omits fields that only the server sets, such as the uid or the version, does not write
 * them.
 */
final class Writes {
    private static final Set<String> OF_THE_SERVER = Set.of(
            "resourceVersion",
            "uid",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "managedFields",
            "selfLink");

    private enum How {
        /** It gets this value. */
        VALUE,
        /** It is replaced or removed with everything below. */
        WHOLE,
        /** A field below it is written. */
        AROUND
    }

    private record Write(Path path, @Nullable Object value, How how) {}

    private final List<Write> writes = new ArrayList<>();

    private Writes() {}

    /** Returns the writes of a body; none of an unreadable one, which the server refuses. */
    static Writes of(Body body) {
        Writes writes = new Writes();
        try {
            switch (body) {
                case Body.Nothing unused -> {}
                case Body.Whole(Encoded object) -> writes.value(Path.ROOT, tree(object));
                case Body.Replacement replacement -> writes.replacement(replacement);
                case Body.Change(Patch patch) -> writes.patch(patch);
                case Body.Scale(int replicas) ->
                    writes.value(Path.ROOT, Map.of("spec", Map.of("replicas", (long) replicas)));
            }
        } catch (JsonException e) {
            return new Writes();
        }
        return writes;
    }

    private static JsonObject tree(Encoded object) {
        return Json.parseObject(object.json(), JsonLimits.DEFAULT);
    }

    /** Returns whether this path or one below it is written, or one above it as a whole. */
    boolean touch(Path path) {
        return writes.stream()
                .anyMatch(write -> (write.how() != How.AROUND && path.leadsTo(write.path()))
                        || (write.how() == How.WHOLE && write.path().leadsTo(path)));
    }

    boolean set(Path path, Object value) {
        Object wanted = plain(value);
        return writes.stream()
                .filter(write -> write.path().leadsTo(path))
                .anyMatch(write -> Objects.equals(wanted, at(write.value(), path.below(write.path()))));
    }

    /** Returns the written paths, in the order of the body, without enclosing ones. */
    List<Path> paths() {
        return writes.stream()
                .filter(write -> write.how() != How.AROUND)
                .map(Write::path)
                .distinct()
                .toList();
    }

    private static @Nullable Object plain(Object value) {
        return switch (value) {
            case Integer number -> number.longValue();
            case Float number -> number.doubleValue();
            case List<?> list -> list.stream().map(Writes::plain).toList();
            case Map<?, ?> map -> {
                Map<Object, @Nullable Object> plain = new LinkedHashMap<>();
                map.forEach((key, inner) -> plain.put(key, plain(inner)));
                yield plain;
            }
            default -> value;
        };
    }

    private static @Nullable Object at(@Nullable Object tree, List<String> steps) {
        Object value = tree;
        for (String step : steps) {
            if (value instanceof Map<?, ?> map) {
                value = map.get(step);
            } else if (value instanceof List<?> list) {
                int index = step.matches("\\d{1,9}") ? Integer.parseInt(step) : -1;
                value = index >= 0 && index < list.size() ? list.get(index) : null;
            } else {
                return null;
            }
        }
        return value;
    }

    private void add(Path path, @Nullable Object value, How how) {
        writes.add(new Write(path, value, how));
    }

    private void value(Path path, @Nullable Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                add(path, value, How.AROUND);
                map.forEach((key, inner) -> value(path.then(String.valueOf(key)), inner));
            }
            case List<?> list -> {
                add(path, value, How.AROUND);
                for (int i = 0; i < list.size(); i++) {
                    value(path.then(String.valueOf(i)), list.get(i));
                }
            }
            case null, default -> add(path, value, How.VALUE);
        }
    }

    private void replacement(Body.Replacement replacement) {
        JsonObject after = decided(replacement.object());
        JsonObject before = replacement.present().map(Writes::decided).orElseGet(JsonObject::new);
        String part = replacement.part();
        if (part.isEmpty()) {
            difference(Path.ROOT, before, after);
        } else {
            difference(Path.ROOT.then(part), before.get(part), after.get(part));
        }
    }

    /** Returns the object without the fields that only the server sets. */
    private static JsonObject decided(Encoded object) {
        JsonObject tree = tree(object);
        tree.remove("apiVersion");
        tree.remove("kind");
        tree.findObject("metadata").ifPresent(metadata -> metadata.keySet().removeAll(OF_THE_SERVER));
        return tree;
    }

    private void difference(Path path, @Nullable Object before, @Nullable Object after) {
        if (Objects.equals(before, after)) {
            return;
        }
        if (before instanceof JsonObject was && after instanceof JsonObject is) {
            add(path, after, How.AROUND);
            Set<Object> keys = new LinkedHashSet<>(is.keySet());
            keys.addAll(was.keySet());
            for (Object key : keys) {
                difference(path.then(String.valueOf(key)), was.get(key), is.get(key));
            }
        } else if (before instanceof List<?> was && after instanceof List<?> is) {
            add(path, after, How.AROUND);
            for (int i = 0; i < Math.max(was.size(), is.size()); i++) {
                Object old = i < was.size() ? was.get(i) : null;
                difference(path.then(String.valueOf(i)), old, i < is.size() ? is.get(i) : null);
            }
        } else if (before == null) {
            value(path, after);
        } else {
            add(path, after, How.WHOLE);
        }
    }

    private void patch(Patch patch) {
        if (patch.type() == Patch.Type.APPLY) {
            value(Path.ROOT, Yaml.parseObject(patch.bytes(), JsonLimits.DEFAULT));
            return;
        }
        Object tree = Json.parse(patch.bytes(), JsonLimits.DEFAULT);
        if (patch.type() != Patch.Type.JSON) {
            merge(Path.ROOT, tree);
        } else if (tree instanceof List<?> operations) {
            operations.forEach(this::operation);
        }
    }

    private void operation(@Nullable Object operation) {
        Path path = Path.pointer(Json.string(operation, "path"));
        switch (Json.string(operation, "op")) {
            case "add", "replace" -> add(path, Json.at(operation, "value"), How.WHOLE);
            case "remove", "copy" -> add(path, null, How.WHOLE);
            case "move" -> {
                add(Path.pointer(Json.string(operation, "from")), null, How.WHOLE);
                add(path, null, How.WHOLE);
            }
            default -> {
                // a test operation writes nothing
            }
        }
    }

    private void merge(Path path, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            add(path, value, How.WHOLE);
            return;
        }
        add(path, value, How.AROUND);
        map.forEach((key, inner) -> {
            String name = String.valueOf(key);
            if (name.startsWith("$")) {
                // a directive of strategic merge: for a field, or for the whole object
                int slash = name.indexOf('/');
                add(slash < 0 ? path : path.then(name.substring(slash + 1)), null, How.WHOLE);
            } else {
                merge(path.then(name), inner);
            }
        });
    }
}
