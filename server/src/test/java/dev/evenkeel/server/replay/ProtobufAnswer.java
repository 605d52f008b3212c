package dev.evenkeel.server.replay;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decodes answers in protobuf to JSON by the field numbers of the recordings' fact tables, independently of the
 * server's encoder.
 */
final class ProtobufAnswer {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final JsonLimits ANY = new JsonLimits(1 << 28, 2000, 1 << 27, 2000, 50);
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final DateTimeFormatter MICROS =
            new DateTimeFormatterBuilder().appendInstant(6).toFormatter();

    private final JsonObject types;
    private final Map<String, String> definitions = new HashMap<>();

    /** A decoder by the file {@code types.json} of the fact tables. */
    ProtobufAnswer(Path facts) {
        try {
            types = Json.parseObject(Files.readAllBytes(facts), ANY).object("types");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        types.forEach((definition, type) -> {
            for (Object gvk : Json.asArray(Json.at(type, "gvk") == null ? List.of() : Json.at(type, "gvk"))) {
                List<?> parts = Json.asArray(gvk);
                String group = (String) parts.get(0);
                definitions.put((group.isEmpty() ? "" : group + "/") + parts.get(1) + " " + parts.get(2), definition);
            }
        });
    }

    /** Decodes a document with its envelope; empty when the bytes are not such a document. */
    Optional<Object> document(byte[] bytes) {
        if (bytes.length < MAGIC.length || !Arrays.equals(MAGIC, Arrays.copyOf(bytes, MAGIC.length))) {
            return Optional.empty();
        }
        try {
            ByteBuffer raw = ByteBuffer.wrap(new byte[0]);
            String version = "";
            String kind = "";
            for (Entry entry : entries(ByteBuffer.wrap(bytes, MAGIC.length, bytes.length - MAGIC.length))) {
                if (entry.number() == 1) {
                    for (Entry part : entries(entry.bytes())) {
                        version = part.number() == 1 ? part.text() : version;
                        kind = part.number() == 2 ? part.text() : kind;
                    }
                } else if (entry.number() == 2) {
                    raw = entry.bytes();
                }
            }
            JsonObject document = new JsonObject();
            document.put("kind", kind);
            document.put("apiVersion", version);
            document.putAll(message(definition(version, kind), raw));
            return Optional.of(document);
        } catch (BufferUnderflowException e) {
            return Optional.empty();
        }
    }

    /** Decodes the frames of a watch. */
    List<@Nullable Object> events(byte[] stream) {
        List<@Nullable Object> events = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(stream);
        while (in.remaining() >= Integer.BYTES) {
            int length = in.order(ByteOrder.BIG_ENDIAN).getInt();
            if (length < 0 || length > in.remaining()) {
                break;
            }
            JsonObject event = new JsonObject();
            for (Entry entry : entries(in.slice(in.position(), length))) {
                if (entry.number() == 1) {
                    event.put("type", entry.text());
                } else {
                    byte[] object = entries(entry.bytes()).getFirst().copy();
                    event.put("object", document(object).orElse(null));
                }
            }
            events.add(event);
            in.position(in.position() + length);
        }
        return events;
    }

    /** Removes what a decoded answer may lack: nulls and empty lists. */
    static @Nullable Object compact(@Nullable Object tree) {
        return switch (tree) {
            case Map<?, ?> map -> {
                JsonObject kept = new JsonObject();
                map.forEach((key, value) -> {
                    if (value != null && !(value instanceof List<?> list && list.isEmpty())) {
                        kept.put((String) key, compact(value));
                    }
                });
                yield kept;
            }
            case List<?> list -> list.stream().map(ProtobufAnswer::compact).toList();
            case null, default -> tree;
        };
    }

    private String definition(String version, String kind) {
        String known = definitions.getOrDefault(version + " " + kind, "");
        return known.isEmpty() ? META + kind : known;
    }

    private JsonObject message(String definition, ByteBuffer bytes) {
        JsonObject result = new JsonObject();
        JsonObject fields = types.object(definition, "fields");
        List<Entry> entries = entries(bytes);
        fields.forEach((name, facts) -> {
            List<Entry> found = entries;
            List<Long> path = numbers(Json.at(facts, "n"));
            for (int i = 0; i < path.size(); i++) {
                long number = path.get(i);
                found = found.stream().filter(entry -> entry.number() == number).toList();
                if (i < path.size() - 1) {
                    found = found.stream()
                            .flatMap(entry -> entries(entry.bytes()).stream())
                            .toList();
                }
            }
            if (path.isEmpty()) {
                return;
            }
            if (!found.isEmpty()) {
                Object value = field(facts, found);
                boolean zero = !Boolean.TRUE.equals(Json.at(facts, "p"))
                        && (value == null
                                || value.equals("")
                                || value.equals(0L)
                                || value.equals(false)
                                || value.equals(new JsonObject()));
                if (!zero || ((JsonObject) facts).containsKey("z")) {
                    result.put(name, value);
                }
            } else if (((JsonObject) facts).containsKey("z")) {
                result.put(name, ((JsonObject) facts).get("z"));
            }
        });
        return result;
    }

    private static List<Long> numbers(@Nullable Object value) {
        return switch (value) {
            case Long number -> List.of(number);
            case List<?> list -> list.stream().map(Long.class::cast).toList();
            case null, default -> List.of();
        };
    }

    private @Nullable Object field(@Nullable Object facts, List<Entry> found) {
        String protobuf = Json.string(facts, "pt");
        return switch (Json.string(facts, "t")) {
            case "array" -> {
                List<@Nullable Object> items = new ArrayList<>();
                found.forEach(entry -> items.add(value(Json.at(facts, "items"), protobuf, entry)));
                yield items;
            }
            case "map" -> {
                JsonObject map = new JsonObject();
                for (Entry pair : found) {
                    String key = "";
                    Object value = "";
                    for (Entry part : entries(pair.bytes())) {
                        if (part.number() == 1) {
                            key = part.text();
                        } else {
                            value = value(Json.at(facts, "vals"), protobuf.replaceFirst("^map \\S+ ", ""), part);
                        }
                    }
                    map.put(key, value);
                }
                yield map;
            }
            default -> value(facts, protobuf, found.getLast());
        };
    }

    private @Nullable Object value(@Nullable Object facts, String protobuf, Entry entry) {
        return switch (Json.string(facts, "t")) {
            case "ref" -> message(Json.string(facts, "ref"), entry.bytes());
            case "time", "microtime", "timestamp" -> time(Json.string(facts, "t"), entry);
            case "duration" ->
                entries(entry.bytes()).stream().map(Entry::value).findFirst().orElse(0L) + "ns";
            case "quantity" -> first(entry, 1);
            case "intstr" -> intOrString(entry);
            case "raw", "fieldsv1" -> Json.parse(first(entry, 1).getBytes(StandardCharsets.UTF_8), ANY);
            case "items" -> entries(entry.bytes()).stream().map(Entry::text).toList();
            case "array" -> entries(entry.bytes()).stream().map(Entry::text).toList();
            case "boolean" -> entry.value() != 0;
            case "integer" -> protobuf.contains("int32") ? (long) (int) entry.value() : entry.value();
            case "number" ->
                BigDecimal.valueOf(entry.bytes().order(ByteOrder.LITTLE_ENDIAN).getDouble());
            default -> protobuf.contains("bytes") ? Base64.getEncoder().encodeToString(entry.copy()) : entry.text();
        };
    }

    private static @Nullable Object time(String type, Entry entry) {
        long seconds = 0;
        long nanos = 0;
        List<Entry> parts = entries(entry.bytes());
        for (Entry part : parts) {
            seconds = part.number() == 1 ? part.value() : seconds;
            nanos = part.number() == 2 ? part.value() : nanos;
        }
        if (parts.isEmpty()) {
            return null;
        }
        Instant time = Instant.ofEpochSecond(seconds, nanos);
        return type.equals("microtime") ? MICROS.format(time) : time.toString();
    }

    private static Object intOrString(Entry entry) {
        long type = 0;
        long number = 0;
        String text = "";
        for (Entry part : entries(entry.bytes())) {
            type = part.number() == 1 ? part.value() : type;
            number = part.number() == 2 ? (int) part.value() : number;
            text = part.number() == 3 ? part.text() : text;
        }
        return type == 1 ? text : (Object) number;
    }

    private static String first(Entry entry, int number) {
        return entries(entry.bytes()).stream()
                .filter(part -> part.number() == number)
                .map(Entry::text)
                .findFirst()
                .orElse("");
    }

    private static List<Entry> entries(ByteBuffer message) {
        List<Entry> entries = new ArrayList<>();
        ByteBuffer in = message.duplicate();
        while (in.hasRemaining()) {
            long tag = varint(in);
            int length = switch ((int) (tag & 7)) {
                case 1 -> Long.BYTES;
                case 2 -> (int) varint(in);
                case 5 -> Integer.BYTES;
                default -> 0;
            };
            long value = (tag & 7) == 0 ? varint(in) : 0;
            if (length < 0 || length > in.remaining()) {
                throw new BufferUnderflowException();
            }
            entries.add(new Entry((int) (tag >>> 3), value, in.slice(in.position(), length)));
            in.position(in.position() + length);
        }
        return entries;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = in.get();
            value |= (long) (next & 0x7f) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }

    /**
     * One field of a message.
     *
     * @param value of a number
     * @param bytes of everything else
     */
    private record Entry(int number, long value, ByteBuffer bytes) {
        byte[] copy() {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            return copy;
        }

        String text() {
            return new String(copy(), StandardCharsets.UTF_8);
        }
    }
}
