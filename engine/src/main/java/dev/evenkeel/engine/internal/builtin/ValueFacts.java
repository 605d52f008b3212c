package dev.evenkeel.engine.internal.builtin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What values of a field are.
 *
 * @param form their form in JSON
 * @param reference the type's definition name, for {@link Form#STRUCT}; else empty
 * @param element items of a list, values of a map
 * @param allowed the enumeration; empty when any text will do
 */
record ValueFacts(Form form, String reference, @Nullable ValueFacts element, List<String> allowed) {
    ValueFacts elementFacts() {
        if (element == null) {
            throw new IllegalStateException("no elements in " + form);
        }
        return element;
    }
}
