package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Trees for tests: from text with single quotes, or random small ones full of equal keys. */
final class Trees {
    private static final List<String> KEYS = List.of("a", "b", "c", "a/b", "~", "0", "");

    private Trees() {}

    static byte[] bytes(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    static @Nullable Object tree(String text) {
        return Json.parse(bytes(text), JsonLimits.DEFAULT);
    }

    static JsonObject object(String text) {
        return Json.asObject(tree(text));
    }

    static JsonObject randomObject(Random random, int depth, boolean nulls) {
        JsonObject object = new JsonObject();
        for (int size = random.nextInt(4); size > 0; size--) {
            object.put(randomKey(random), random(random, depth - 1, nulls));
        }
        return object;
    }

    static String randomKey(Random random) {
        return KEYS.get(random.nextInt(KEYS.size()));
    }

    static @Nullable Object random(Random random, int depth, boolean nulls) {
        return switch (random.nextInt(depth > 0 ? 7 : 4)) {
            case 0 -> nulls ? null : false;
            case 1 -> (long) random.nextInt(3);
            case 2 -> "text";
            case 3 -> 1.5;
            case 4 -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (int size = random.nextInt(4); size > 0; size--) {
                    list.add(random(random, depth - 1, nulls));
                }
                yield list;
            }
            default -> randomObject(random, depth, nulls);
        };
    }
}
