package dev.evenkeel.server;

import java.util.List;

/**
 * The authenticated user of a request.
 *
 * @param name such as {@code admin} or {@code system:anonymous}
 * @param uid unique over time; empty when not known
 * @param groups such as {@code system:masters}
 */
public record User(String name, String uid, List<String> groups) {
    /** The user of requests without credentials. */
    public static final User ANONYMOUS = new User("system:anonymous", "", List.of("system:unauthenticated"));

    /** A user with all permissions. */
    public static final User ADMIN = new User("admin", "", List.of("system:masters", "system:authenticated"));

    /** Copies the groups. */
    public User {
        groups = List.copyOf(groups);
    }

    /** Returns true if authorization is bypassed for this user. */
    public boolean master() {
        return groups.contains("system:masters");
    }
}
