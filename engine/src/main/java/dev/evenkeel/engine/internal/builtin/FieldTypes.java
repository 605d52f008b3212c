package dev.evenkeel.engine.internal.builtin;

import java.util.HashMap;
import java.util.Map;

/**
 * The types of fields in Go's errors.
 *
 * <p>Most follow from the form of the values. Where upstream's struct has a named type, such as {@code v1.Protocol} for
 * text, {@code gotypes.txt} lists the type and its fields; the table is read when the first error is worded.
 */
final class FieldTypes {
    private static final String COMMON = "io.k8s.api.";

    private FieldTypes() {}

    private static final class Named {
        static final Map<String, String> TYPES = load();
    }

    /** Returns the type of a field, without pointers. */
    static String of(TypeFacts owner, FieldFacts field) {
        String named = Named.TYPES.get(owner.name() + "." + field.name());
        return named == null ? of(field.value()) : named;
    }

    /** Returns the type of the elements of a list or map, given the type of the whole. */
    static String ofElement(String type, ValueFacts facts) {
        if (type.startsWith("[]")) {
            return type.substring(2);
        }
        if (type.startsWith("map[")) {
            return type.substring(type.indexOf(']') + 1);
        }
        return of(facts.elementFacts());
    }

    /** Returns the type that follows from a form. */
    private static String of(ValueFacts facts) {
        String type = facts.form().goType();
        return switch (facts.form()) {
            case LIST, MAP -> type + of(facts.elementFacts());
            case STRUCT -> {
                String reference = facts.reference();
                int name = reference.lastIndexOf('.');
                yield reference.substring(reference.lastIndexOf('.', name - 1) + 1);
            }
            default -> type;
        };
    }

    private static Map<String, String> load() {
        Map<String, String> types = HashMap.newHashMap(512);
        FactTable.read("gotypes.txt").lines().forEach(line -> {
            String[] cells = line.split("[\t ]", -1);
            for (int i = 1; i < cells.length; i++) {
                types.put(cells[i].startsWith("io.k8s.") ? cells[i] : COMMON + cells[i], cells[0]);
            }
        });
        return types;
    }
}
