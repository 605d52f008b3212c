package dev.evenkeel.examples.database;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Under all faults, the service has the desired databases, and no others. */
class DatabaseConvergenceTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "orders");

    private static DatabaseClass standard() {
        DatabaseClass kind = new DatabaseClass();
        kind.getMetadata().setName("standard");
        kind.setSpec(new DatabaseClassSpec(100, Map.of("p", "1")));
        return kind;
    }

    private static Database database() {
        Database database = new Database();
        database.getMetadata().setNamespace(KEY.namespace());
        database.getMetadata().setName(KEY.name());
        database.setSpec(new DatabaseSpec("standard", "17", 10, List.of("shop")));
        return database;
    }

    @Test
    void converges() {
        Convergence.outside(
                        clock -> new InMemoryDatabaseService(clock, Duration.ofSeconds(7)),
                        service -> service.ids().stream()
                                .map(id -> id + "=" + service.wanted(id))
                                .toList())
                .controller(DatabaseReconciler::controller)
                .definitions(Path.of("database", "crd.yaml"))
                .given(Given.of(standard()), Given.of(database()))
                .edit(
                        "more room",
                        client -> client.patch(
                                Kind.of(Database.class),
                                KEY,
                                Patch.merge("{\"spec\":{\"gigabytes\":20}}"),
                                WriteOptions.DEFAULT))
                .assertConverges();
    }
}
