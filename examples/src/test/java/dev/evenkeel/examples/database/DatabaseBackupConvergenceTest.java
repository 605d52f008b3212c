package dev.evenkeel.examples.database;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong on the way, each backup is taken once, when its database is ready. */
class DatabaseBackupConvergenceTest {
    private static final ObjectKey ORDERS = ObjectKey.of("default", "orders");

    private static final Given<Database> STARTING =
            Given.yaml(Database.class, """
            metadata: {namespace: default, name: orders}
            spec: {className: standard, version: "17", gigabytes: 20}
            """).condition("Ready").isFalse("Starting", "it is being created");

    private static Given<DatabaseBackup> backup(String name) {
        return Given.yaml(DatabaseBackup.class, "spec: {database: orders}")
                .namespace("default")
                .name(name);
    }

    /** Its snapshots remain when their backups are deleted. */
    private static final class Snapshots implements DatabaseService {
        private final SortedSet<String> taken = new TreeSet<>();

        @Override
        public Instance ensure(String id, Wanted wanted) {
            throw new UnsupportedOperationException("backups change no database");
        }

        @Override
        public void remove(String id) {
            throw new UnsupportedOperationException("backups remove no database");
        }

        @Override
        public SortedSet<String> ids() {
            return new TreeSet<>();
        }

        @Override
        public String snapshot(String id, String name) {
            String place = id + "/" + name;
            taken.add(place);
            return place;
        }

        /** Returns the snapshots if there are more than backups. */
        String state() {
            return taken.size() > 2 ? taken.toString() : "at most one of each backup";
        }
    }

    @Test
    void converges() {
        Convergence.<DatabaseService, Snapshots>external(
                        DatabaseService.class, clock -> new Snapshots(), Snapshots::state)
                .controller(DatabaseBackupReconciler::controller)
                .definitions(Path.of("database", "crd.yaml"))
                .given(STARTING, backup("first"), backup("second"))
                .edit(
                        "the database is ready",
                        client -> client.patchStatus(
                                Kind.of(Database.class),
                                ORDERS,
                                Patch.merge("{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\","
                                        + "\"lastTransitionTime\":\"2030-01-01T00:00:00Z\",\"reason\":\"Ready\","
                                        + "\"message\":\"\"}]}}"),
                                WriteOptions.DEFAULT))
                .assertConverges();
    }
}
