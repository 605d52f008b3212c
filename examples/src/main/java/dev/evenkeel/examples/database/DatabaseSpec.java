package dev.evenkeel.examples.database;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a {@link Database}.
 *
 * @param className the {@link DatabaseClass}
 * @param version of the database engine
 * @param gigabytes the maximum size
 * @param users the users with access
 */
public record DatabaseSpec(String className, String version, int gigabytes, List<String> users) {
    /** Creates a spec; missing users default to none. */
    public DatabaseSpec(String className, String version, int gigabytes, @Nullable List<String> users) {
        this.className = className;
        this.version = version;
        this.gigabytes = gigabytes;
        this.users = users == null ? List.of() : List.copyOf(users);
    }
}
