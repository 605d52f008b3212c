package dev.evenkeel.engine.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.Separators;
import dev.evenkeel.engine.JsonLimits;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.DoubleFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * JSON documents as plain Java trees.
 *
 * <p>A tree consists of {@link JsonObject}, {@code List<Object>} (an {@link
 * ArrayList}, mutable), {@link String}, {@link Boolean}, {@link Long} (integers that fit in 64 bits), {@link Double}
 * (all other numbers, as in Go) and {@code null}. The holder of a tree owns it: trees are never shared between
 * requests. Inside the engine, {@code equals} of trees is equality of documents: 1 and 1.0 differ.
 */
public final class Json {
    private static final JsonFactory WRITER = JsonFactory.builder()
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
            .streamWriteConstraints(
                    StreamWriteConstraints.builder().maxNestingDepth(10_000).build())
            .build();
    private static final DefaultIndenter TWO_SPACES = new DefaultIndenter("  ", "\n");
    private static final JsonFactory DEFAULT_READER = factory(JsonLimits.DEFAULT);
    private static final Map<JsonLimits, JsonFactory> READERS = new ConcurrentHashMap<>();

    /** Compares keys by their UTF-8 bytes, which is how Go sorts them. */
    public static final Comparator<String> KEY_ORDER = Json::compareKeys;

    private Json() {}

