package dev.evenkeel.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonFactory;
import org.jspecify.annotations.Nullable;

/**
 * The names of fields in documents, in memory that does not grow with them.
 *
 * <p>The problem: Jackson keeps the names that it has read in a table for all parsers of a factory, and copies the table for
 * each document that has a new one. In a cluster most documents do: {@code managedFields} name owners by their uid, and the
 * keys of labels, annotations and data are free. The table grows to 6,000 names; then each document with an owner of its own
 * costs 380 kB and ten times the time, and the table looks like a leak.
 *
 * <p>Here the table has a fixed size, with one place for a name: another name in the same place replaces it. Names that
 * clients choose only cost what they would without a table. Threads share it without coordination: texts are immutable, and
 * a reader that sees an old one compares it anyway.
 */
final class FieldNames {
    private static final int PLACES = 2_048;
    private static final int LONGEST = 40;
    private static final @Nullable String[] RECENT = new String[PLACES];

    private FieldNames() {}

    /**
     * Returns a name of ASCII characters, or another text that is often repeated, as the object that was returned for it before, if that was not long ago.
     *
     * @param to the end, exclusive
     */
    static String recent(byte[] json, int from, int to) {
        if (to - from > LONGEST) {
            return new String(json, from, to - from, ISO_8859_1);
        }
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + json[i];
        }
        int place = (hash ^ hash >>> 11 ^ hash >>> 22) & (PLACES - 1);
        String present = RECENT[place];
        if (present != null && present.length() == to - from && equal(present, json, from)) {
            return present;
        }
        String name = new String(json, from, to - from, ISO_8859_1);
        RECENT[place] = name;
        return name;
    }

    private static boolean equal(String name, byte[] json, int from) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) != json[from + i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns a factory of parsers that do not remember names. */
    static JsonFactory forgotten() {
        return JsonFactory.builder()
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
    }
}
