package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Makes random objects of built-in types, from the fact table. */
record RandomTrees(Random random) {
    private static final List<String> TEXTS = List.of("", "a", "web", "ü€😀", "x\"y\n", "0", "a".repeat(200));

    JsonObject struct(TypeFacts type, int levels) {
        JsonObject tree = new JsonObject();
        for (FieldFacts field : type.fields().values()) {
            if (!field.path().isEmpty() && field.path().getFirst() != 0 && random.nextInt(3) > 0) {
                Object value = value(field.value(), levels - 1);
                if (value != null) {
                    tree.put(field.name(), value);
                }
            }
        }
        return tree;
    }

    private @Nullable Object value(ValueFacts facts, int levels) {
        return switch (facts.form()) {
            case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
            case BYTES -> {
                byte[] bytes = new byte[random.nextInt(5)];
                random.nextBytes(bytes);
                yield Base64.getEncoder().encodeToString(bytes);
            }
            case INT32 -> (long) (random.nextBoolean() ? random.nextInt() : random.nextInt(3));
            case INT64 -> random.nextBoolean() ? random.nextLong() : random.nextInt(3);
            case DOUBLE -> random.nextInt(1000) + 0.25;
            case BOOLEAN -> random.nextBoolean();
            case TIME -> Times.seconds(time());
            case MICROTIME -> Times.micros(time());
            case QUANTITY -> List.of("0", "100m", "1Gi", "2500", "-3", "1500m").get(random.nextInt(6));
            case INT_OR_STRING -> random.nextBoolean() ? (Object) (long) random.nextInt(100) : "50%";
            case RAW, FIELDS -> JsonObject.of("a", JsonObject.of("b", List.of(1L, "x", true)));
            case EMPTY -> new JsonObject();
            case ANY -> null;
            case LIST -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (int n = levels > 0 ? random.nextInt(3) : 0; n > 0; n--) {
                    list.add(value(facts.elementFacts(), levels - 1));
                }
                yield list;
            }
            case MAP -> {
                JsonObject map = new JsonObject();
                for (int n = levels > 0 ? random.nextInt(3) : 0; n > 0; n--) {
                    map.put("k" + random.nextInt(10), value(facts.elementFacts(), levels - 1));
                }
                yield map;
            }
            case STRUCT -> {
                TypeFacts type = FactTable.INSTANCE.type(facts.reference());
                yield switch (type.form()) {
                    case STRUCT -> levels > 0 ? struct(type, levels) : new JsonObject();
                    case ANY -> any(OpenForm.of(type), levels);
                    default -> value(new ValueFacts(type.form(), "", null, List.of()), levels);
                };
            }
        };
    }

    private @Nullable Object any(OpenForm form, int levels) {
        boolean simple = levels <= 0 || random.nextBoolean();
        if (!simple && form != OpenForm.JSON) {
            return struct(FactTable.INSTANCE.type(OpenForm.PROPS), levels - 1);
        }
        return switch (form) {
            case JSON -> List.of("x", 1L, true).get(random.nextInt(3));
            case SCHEMA_OR_BOOLEAN -> random.nextBoolean();
            case SCHEMA_OR_NAMES -> new ArrayList<@Nullable Object>(List.of("a", "b"));
            case SCHEMA_OR_LIST -> new ArrayList<@Nullable Object>(List.of(JsonObject.of("type", "string")));
        };
    }

    private Instant time() {
        return Instant.ofEpochSecond(random.nextInt(2_000_000_000), random.nextInt(1_000_000) * 1000L);
    }
}
