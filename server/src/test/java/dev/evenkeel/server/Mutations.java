package dev.evenkeel.server;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/** Random changes of documents: the same for a seed. */
final class Mutations {
    private static final int LARGEST = 200_000;
    private static final String[] WORDS = {
        "null",
        "true",
        "-1",
        "0",
        "1e400",
        "-0",
        "9223372036854775808",
        "1.0000000000000000000001",
        "\"\"",
        "{}",
        "[]",
        "[[[[[]]]]]",
        "{\"\":{}}",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\u00e9\"",
        "{\"$patch\":\"replace\"}",
        "{\"$patch\":\"delete\"}",
        "\"2026-13-45T99:99:99Z\"",
        "\"../../etc\"",
        "\"a/b\"",
        "\"%2f\"",
        "[null]",
        "{\"a\":1,\"a\":2}",
        "\"metadata\"",
        "\"spec\"",
        "\"name\"",
        "\"uid\"",
        "\"resourceVersion\"",
        "\"managedFields\"",
        "[{\"manager\":\"m\",\"operation\":\"Apply\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:x\":{\"k:{\":{}}}}]",
        "\"ownerReferences\"",
        "\"finalizers\"",
        "\"generateName\"",
        "\"deletionTimestamp\"",
        "&a",
        "*a",
        "<<: *a",
        "!!binary",
        "---",
        "\t",
        "\u0000",
        "$ref",
        "/-",
        "~2",
        "/metadata/labels/a~1b",
        "18446744073709551616"
    };

    /** The number of JSON values among the words. */
    private static final int JSON_WORDS = 35;

    private Mutations() {}

    /** One to four changes of scalars and member names: what was JSON mostly still is. */
    static byte[] ofValues(byte[] body, SplittableRandom random) {
        byte[] changed = body;
        for (int i = random.nextInt(4); i >= 0; i--) {
            changed = value(changed, random, JSON_WORDS);
        }
        return changed;
    }

    /** One to four changes of any bytes. */
    static byte[] ofBytes(byte[] body, SplittableRandom random) {
        byte[] changed = body;
        for (int i = random.nextInt(4); i >= 0; i--) {
            changed = changed(changed, random);
        }
        return changed;
    }

    private static byte[] changed(byte[] body, SplittableRandom random) {
        if (body.length == 0) {
            return new byte[] {(byte) random.nextInt(256)};
        }
        int at = random.nextInt(body.length);
        int end = Math.min(body.length, at + 1 + random.nextInt(20));
        return switch (random.nextInt(10)) {
            case 0 -> { // one byte
                byte[] changed = body.clone();
                changed[at] = (byte) random.nextInt(256);
                yield changed;
            }
            case 1 -> spliced(body, at, end, new byte[0]);
            case 2 -> spliced(body, at, at, Arrays.copyOfRange(body, at, end));
            case 3 -> Arrays.copyOf(body, at);
            case 4 -> { // a piece many times
                byte[] piece = Arrays.copyOfRange(body, at, end);
                int times = Math.min(1 + random.nextInt(3000), LARGEST / piece.length);
                yield body.length > LARGEST ? body : spliced(body, at, at, repeated(piece, times));
            }
            case 5 -> spliced(body, at, at, word(random, WORDS.length));
            case 6, 7, 8 -> value(body, random, WORDS.length);
            default -> { // another character of JSON
                byte[] changed = body.clone();
                changed[at] = (byte) "{}[],:\"\\0-e.#&*|>".charAt(random.nextInt(17));
                yield changed;
            }
        };
    }

    /** Replaces a whole scalar or member name by a word, which leaves the document well-formed more often than not. */
    private static byte[] value(byte[] body, SplittableRandom random, int words) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        var tokens = Pattern.compile("\"[^\"]*\"|-?\\d+(\\.\\d+)?|true|false|null")
                .matcher(text)
                .results()
                .toList();
        if (tokens.isEmpty()) {
            return body;
        }
        var token = tokens.get(random.nextInt(tokens.size()));
        return spliced(body, token.start(), token.end(), word(random, words));
    }

    private static byte[] word(SplittableRandom random, int words) {
        return WORDS[random.nextInt(words)].getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] repeated(byte[] piece, int times) {
        byte[] all = new byte[piece.length * times];
        for (int i = 0; i < times; i++) {
            System.arraycopy(piece, 0, all, i * piece.length, piece.length);
        }
        return all;
    }

    private static byte[] spliced(byte[] body, int from, int to, byte[] piece) {
        byte[] all = new byte[body.length - (to - from) + piece.length];
        System.arraycopy(body, 0, all, 0, from);
        System.arraycopy(piece, 0, all, from, piece.length);
        System.arraycopy(body, to, all, from + piece.length, body.length - to);
        return all;
    }
}
