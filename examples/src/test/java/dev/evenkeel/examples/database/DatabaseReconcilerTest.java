package dev.evenkeel.examples.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The larger example on a real engine, with the files that users get. */
@Timeout(300)
class DatabaseReconcilerTest {
    private final Engine engine = Engine.create();
    private final Client client = engine.client();
    private final InMemoryDatabaseService service = new InMemoryDatabaseService(InstantSource.system(), Duration.ZERO);
    private final Manager manager = Manager.of(client);

    @BeforeEach
    void start() throws IOException {
        for (GenericKubernetesResource type : Manifests.parse(Files.readString(Path.of("database", "crd.yaml")))) {
            client.create(ModelCodec.convert(type, CustomResourceDefinition.class));
        }
        manager.add(DatabaseReconciler.controller(service))
                .add(DatabaseBackupReconciler.controller(service))
                .start();
    }

    @AfterEach
    void stop() {
        manager.close();
        engine.close();
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    private void create(String name, int gigabytes) {
        Database database = new Database();
        database.getMetadata().setNamespace("default");
        database.getMetadata().setName(name);
        database.setSpec(new DatabaseSpec("standard", "17", gigabytes, List.of("shop")));
        client.create(database);
    }

    private void createClass(int maximum) {
        DatabaseClass kind = new DatabaseClass();
        kind.getMetadata().setName("standard");
        kind.setSpec(new DatabaseClassSpec(maximum, Map.of("p", "1")));
        client.create(kind);
    }

    private <T extends HasMetadata> T await(Class<T> type, String name, Predicate<T> wanted)
            throws InterruptedException {
        try (Watch<T> watch = client.watch(type, ListOptions.in("default"))) {
            while (true) {
                Watch.Event<T> event = watch.next().orElseThrow();
                boolean present = event.type() == Watch.Type.ADDED || event.type() == Watch.Type.MODIFIED;
                if (present && name.equals(event.object().getMetadata().getName()) && wanted.test(event.object())) {
                    return event.object();
                }
            }
        }
    }

    private static boolean ready(Database database) {
        return database.getStatus() != null
                && database.getStatus().observedGeneration()
                        == database.getMetadata().getGeneration()
                && Conditions.isTrue(database.getStatus().conditions(), DatabaseStatus.READY);
    }

    private static boolean says(Database database, String reason) {
        return database.getStatus() != null
                && Conditions.find(database.getStatus().conditions(), DatabaseStatus.READY)
                        .filter(condition -> reason.equals(condition.getReason()))
                        .isPresent();
    }

    @Test
    void samplesConverge() throws Exception {
        for (GenericKubernetesResource sample :
                Manifests.parse(Files.readString(Path.of("database", "databases.yaml")))) {
            switch (sample.getKind()) {
                case "DatabaseClass" -> client.create(ModelCodec.convert(sample, DatabaseClass.class));
                case "Database" -> client.create(ModelCodec.convert(sample, Database.class));
                default -> client.create(ModelCodec.convert(sample, DatabaseBackup.class));
            }
        }

        Database database = await(Database.class, "orders", DatabaseReconcilerTest::ready);
        assertThat(OwnerReferences.isControlledBy(client.get(Secret.class, key("orders-credentials")), database))
                .isTrue();
        assertThat(client.get(Service.class, key("orders")).getSpec().getExternalName())
                .isEqualTo(database.getStatus().host());
        DatabaseBackup backup = await(
                DatabaseBackup.class,
                "orders-first",
                b -> b.getStatus() != null && !b.getStatus().snapshot().isEmpty());
        assertThat(service.snapshots()).containsExactly(backup.getStatus().snapshot());
    }

    @Test
    void aClassThatComesOrChangesWakesItsDatabases() throws Exception {
        create("a", 20);
        await(Database.class, "a", database -> says(database, "NoSuchClass"));

        createClass(10);
        await(Database.class, "a", database -> says(database, "TooLarge"));
        assertThat(service.ids()).isEmpty();

        client.patch(
                Kind.of(DatabaseClass.class),
                ObjectKey.cluster("standard"),
                Patch.merge("{\"spec\":{\"maximumGigabytes\":30}}"),
                WriteOptions.DEFAULT);
        Database ready = await(Database.class, "a", DatabaseReconcilerTest::ready);
        assertThat(service.ids()).containsExactly(ready.getMetadata().getUid());
    }

    @Test
    void aDatabaseObjectIsDeletedOnlyAfterItsDatabaseIsRemoved() throws Exception {
        createClass(50);
        create("a", 20);
        Database ready = await(Database.class, "a", DatabaseReconcilerTest::ready);

        String version = client.list(Database.class, ListOptions.in("default")).resourceVersion();
        try (Watch<Database> watch =
                client.watch(Database.class, ListOptions.in("default").resourceVersion(version))) {
            client.delete(Database.class, key("a"));
            Watch.Event<Database> event = watch.next().orElseThrow();
            while (event.type() != Watch.Type.DELETED) {
                event = watch.next().orElseThrow();
            }
        }

        assertThat(ready.getMetadata().getFinalizers()).containsExactly(DatabaseReconciler.FINALIZER);
        assertThat(service.ids()).isEmpty();
    }
}
