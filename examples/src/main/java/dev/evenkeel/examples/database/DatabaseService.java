package dev.evenkeel.examples.database;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * An external service that keeps databases, such as a cloud's.
 *
 * <p>All names are chosen by the caller, and all calls are idempotent: a call whose result is unknown is repeated
 * without effect.
 */
public interface DatabaseService {
    /**
     * The desired state of a database.
     *
     * @param version of the database engine
     * @param gigabytes the maximum size
     * @param users the users with access, in order
     * @param parameters of the database engine
     */
    record Wanted(String version, int gigabytes, List<String> users, Map<String, String> parameters) {
        /** Copies the users and the parameters. */
        public Wanted {
            users = List.copyOf(users);
            parameters = Map.copyOf(parameters);
        }
    }

    /**
     * A database.
     *
     * @param wanted its desired state
     * @param ready whether it is in that state
     * @param host its host
     * @param password of its administrator
     */
    record Instance(Wanted wanted, boolean ready, String host, String password) {}

    /** Creates or changes a database, or begins to. */
    Instance ensure(String id, Wanted wanted);

    /** Removes a database; has no effect when absent. */
    void remove(String id);

    /** Returns the ids of all databases. */
    SortedSet<String> ids();

    /**
     * Takes a snapshot of a database, unless one of this name exists.
     *
     * @return its address
     */
    String snapshot(String id, String name);
}
