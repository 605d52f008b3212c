package dev.evenkeel.engine.internal.builtin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form of the values of a field.
 *
 * @param form their form in JSON
 * @param reference the type's definition name, for {@link ValueForm#STRUCT}; else empty
 * @param element items of a list, values of a map
 * @param allowed the enumeration; empty when any text is allowed
 */
record ValueFacts(
        ValueForm form, String reference, @Nullable ValueFacts element, List<String> allowed) {
    ValueFacts elementFacts() {
        if (element == null) {
            throw new IllegalStateException("no elements in " + form);
        }
        return element;
    }
}
