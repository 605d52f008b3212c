package dev.evenkeel.client;

import com.fasterxml.jackson.core.JsonFactory;

/**
 * Parsers for objects of a cluster, which do not remember the names of fields.
 *
 * <p>The problem: Jackson keeps the names that it has read in a table for all parsers of a factory, and copies the table for
 * each document that has a new one. In a cluster most documents do: {@code managedFields} name owners by their uid, and the
 * keys of labels, annotations and data are free. The table grows to 6,000 names; then each document with an owner of its own
 * costs 380 kB and ten times the time, and the table looks like a leak.
 *
 * <p>Without the table a name is read as any other text: no slower for a header, and 30 % slower for a small object whose
 * names are all known.
 */
final class FieldNames {
    private FieldNames() {}

    /** Returns a factory of parsers that do not remember names. */
    static JsonFactory forgotten() {
        return JsonFactory.builder()
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
    }
}
