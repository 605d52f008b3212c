package dev.evenkeel.controller.cache;

import java.util.Arrays;

/**
 * Finds the boundaries of values in a JSON text that was parsed before and so is known to be well-formed. One pass,
 * without allocation.
 */
final class JsonText {
    private JsonText() {}

    /** Returns the first index from here on that is not blank. */
    static int token(byte[] json, int at) {
        int place = at;
        while (json[place] <= ' ') {
            place++;
        }
        return place;
    }

    /** Returns the index after the value that begins here. */
    static int end(byte[] json, int at) {
        return switch (json[at]) {
            case '"' -> endOfString(json, at);
            case '{', '[' -> endOfContainer(json, at);
            default -> endOfScalar(json, at);
        };
    }

    /** Returns whether a range equals the wanted bytes. */
    static boolean is(byte[] json, int from, int to, byte[] wanted) {
        return Arrays.equals(json, from, to, wanted, 0, wanted.length);
    }

    private static int endOfString(byte[] json, int at) {
        int place = at + 1;
        while (json[place] != '"') {
            place += json[place] == '\\' ? 2 : 1;
        }
        return place + 1;
    }

    private static int endOfContainer(byte[] json, int at) {
        int depth = 0;
        int place = at;
        do {
            switch (json[place]) {
                case '"' -> place = endOfString(json, place) - 1;
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {}
            }
            place++;
        } while (depth > 0);
        return place;
    }

    private static int endOfScalar(byte[] json, int at) {
        int place = at;
        while (place < json.length
                && json[place] != ','
                && json[place] != '}'
                && json[place] != ']'
                && json[place] > ' ') {
            place++;
        }
        return place;
    }

    /** Returns whether one text contains another. */
    static boolean contains(byte[] json, byte[] text) {
        byte first = text[0];
        int last = json.length - text.length;
        for (int i = 0; i <= last; i++) {
            if (json[i] == first && java.util.Arrays.equals(json, i, i + text.length, text, 0, text.length)) {
                return true;
            }
        }
        return false;
    }
}
