package dev.evenkeel.server;

import java.util.List;

/**
 * Who asks.
 *
 * @param name such as {@code admin} or {@code system:anonymous}
 * @param uid unique over time; empty when not known
 * @param groups such as {@code system:masters}
 */
public record User(String name, String uid, List<String> groups) {
    /** Who gave no credentials. */
    public static final User ANONYMOUS = new User("system:anonymous", "", List.of("system:unauthenticated"));

    /** Who may do everything. */
    public static final User ADMIN = new User("admin", "", List.of("system:masters", "system:authenticated"));

    /** Copies the groups. */
    public User {
        groups = List.copyOf(groups);
    }

    /** Whether authorization is bypassed for this user. */
    public boolean master() {
        return groups.contains("system:masters");
    }
}
