package dev.evenkeel.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The authenticated user of a request.
 *
 * @param name such as {@code admin} or {@code system:serviceaccount:default:operator}
 * @param uid unique over time; empty when not known
 * @param groups such as {@code system:masters}
 * @param extra what else the authenticator knows, such as the pod that a token is bound to
 */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    /** The group of users with all permissions, whatever roles and authorizers say. */
    public static final String MASTERS = "system:masters";

    /** The group of all authenticated users. */
    public static final String AUTHENTICATED = "system:authenticated";

    /** The group of requests without credentials. */
    public static final String UNAUTHENTICATED = "system:unauthenticated";

    /** The user of requests without credentials. */
    public static final User ANONYMOUS = new User("system:anonymous", "", List.of(UNAUTHENTICATED));

    /** A user with all permissions. */
    public static final User ADMIN = new User("admin", "", List.of(MASTERS, AUTHENTICATED));

    private static final String ACCOUNT = "system:serviceaccount:";

    /** Copies groups and extra. */
    public User {
        groups = List.copyOf(groups);
        Map<String, List<String>> copy = new LinkedHashMap<>();
        extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
        extra = java.util.Collections.unmodifiableMap(copy);
    }

    /** Creates a user without extra. */
    public User(String name, String uid, List<String> groups) {
        this(name, uid, groups, Map.of());
    }

    /** Returns an authenticated user of these groups, and of {@link #AUTHENTICATED}. */
    public static User of(String name, String... groups) {
        return new User(name, "", List.of(groups)).authenticated();
    }

    /** Returns the user of a service account, with its groups. */
    public static User serviceAccount(String namespace, String name) {
        return new User(ACCOUNT + namespace + ":" + name, "", serviceAccountGroups(namespace)).authenticated();
    }

    /** Returns the groups of the service accounts in a namespace, without {@link #AUTHENTICATED}. */
    public static List<String> serviceAccountGroups(String namespace) {
        return List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace);
    }

    /** Returns this user as a member of {@link #AUTHENTICATED}. */
    public User authenticated() {
        if (groups.contains(AUTHENTICATED)) {
            return this;
        }
        List<String> all = new ArrayList<>(groups);
        all.add(AUTHENTICATED);
        return new User(name, uid, all, extra);
    }

    /** Returns true if the user has all permissions. */
    public boolean master() {
        return groups.contains(MASTERS);
    }
}