    private static int compareKeys(String left, String right) {
        int end = Math.min(left.length(), right.length());
        for (int i = 0; i < end; i++) {
            char l = left.charAt(i);
            char r = right.charAt(i);
            if (l != r) {
                // surrogates encode code points above all other characters
                boolean pair = Character.isSurrogate(l);
                return pair == Character.isSurrogate(r) ? Character.compare(l, r) : pair ? 1 : -1;
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    /** Parses one document; of duplicate keys the last wins. */
    public static @Nullable Object parse(byte[] bytes, JsonLimits limits) {
        return parse(bytes, limits, path -> {});
    }

    /** Parses one document within the default limits. */
    public static @Nullable Object parse(String text) {
        return parse(text.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    /** Parses one document that must be an object. */
    public static JsonObject parseObject(byte[] bytes, JsonLimits limits) {
        return onlyObject(parse(bytes, limits));
    }

    static JsonObject onlyObject(@Nullable Object document) {
        return object(document)
                .orElseThrow(() -> new JsonException("json: cannot unmarshal non-object into an object"));
    }

    /**
     * Parses one document.
     *
     * @param duplicates receives the path ({@code data.a}, {@code items[0].name}) of each key that occurs again in its
     *     object, in the order of the document; the last value wins
     * @throws JsonException when the bytes are not a single JSON document, or exceed a limit
     */
    public static @Nullable Object parse(byte[] bytes, JsonLimits limits, Consumer<String> duplicates) {
        return parse(bytes, limits, duplicates, new Reading(Json::finite, false));
    }

    /**
     * Parses one document whose types may read its numbers in another way: those beyond the range are infinite.
     *
     * @param fractions runs for each number that is not a {@code Long}
     */
    public static @Nullable Object parse(
            byte[] bytes, JsonLimits limits, Consumer<String> duplicates, Runnable fractions) {
        DoubleFunction<Double> numbers = number -> {
            fractions.run();
            return number;
        };
        return parse(bytes, limits, duplicates, new Reading(numbers, false));
    }

    /** Parses one document whose objects are {@link ListedObject}s. Numbers beyond the range are infinite. */
    public static @Nullable Object parseListed(byte[] bytes, JsonLimits limits) {
        return parse(bytes, limits, path -> {}, new Reading(number -> number, true));
    }

    /** The reader of numbers other than integers of 64 bits, and whether to list the members of objects. */
    private record Reading(DoubleFunction<Double> numbers, boolean lists) {}

    private static @Nullable Object parse(
            byte[] bytes, JsonLimits limits, Consumer<String> duplicates, Reading reading) {
        checkSize(bytes, limits);
        checkShortest(bytes);
        try (JsonParser parser = reader(limits).createParser(bytes)) {
            if (parser.nextToken() == null) {
                throw new JsonException("unexpected end of JSON input");
            }
            Object value = read(parser, duplicates, mayHoldSurrogates(bytes), reading);
            if (parser.nextToken() != null) {
                throw new JsonException(JsonSyntax.error(bytes, "more than one JSON document"));
            }
            return value;
        } catch (StreamConstraintsException e) {
            throw new JsonException(exceeded(e, limits));
        } catch (JsonProcessingException e) {
            throw new JsonException(JsonSyntax.error(bytes, "invalid UTF-8 in JSON text"));
        } catch (CharConversionException e) {
            throw new JsonException("invalid UTF-8 in JSON text");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Refuses characters that take more bytes than they need: the parser accepts them, filters before it see others. */
    private static void checkShortest(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            byte b = bytes[i];
            if (b >= (byte) 0xc0 && b < 0) {
                int next = i + 1 < bytes.length ? bytes[i + 1] & 0xff : 0;
                if ((b & 0xfe) == 0xc0 || (b == (byte) 0xe0 && next < 0xa0) || (b == (byte) 0xf0 && next < 0x90)) {
                    throw new JsonException("invalid UTF-8 in JSON text");
                }
            }
        }
    }

    static void checkSize(byte[] bytes, JsonLimits limits) {
        if (bytes.length > limits.maxBytes()) {
            throw new JsonException("document of " + bytes.length + " bytes exceeds the limit of " + limits.maxBytes());
        }
    }

    private static String exceeded(StreamConstraintsException e, JsonLimits limits) {
        String message = e.getOriginalMessage();
        if (message.contains("nesting depth")) {
            return "exceeded max depth";
        }
        return message.contains("umber")
                ? "number is longer than " + limits.maxNumberLength() + " characters"
                : "string is longer than " + limits.maxStringLength() + " characters";
    }

    // nearly all limits are this instance
    @SuppressWarnings("ReferenceEquality")
    private static JsonFactory reader(JsonLimits limits) {
        return limits == JsonLimits.DEFAULT ? DEFAULT_READER : READERS.computeIfAbsent(limits, Json::factory);
    }

    private static JsonFactory factory(JsonLimits limits) {
        return JsonFactory.builder()
                .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                // clients choose the keys: they must not stay in a table of the JVM
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                // only UTF-8
                .disable(JsonFactory.Feature.CHARSET_DETECTION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(limits.maxDepth())
                        .maxStringLength(limits.maxStringLength())
                        .maxNameLength(Math.min(limits.maxStringLength(), 1 << 20))
                        .maxNumberLength(limits.maxNumberLength())
                        .build())
                .build();
    }

    /** Iterative, so that depth costs heap and not stack. */
    private static @Nullable Object read(
            JsonParser parser, Consumer<String> duplicates, boolean surrogates, Reading reading) throws IOException {
        ArrayDeque<Frame> open = new ArrayDeque<>();
        List<String> repeated = new ArrayList<>(0);
        Frame top = null;
        while (true) {
            JsonToken token = parser.currentToken();
            Object value;
            switch (token) {
                case START_OBJECT, START_ARRAY -> {
                    if (top != null) {
                        open.push(top);
                    }
                    top = new Frame(token == JsonToken.START_OBJECT, reading.lists());
                    parser.nextToken();
                    continue;
                }
                case FIELD_NAME -> {
                    Frame frame = Objects.requireNonNull(top);
                    frame.key = surrogates ? wellFormed(parser.currentName()) : parser.currentName();
                    frame.repeatedBefore = repeated.size();
                    parser.nextToken();
                    continue;
                }
                case END_OBJECT, END_ARRAY -> {
                    value = Objects.requireNonNull(top).container;
                    top = open.poll();
                }
                case VALUE_STRING -> value = surrogates ? wellFormed(parser.getText()) : parser.getText();
                case VALUE_NUMBER_INT -> value = integer(parser, reading);
                case VALUE_NUMBER_FLOAT -> value = reading.numbers().apply(parser.getDoubleValue());
                case VALUE_TRUE -> value = true;
                case VALUE_FALSE -> value = false;
                case VALUE_NULL -> value = null;
                default -> throw new JsonException("unexpected end of JSON input");
            }
            if (top == null) {
                repeated.forEach(duplicates);
                return value;
            }
            if (top.add(value)) {
                // a key comes before those of its value
                repeated.add(top.repeatedBefore, path(open, top));
            }
            if (parser.nextToken() == null) {
                throw new JsonException("unexpected end of JSON input");
            }
        }
    }

    /** Returns true if a string in the text may contain surrogates: only then does each string need a check. */
    private static boolean mayHoldSurrogates(byte[] bytes) {
        byte before = 0;
        for (byte b : bytes) {
            if (b == (byte) 0xed || (b == 'u' && before == '\\')) {
                return true;
            }
            before = b;
        }
        return false;
    }

    /**
     * Returns the text with a replacement character for each half of a surrogate pair, as Go does: those cannot be
     * written.
     */
    static String wellFormed(String text) {
        StringBuilder repaired = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            if (repaired == null) {
                repaired = new StringBuilder(text);
            }
            repaired.setCharAt(i, '\ufffd');
        }
        return repaired == null ? text : repaired.toString();
    }

    private static Object integer(JsonParser parser, Reading reading) throws IOException {
        return switch (parser.getNumberType()) {
            case INT, LONG -> parser.getLongValue();
            default -> reading.numbers().apply(parser.getDoubleValue());
        };
    }

    private static Double finite(double value) {
        if (Double.isInfinite(value)) {
            throw new JsonException("number out of range");
        }
        return value;
    }

    /** Returns the path of the first number beyond the range: keys and indexes. */
    public static Optional<List<Object>> infinite(@Nullable Object tree) {
        List<Object> path = new ArrayList<>();
        return infinite(tree, path) ? Optional.of(path) : Optional.empty();
    }

    private static boolean infinite(@Nullable Object tree, List<Object> path) {
        return switch (tree) {
            case Double number -> number.isInfinite();
            case JsonObject object -> {
                for (Map.Entry<String, @Nullable Object> entry : object.entrySet()) {
                    path.add(entry.getKey());
                    if (infinite(entry.getValue(), path)) {
                        yield true;
                    }
                    path.removeLast();
                }
                yield false;
            }
            case List<?> list -> {
                for (int i = 0; i < list.size(); i++) {
                    path.add(i);
                    if (infinite(list.get(i), path)) {
                        yield true;
                    }
                    path.removeLast();
                }
                yield false;
            }
            case null, default -> false;
        };
    }

    private static String path(ArrayDeque<Frame> open, Frame top) {
        StringBuilder path = new StringBuilder();
        open.descendingIterator().forEachRemaining(frame -> frame.appendTo(path));
        top.appendTo(path);
        return path.toString();
    }

    private static final class Frame {
        private final Object container;
        private String key = "";
        /** The number of repeated keys that were read before this one. */
        private int repeatedBefore;

        Frame(boolean object, boolean lists) {
            container = !object ? new ArrayList<>() : lists ? new ListedObject() : new JsonObject();
        }

        /** Adds a value and returns true if the key existed before. */
        boolean add(@Nullable Object value) {
            if (container instanceof JsonObject object) {
                int before = object.size();
                object.put(key, value);
                return object.size() == before;
            }
            if (container instanceof ListedObject object) {
                object.members().add(new AbstractMap.SimpleImmutableEntry<>(key, value));
                return false;
            }
            asArray(container).add(value);
            return false;
        }

        void appendTo(StringBuilder path) {
            if (container instanceof JsonObject) {
                path.append(path.isEmpty() ? "" : ".").append(key);
            } else {
                path.append('[').append(asArray(container).size()).append(']');
            }
        }
    }

    /** Returns the compact encoding, UTF-8, keys in the order of the maps. */
    public static byte[] write(@Nullable Object tree) {
        return write(tree, false);
    }

    /** Returns the encoding indented by two spaces. */
    public static byte[] writePretty(@Nullable Object tree) {
        return write(tree, true);
    }

    private static byte[] write(@Nullable Object tree, boolean pretty) {
        WholeOutput out = new WholeOutput();
        try (JsonGenerator generator = WRITER.createGenerator(out)) {
            if (pretty) {
                generator.setPrettyPrinter(indentation());
            }
            write(generator, tree);
            if (pretty) {
                generator.writeRaw('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /**
     * Indents by two spaces a level, with one array item a line, {@code "key": value}, and {@code {}} and {@code []}
     * for empty containers.
     */
    private static PrettyPrinter indentation() {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
        printer.indentObjectsWith(TWO_SPACES);
        printer.indentArraysWith(TWO_SPACES);
        return printer;
    }

    /**
     * Returns the compact encoding with the keys of all objects sorted, which is how Go writes maps: equal documents
     * have equal bytes.
     */
    public static byte[] writeSorted(@Nullable Object tree) {
        return write(sorted(tree));
    }

    /** Returns a copy with the keys of all objects in {@link #KEY_ORDER}. */
    public static @Nullable Object sorted(@Nullable Object tree) {
        return switch (tree) {
            case null -> null;
            case JsonObject object -> object.sorted();
            // callers' own maps, such as the values of their field errors
            case Map<?, ?> map -> {
                JsonObject object = new JsonObject(map.size());
                map.forEach((key, value) -> object.put((String) key, value));
                yield object.sorted();
            }
            case List<?> list -> mapped(list, Json::sorted);
            default -> tree;
        };
    }

    public static String text(@Nullable Object tree) {
        return new String(write(tree), StandardCharsets.UTF_8);
    }

    /** Returns JSON text as Go's encoder writes it by default: safe to embed in HTML. */
    public static String html(@Nullable Object tree) {
        String json = text(tree);
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029') {
                return json.replace("<", "\\u003c")
                        .replace(">", "\\u003e")
                        .replace("&", "\\u0026")
                        .replace("\u2028", "\\u2028")
                        .replace("\u2029", "\\u2029");
            }
        }
        return json;
    }

    static void write(JsonGenerator generator, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> generator.writeNull();
            case JsonObject object -> object.write(generator);
            case Map<?, ?> map -> {
                generator.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    generator.writeFieldName((String) entry.getKey());
                    write(generator, entry.getValue());
                }
                generator.writeEndObject();
            }
            case List<?> list -> {
                generator.writeStartArray();
                for (Object item : list) {
                    write(generator, item);
                }
                generator.writeEndArray();
            }
            case String text -> generator.writeString(text);
            case Boolean flag -> generator.writeBoolean(flag);
            case Integer number -> generator.writeNumber(number);
            case Long number -> generator.writeNumber(number);
            case Double number -> generator.writeNumber(Numbers.text(number));
            default -> throw new IllegalArgumentException("not a JSON value: " + value.getClass());
        }
    }

    /** Returns the value as an object, if it is one. */
    public static Optional<JsonObject> object(@Nullable Object value) {
        return value instanceof JsonObject object ? Optional.of(object) : Optional.empty();
    }

    /** Returns a value that was checked to be an object; throws an {@link IllegalStateException} otherwise. */
    public static JsonObject asObject(@Nullable Object value) {
        if (value instanceof JsonObject object) {
            return object;
        }
        throw new IllegalStateException("not an object: " + value);
    }

    /** Returns a value that was checked to be an array; throws an {@link IllegalStateException} otherwise. */
    @SuppressWarnings("unchecked")
    public static List<@Nullable Object> asArray(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return (List<@Nullable Object>) list;
        }
        throw new IllegalStateException("not an array: " + value);
    }

    /** Returns the value as an array; an immutable empty one when it is not an array. */
    @SuppressWarnings("unchecked")
    public static List<@Nullable Object> array(@Nullable Object value) {
        return value instanceof List<?> list ? (List<@Nullable Object>) list : List.of();
    }

    /** Returns the value under a path of object keys; null when a step is missing or not an object. */
    public static @Nullable Object at(@Nullable Object tree, String... keys) {
        return tree instanceof JsonObject object ? object.at(keys) : keys.length == 0 ? tree : null;
    }

    /** Returns the string under a path of object keys; empty when it is missing or not a string. */
    public static String string(@Nullable Object tree, String... keys) {
        return at(tree, keys) instanceof String text ? text : "";
    }

    /** Returns the integer under a path of object keys; 0 when it is missing or not an integer. */
    public static long integer(@Nullable Object tree, String... keys) {
        return at(tree, keys) instanceof Long number ? number : 0;
    }

    /** Returns true for null, and for a text, an array or an object with nothing in it. */
    public static boolean isEmpty(@Nullable Object value) {
        return switch (value) {
            case null -> true;
            case String text -> text.isEmpty();
            case List<?> list -> list.isEmpty();
            case JsonObject object -> object.isEmpty();
            default -> false;
        };
    }

    /** Returns a copy that shares no container with the original. */
    public static @Nullable Object copy(@Nullable Object tree) {
        return switch (tree) {
            case null -> null;
            case JsonObject object -> object.copy();
            case List<?> list -> mapped(list, Json::copy);
            default -> tree;
        };
    }

    private static List<@Nullable Object> mapped(List<?> list, UnaryOperator<@Nullable Object> operator) {
        List<@Nullable Object> mapped = new ArrayList<>(list.size());
        list.forEach(value -> mapped.add(operator.apply(value)));
        return mapped;
    }
}
