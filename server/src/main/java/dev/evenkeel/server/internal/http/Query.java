package dev.evenkeel.server.internal.http;

import dev.evenkeel.engine.internal.object.Refusal;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The query of a URL, read as upstream reads it: malformed pairs are dropped, of repeated names the first counts. */
public final class Query {
    private static final Query EMPTY = new Query(Map.of());

    private final Map<String, List<String>> values;

    private Query(Map<String, List<String>> values) {
        this.values = values;
    }

    public static Query parse(String text) {
        if (text.isEmpty()) {
            return EMPTY;
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String pair : text.split("&", -1)) {
            if (pair.indexOf(';') >= 0) {
                continue; // Go no longer accepts it as a separator
            }
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
            String value = decode(equals < 0 ? "" : pair.substring(equals + 1), true);
            if (!name.isEmpty() && !value.equals(MALFORMED) && !name.equals(MALFORMED)) {
                values.computeIfAbsent(name, n -> new ArrayList<>(1)).add(value);
            }
        }
        return new Query(values);
    }

    /**
     * The result of {@link #decode} for broken escapes; a client that escapes this very text gets the same treatment.
     */
    static final String MALFORMED = "\0malformed\0";

    /** Decodes percent-encoded UTF-8; {@link #MALFORMED} when an escape is broken, or a path is not UTF-8. */
    static String decode(String text, boolean plusIsSpace) {
        if (text.indexOf('%') < 0) {
            return plusIsSpace && text.indexOf('+') >= 0 ? text.replace('+', ' ') : text;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    return MALFORMED;
                }
                out.write(high << 4 | low);
                i += 2;
            } else if (c == '+' && plusIsSpace) {
                out.write(' ');
            } else if (c < 0x80) {
                out.write(c);
            } else {
                out.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
            }
        }
        if (plusIsSpace) { // in a query, a pair that is dropped could be the selector of a deletion
            return out.toString(StandardCharsets.UTF_8);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(out.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            return MALFORMED;
        }
    }

    /** Returns the first value; empty when the name does not occur. */
    public String first(String name) {
        List<String> all = values.get(name);
        return all == null ? "" : all.getFirst();
    }

    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** Returns true if the name occurs, with or without a value. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns true for every value except {@code false} and {@code 0}, even an empty one; upstream's conversion. */
    public boolean flag(String name) {
        List<String> all = values.get(name);
        return all != null && !all.getFirst().equals("0") && !all.getFirst().equalsIgnoreCase("false");
    }

    /** Returns a whole number; 0 when the name does not occur. */
    public long integer(String name) {
        if (!values.containsKey(name)) {
            return 0;
        }
        String text = first(name);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            String problem = text.matches("[+-]?[0-9]+") ? "value out of range" : "invalid syntax";
            throw Refusal.badRequest("strconv.ParseInt: parsing " + Failures.quoted(text) + ": " + problem);
        }
    }
}
