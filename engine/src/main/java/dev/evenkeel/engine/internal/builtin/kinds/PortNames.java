package dev.evenkeel.engine.internal.builtin.kinds;

import java.util.ArrayList;
import java.util.List;

/** Names of ports: IANA service names. */
final class PortNames {
    private PortNames() {}

    /** Returns the errors of a name, in upstream's words. */
    static List<String> wrong(String name) {
        List<String> wrong = new ArrayList<>();
        if (name.length() > 15) {
            wrong.add("must be no more than 15 bytes");
        }
        boolean plain = !name.isEmpty()
                && name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
        if (!plain) {
            wrong.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (name.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
            wrong.add("must contain at least one letter (a-z)");
        }
        if (name.contains("--")) {
            wrong.add("must not contain consecutive hyphens");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            wrong.add("must not begin or end with a hyphen");
        }
        return wrong;
    }
}
