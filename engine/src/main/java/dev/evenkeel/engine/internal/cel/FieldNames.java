package dev.evenkeel.engine.internal.cel;

import java.util.Optional;
import java.util.Set;

/**
 * Converts names of fields to identifiers of CEL: {@code a.b} is written {@code a__dot__b}, {@code namespace} is {@code
 * __namespace__}.
 */
final class FieldNames {
    private static final Set<String> RESERVED =
            Set.of(("true false null in as break const continue else for function if "
                            + "import let loop package namespace return var void while")
                    .split(" ", -1));

    private FieldNames() {}

    /** Returns the identifier of a field; empty when rules cannot name it. */
    static Optional<String> escape(String name) {
        if (name.isEmpty() || Character.isDigit(name.charAt(0))) {
            return Optional.empty();
        }
        if (RESERVED.contains(name)) {
            return Optional.of("__" + name + "__");
        }
        StringBuilder escaped = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (name.startsWith("__", i)) {
                escaped.append("__underscores__");
                i++;
            } else if (c == '.' || c == '-' || c == '/') {
                escaped.append(c == '.' ? "__dot__" : c == '-' ? "__dash__" : "__slash__");
            } else if (c == '_' || (c < 128 && Character.isLetterOrDigit(c))) {
                escaped.append(c);
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(escaped.toString());
    }
}
