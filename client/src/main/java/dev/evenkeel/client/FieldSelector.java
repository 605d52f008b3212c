package dev.evenkeel.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Selects objects by some of their fields: all {@link Requirement requirements} must hold. The server decides
 * which fields of a kind are selectable.
 *
 * <p>Immutable; equal when the requirements are. Matching allocates nothing.
 *
 * @param requirements the requirements; empty when everything is selected
 */
public record FieldSelector(List<Requirement> requirements) {
    private static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    /** Copies the requirements. */
    public FieldSelector {
        requirements = List.copyOf(requirements);
    }

    /** Selects all objects. */
    public static FieldSelector everything() {
        return EVERYTHING;
    }

    /** Selects the objects that fulfil all of these requirements. */
    public static FieldSelector of(List<Requirement> requirements) {
        return requirements.isEmpty() ? EVERYTHING : new FieldSelector(requirements);
    }

    /** Selects the objects whose field has this value. */
    public static FieldSelector equal(String field, String value) {
        return of(List.of(new Requirement(field, true, value)));
    }

    /**
     * Reads the form of the {@code fieldSelector} query parameter: {@code f=v}, {@code f==v}, {@code f!=v}, separated
     * by commas; a backslash goes before a backslash, comma or equals sign in a value. Empty text selects everything.
     *
     * @throws BadRequestException in upstream's words, when the text is not a selector
     */
    public static FieldSelector parse(String text) {
        return of(terms(text).stream()
                .filter(term -> !term.isEmpty())
                .sorted()
                .map(term -> requirement(text, term))
                .toList());
    }

    private static List<String> terms(String text) {
        List<String> terms = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == ',') {
                terms.add(text.substring(start, i));
                start = i + 1;
            }
        }
        terms.add(text.substring(start));
        return terms;
    }

    private static Requirement requirement(String text, String term) {
        for (int i = 0; i < term.length(); i++) {
            if (term.startsWith("!=", i)) {
                return new Requirement(term.substring(0, i), false, unescape(term.substring(i + 2)));
            }
            if (term.charAt(i) == '=') {
                int value = term.startsWith("==", i) ? i + 2 : i + 1;
                return new Requirement(term.substring(0, i), true, unescape(term.substring(value)));
            }
        }
        throw ApiException.badRequest("invalid selector: '" + text + "'; can't understand '" + term + "'");
    }

    private static String unescape(String value) {
        StringBuilder out = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\') {
                i++;
                int escaped = i < value.length() ? value.codePointAt(i) : -1;
                if (escaped != '\\' && escaped != ',' && escaped != '=') {
                    String sequence = "\\" + (escaped < 0 ? "" : Character.toString(escaped));
                    throw ApiException.badRequest("invalid field selector: invalid escape sequence: " + sequence);
                }
                out.append((char) escaped);
            } else if (c == '=') {
                // upstream prints the code of the character
                throw ApiException.badRequest("invalid field selector: unescaped character in value: " + (int) c);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** Returns a value escaped for the text form: a backslash before each backslash, comma and equals sign. */
    public static String escape(String value) {
        return value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
    }

    /** Returns whether all objects are selected. */
    public boolean isEverything() {
        return requirements.isEmpty();
    }

    /**
     * Returns whether an object is selected. Allocates nothing.
     *
     * @param fields the value of each field of the object; "" for one that is missing
     */
    public boolean matches(Function<String, String> fields) {
        for (int i = 0; i < requirements.size(); i++) {
            if (!requirements.get(i).matches(fields)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the only value of the field that selected objects can have, when the selector pins it. */
    public Optional<String> exactValue(String field) {
        return requirements.stream()
                .filter(requirement ->
                        requirement.equal() && requirement.field().equals(field))
                .map(Requirement::value)
                .findFirst();
    }

    /** Returns the form that {@link #parse} reads; empty for everything. */
    @Override
    public String toString() {
        return requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
    }

    /**
     * One condition on a field of an object; a {@link FieldSelector} is the conjunction of such.
     *
     * @param field name of the field, such as {@code metadata.name}
     * @param equal whether the value must be equal, or must differ
     * @param value value to compare with; a missing field has the value ""
     */
    public record Requirement(String field, boolean equal, String value) {
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
}
