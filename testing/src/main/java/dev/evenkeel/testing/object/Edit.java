package dev.evenkeel.testing.object;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.testing.diff.FieldPath;
import dev.evenkeel.testing.diff.FieldPath.Append;
import dev.evenkeel.testing.diff.FieldPath.Field;
import dev.evenkeel.testing.diff.FieldPath.Index;
import dev.evenkeel.testing.diff.FieldPath.Step;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A change of a tree at a path. Absent fields of the path are created; entries of lists only when the path states it. A
 * step that does not fit is refused, with the possible ones.
 */
final class Edit {
    private static final DateTimeFormatter MICROSECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final String call;
    private final List<Step> steps;

    private Edit(String call, FieldPath path) {
        this.call = call + "(\"" + path + "\")";
        this.steps = path.steps();
        if (steps.isEmpty()) {
            throw new IllegalArgumentException(this.call + ": the path is empty");
        }
    }

    static void put(String call, JsonObject tree, Shape shape, FieldPath path, Object value) {
        new Edit(call, path).put(tree, shape, 0, value);
    }

    static void remove(String call, JsonObject tree, Shape shape, FieldPath path) {
        new Edit(call, path).remove(tree, shape, 0);
    }

    private Object put(@Nullable Object here, Shape shape, int i, Object value) {
        if (i == steps.size()) {
            try {
                shape.check("", value);
            } catch (IllegalArgumentException e) {
                throw wrong(i - 1, "the value does not fit: " + e.getMessage());
            }
            return value instanceof String text
                            && shape instanceof Shape.Leaf(String type)
                            && type.equals("ZonedDateTime")
                    ? microseconds(text, i - 1)
                    : value;
        }
        return switch (steps.get(i)) {
            case Field(String name) -> {
                Shape next = field(shape, i, name);
                JsonObject map = map(here, i);
                map.put(name, put(map.get(name), next, i + 1, value));
                yield map;
            }
            case Append(Map<String, Object> key) -> {
                Shape next = element(shape, i);
                List<@Nullable Object> list = here == null ? new ArrayList<>() : list(here, i);
                if (!key.isEmpty() && list.stream().anyMatch(new FieldPath.Entry(key)::matches)) {
                    throw wrong(i, "the entry exists already: write " + new FieldPath.Entry(key));
                }
                JsonObject begun = new JsonObject(key);
                key.keySet().forEach(name -> field(next, i, name));
                Object entry = put(key.isEmpty() ? null : begun, next, i + 1, value);
                if (i + 1 == steps.size() && entry instanceof JsonObject) {
                    // the value is the entry, with the key from the path
                    begun.putAll(Json.asObject(entry));
                    entry = begun;
                }
                list.add(entry);
                yield list;
            }
            case Step step
            when step instanceof Index || step instanceof FieldPath.Entry -> {
                Shape next = element(shape, i);
                List<@Nullable Object> list = here == null ? new ArrayList<>() : list(here, i);
                int index = find(list, i);
                list.set(index, put(list.get(index), next, i + 1, value));
                yield list;
            }
            default -> throw wrong(i, "a pattern does not name a single field");
        };
    }

    /** Formats a time as the API does with microseconds: model classes parse no other format. */
    private String microseconds(String time, int i) {
        try {
            return MICROSECONDS.format(Instant.parse(time));
        } catch (DateTimeParseException e) {
            throw wrong(i, "\"" + time + "\" is not a time, such as 2026-01-02T03:04:05Z");
        }
    }

    private void remove(@Nullable Object here, Shape shape, int i) {
        boolean last = i == steps.size() - 1;
        switch (steps.get(i)) {
            case Field(String name) -> {
                Shape next = field(shape, i, name);
                JsonObject map = map(here, i);
                if (map.get(name) == null) {
                    throw wrong(i, "there is nothing to remove");
                }
                if (last) {
                    map.remove(name);
                } else {
                    remove(map.get(name), next, i + 1);
                }
            }
            case Step step
            when step instanceof Index || step instanceof FieldPath.Entry -> {
                Shape next = element(shape, i);
                List<@Nullable Object> list = list(here, i);
                int index = find(list, i);
                if (last) {
                    list.remove(index);
                } else {
                    remove(list.get(index), next, i + 1);
                }
            }
            case Append unused -> throw wrong(i, "an appended entry cannot be removed");
            default -> throw wrong(i, "a pattern does not name a single field");
        }
    }

    private Shape field(Shape shape, int i, String name) {
        return fitting(i, () -> shape.field(name));
    }

    private Shape element(Shape shape, int i) {
        return fitting(i, shape::element);
    }

    private Shape fitting(int i, Supplier<Shape> shape) {
        try {
            return shape.get();
        } catch (IllegalArgumentException e) {
            throw wrong(i, e.getMessage());
        }
    }

    private JsonObject map(@Nullable Object here, int i) {
        if (here == null) {
            return new JsonObject();
        }
        return Json.object(here).orElseThrow(() -> wrong(i, "this is not an object: " + Json.text(here)));
    }

    private List<@Nullable Object> list(@Nullable Object here, int i) {
        if (here instanceof List<?>) {
            return Json.asArray(here);
        }
        throw wrong(i, here == null ? "the list is missing" : "this is not a list: " + Json.text(here));
    }

    private int find(List<@Nullable Object> list, int i) {
        Step step = steps.get(i);
        if (step instanceof Index(int index)) {
            if (index < list.size()) {
                return index;
            }
            String entries = list.size() + (list.size() == 1 ? " entry" : " entries");
            throw wrong(i, "the list has " + entries + "; write [+] to append");
        }
        FieldPath.Entry entry = (FieldPath.Entry) step;
        for (int at = 0; at < list.size(); at++) {
            if (entry.matches(list.get(at))) {
                return at;
            }
        }
        String there = list.stream()
                .map(other -> other instanceof JsonObject map ? key(entry, map) : Json.text(other))
                .collect(Collectors.joining(", "));
        String present = there.isEmpty() ? "the list is empty" : "there are " + there;
        String append = new Append(entry.key()).toString();
        throw wrong(i, "the entry is missing, " + present + "; write " + append + " to append it");
    }

    /** Describes an entry by the same fields as the wanted one. */
    private static String key(FieldPath.Entry wanted, JsonObject other) {
        Map<String, Object> key = new JsonObject();
        wanted.key().keySet().forEach(field -> {
            if (other.get(field) != null) {
                key.put(field, Objects.requireNonNull(other.get(field)));
            }
        });
        return new FieldPath.Entry(key).toString();
    }

    private IllegalArgumentException wrong(int i, @Nullable String what) {
        return new IllegalArgumentException(
                call + ", step " + (i + 1) + " \"" + steps.get(Math.max(i, 0)) + "\": " + what);
    }
}
