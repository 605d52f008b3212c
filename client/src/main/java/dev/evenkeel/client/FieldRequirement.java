package dev.evenkeel.client;

import java.util.function.Function;

/**
 * One condition on a field of an object; a {@link FieldSelector} is the conjunction of such.
 *
 * @param field name of the field, such as {@code metadata.name}
 * @param equal whether the value must be equal, or must differ
 * @param value value to compare with; a missing field has the value ""
 */
public record FieldRequirement(String field, boolean equal, String value) {
    /** Returns whether an object fulfils this. Allocates nothing. */
    public boolean matches(Function<String, String> fields) {
        return fields.apply(field).equals(value) == equal;
    }

    /** Returns the form that {@link FieldSelector#parse} reads. */
    @Override
    public String toString() {
        return field + (equal ? "=" : "!=") + FieldSelector.escape(value);
    }
}
