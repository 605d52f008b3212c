package dev.evenkeel.testing.diff;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Trees as JSON has them, of the texts that are hard to write. */
final class RandomTrees {
    private static final List<String> HARD = List.of(
            "",
            " ",
            "a",
            "a b",
            " a",
            "a ",
            "yes",
            "no",
            "on",
            "y",
            "n",
            "null",
            "~",
            "true",
            "FALSE",
            "1",
            "01",
            "0x1f",
            "1e3",
            "-1",
            ".5",
            "1_000",
            "12:30",
            "2026-01-02",
            "2026-01-02T03:04:05Z",
            ".inf",
            ".NaN",
            "-",
            "- a",
            "?",
            "? a",
            ":",
            "a: b",
            "a:",
            "#",
            "a #b",
            "a#b",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "%a",
            "@a",
            "`a",
            "{",
            "}",
            "[a",
            "a]",
            ",",
            "'",
            "''",
            "\"",
            "\"\"\"",
            "\\",
            "\\u0041",
            "a\\",
            "\\s",
            "\n",
            "\n\n",
            "a\n",
            "a\nb",
            "a\nb\n",
            "a\n\n",
            " a\nb",
            "a \nb",
            "a\n b",
            "\na",
            "\ta",
            "a\tb",
            "a\t\nb",
            "\r",
            "a\r\nb",
            "\u0001",
            "\u0085",
            "\u00a0",
            "\u2028x",
            "\u2029",
            "\ufeff",
            "ü",
            "日本",
            "🚢",
            "---",
            "...",
            "--- a",
            "=",
            "<<",
            "key: |",
            "\"\"\"\nx \\ \"\"\"\"",
            "x".repeat(100),
            "word ".repeat(40),
            "a\n" + "word ".repeat(40) + "\n");

    private final Random random;

    RandomTrees(long seed) {
        random = new Random(seed);
    }

    JsonObject object(int depth) {
        JsonObject map = new JsonObject();
        for (int i = random.nextInt(5); i > 0; i--) {
            map.put(random.nextBoolean() ? "k" + random.nextInt(6) : text(), value(depth - 1));
        }
        return map;
    }

    private @Nullable Object value(int depth) {
        return switch (random.nextInt(depth > 0 ? 10 : 6)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextBoolean() ? random.nextInt(10) : random.nextLong();
            case 3, 4, 5 -> text();
            case 6, 7 -> object(depth);
            default -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(value(depth - 1));
                }
                yield list;
            }
        };
    }

    String text() {
        String text = HARD.get(random.nextInt(HARD.size()));
        return random.nextInt(4) == 0 ? text + HARD.get(random.nextInt(HARD.size())) : text;
    }
}
