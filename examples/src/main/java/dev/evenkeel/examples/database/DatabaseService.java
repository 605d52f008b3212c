package dev.evenkeel.examples.database;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * The service elsewhere that keeps databases: what a cloud has.
 *
 * <p>All is called by names that the caller chooses, and may be said again: who does not know whether a call came
 * through says it again, and there are not two.
 */
public interface DatabaseService {
    /**
     * What a database is to be like.
     *
     * @param version of the database engine
     * @param gigabytes how large it may grow
     * @param users who may use it, in their order
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
     * @param wanted what it is like, or becomes
     * @param ready whether it is so
     * @param host where it is
     * @param password of its administrator
     */
    record Instance(Wanted wanted, boolean ready, String host, String password) {}

    /** Makes it so, or begins to: a database that is not there, or one that is there and differs. */
    Instance ensure(String id, Wanted wanted);

    /** Removes a database; nothing happens when there is none. */
    void remove(String id);

    /** The ids of all databases. */
    SortedSet<String> ids();

    /**
     * Takes a snapshot of a database, unless there is one of this name.
     *
     * @return where it is kept
     */
    String snapshot(String id, String name);
}
