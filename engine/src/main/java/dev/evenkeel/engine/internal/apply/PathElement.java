package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One step from a container to something in it. Elements are ordered as upstream orders them: fields by name, then list
 * items by key, by value, by index; {@code compareTo} is consistent with {@code equals}.
 */
sealed interface PathElement extends Comparable<PathElement> {
    /** The field of an object: {@code f:name}. */
    record Field(String name) implements PathElement {}

    /** The item of a list map: {@code k:{"port":80}}. Names are sorted; values are normal, see {@link Values}. */
    record Key(List<String> names, List<@Nullable Object> values) implements PathElement {}

    /** The item of a set: {@code v:"a"}. The value is normal, see {@link Values}. */
    record Item(@Nullable Object value) implements PathElement {}

    /** The item of a list at a position: {@code i:0}. */
    record Index(int index) implements PathElement {}

    /** Returns the element of the item of a list map with these keys. */
    static PathElement key(SortedMap<String, @Nullable Object> fields) {
        List<@Nullable Object> values = new ArrayList<>(fields.size());
        fields.values().forEach(value -> values.add(Values.normal(value)));
        return new Key(List.copyOf(fields.keySet()), values);
    }

    /** Returns the element of the item of a set. */
    static PathElement item(@Nullable Object value) {
        return new Item(Values.normal(value));
    }

    /**
     * Parses the form used in FieldsV1; empty for an unknown type of element, which is to be ignored.
     *
     * @throws UntypedException when the text is malformed
     */
    static Optional<PathElement> parse(String text) {
        if (text.length() < 2) {
            throw new UntypedException("key must be 2 characters long:");
        }
        if (text.charAt(1) != ':') {
            throw new UntypedException("missing colon: " + text);
        }
        String content = text.substring(2);
        return switch (text.charAt(0)) {
            case 'f' -> Optional.of(new Field(content));
            case 'v' -> Optional.of(item(json(content)));
            case 'k' -> {
                if (!(json(content) instanceof JsonObject map)) {
                    throw new UntypedException("not an object: " + text);
                }
                yield Optional.of(key(new TreeMap<>(map)));
            }
            case 'i' -> {
                try {
                    yield Optional.of(new Index(Integer.parseInt(content)));
                } catch (NumberFormatException e) {
                    throw new UntypedException("not an index: " + text);
                }
            }
            default -> Optional.empty();
        };
    }

    private static @Nullable Object json(String text) {
        int last = text.length() - 1;
        if (last > 0 && text.charAt(0) == '"' && text.indexOf('"', 1) == last && text.indexOf('\\') < 0) {
            return text.substring(1, last);
        }
        try {
            return Json.parse(text);
        } catch (JsonException e) {
            throw new UntypedException(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the form used in FieldsV1. */
    default String text() {
        return switch (this) {
            case Field field -> "f:" + field.name();
            case Item item -> "v:" + Json.html(item.value());
            case Index index -> "i:" + index.index();
            case Key key -> {
                StringJoiner text = new StringJoiner(",", "k:{", "}");
                for (int i = 0; i < key.names().size(); i++) {
                    String value = Json.html(key.values().get(i));
                    text.add(Json.text(key.names().get(i)) + ":" + value);
                }
                yield text.toString();
            }
        };
    }

    /** Returns the form used in messages, such as {@code .name} or {@code [port=80]}. */
    default String shown() {
        return switch (this) {
            case Field field -> "." + field.name();
            case Item item -> "[=" + GoText.value(item.value()) + "]";
            case Index index -> "[" + index.index() + "]";
            case Key key -> {
                StringJoiner text = new StringJoiner(",", "[", "]");
                for (int i = 0; i < key.names().size(); i++) {
                    text.add(
                            key.names().get(i) + "=" + GoText.value(key.values().get(i)));
                }
                yield text.toString();
            }
        };
    }

    @Override
    default int compareTo(PathElement other) {
        if (this instanceof Field a && other instanceof Field b) {
            return a.name().compareTo(b.name());
        }
        if (this instanceof Key a && other instanceof Key b) {
            return compare(a, b);
        }
        if (this instanceof Item a && other instanceof Item b) {
            return Values.compare(a.value(), b.value());
        }
        if (this instanceof Index a && other instanceof Index b) {
            return Integer.compare(a.index(), b.index());
        }
        return Integer.compare(rank(this), rank(other));
    }

    private static int rank(PathElement element) {
        return switch (element) {
            case Field field -> 0;
            case Key key -> 1;
            case Item item -> 2;
            case Index index -> 3;
        };
    }

    private static int compare(Key a, Key b) {
        for (int i = 0; i < a.names().size() && i < b.names().size(); i++) {
            int order = a.names().get(i).compareTo(b.names().get(i));
            if (order == 0) {
                order = Values.compare(a.values().get(i), b.values().get(i));
            }
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.names().size(), b.names().size());
    }
}
