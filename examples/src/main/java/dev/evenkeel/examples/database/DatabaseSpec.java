package dev.evenkeel.examples.database;

import java.util.List;

/**
 * The desired state of a {@link Database}.
 *
 * @param className the {@link DatabaseClass}
 * @param version of the database engine
 * @param gigabytes the maximum size
 * @param users the users with access
 */
public record DatabaseSpec(String className, String version, int gigabytes, List<String> users) {
    /** Missing users default to none. */
    public DatabaseSpec {
        users = users == null ? List.of() : List.copyOf(users);
    }
}
