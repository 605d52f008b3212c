package dev.evenkeel.soak;

import static java.util.Map.entry;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.examples.database.Database;
import dev.evenkeel.examples.database.DatabaseBackup;
import dev.evenkeel.examples.database.DatabaseBackupReconciler;
import dev.evenkeel.examples.database.DatabaseBackupSpec;
import dev.evenkeel.examples.database.DatabaseBackupStatus;
import dev.evenkeel.examples.database.DatabaseClass;
import dev.evenkeel.examples.database.DatabaseClassSpec;
import dev.evenkeel.examples.database.DatabaseReconciler;
import dev.evenkeel.examples.database.DatabaseService;
import dev.evenkeel.examples.database.DatabaseSpec;
import dev.evenkeel.examples.database.DatabaseStatus;
import dev.evenkeel.examples.database.InMemoryDatabaseService;
import dev.evenkeel.simulation.Simulation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Creates, changes and deletes databases, their classes and backups; the service that stores them fails, too. */
final class DatabaseScenario extends ExampleScenario {
    DatabaseScenario(List<GenericKubernetesResource> types) {
        super("database", types);
    }

    private static final class DatabaseWorld extends World {
        final InMemoryDatabaseService service;

        DatabaseWorld(Simulation simulation) {
            super(simulation);
            service = new InMemoryDatabaseService(simulation.clock(), Duration.ofSeconds(20));
        }
    }

    private static final Map<String, String> CALLS = Map.ofEntries(
            entry("ensure", "ensure database"),
            entry("remove", "remove database"),
            entry("ids", "list databases"),
            entry("snapshot", "take snapshot"));

    @Override
    World world(Simulation simulation) {
        return new DatabaseWorld(simulation);
    }

    @Override
    List<Controller<?>> controllers(World world) {
        DatabaseService service =
                remote(world.simulation, DatabaseService.class, ((DatabaseWorld) world).service, CALLS);
        return List.of(DatabaseReconciler.controller(service), DatabaseBackupReconciler.controller(service));
    }

    @Override
    List<Child> owned(Kind<?> primary, ObjectKey key) {
        if (!primary.equals(Kind.of(Database.class))) {
            return List.of();
        }
        return List.of(new Child(Kind.of(Secret.class), credentials(key)), new Child(Kind.of(Service.class), key));
    }

    @Override
    void change(World world) {
        switch (world.below(6)) {
            case 0, 1 -> changeClass(world);
            case 2 -> changeBackup(world);
            default -> changeDatabase(world);
        }
    }

    private static void changeClass(World world) {
        ObjectKey key = ObjectKey.cluster("class-" + world.below(2));
        DatabaseClassSpec spec = new DatabaseClassSpec(5 + world.below(6), Map.of("p", "" + world.below(10)));
        DatabaseClass object = world.server().find(DatabaseClass.class, key).orElseGet(DatabaseClass::new);
        boolean present = object.getSpec() != null;
        object.getMetadata().setName(key.name());
        object.setSpec(spec);
        if (present) {
            world.server().update(object);
        } else {
            world.server().create(object);
        }
    }

    private static void changeDatabase(World world) {
        String name = "db-" + world.below(3);
        DatabaseSpec spec = new DatabaseSpec(
                "class-" + world.below(2), "" + world.below(5), 1 + world.below(8), List.of("u" + world.below(3)));
        world.change(new Database(), name, spec, Map.of());
    }

    private static void changeBackup(World world) {
        String name = "backup-" + world.below(2);
        Optional<DatabaseBackup> present = world.server().find(DatabaseBackup.class, key(name));
        if (present.isPresent()) {
            world.server().delete(present.get());
        } else {
            world.create(new DatabaseBackup(), name, new DatabaseBackupSpec("db-" + world.below(3)), Map.of());
        }
    }

    @Override
    boolean converged(World world) {
        InMemoryDatabaseService service = ((DatabaseWorld) world).service;
        Set<String> wanted = new TreeSet<>();
        Set<String> ready = new TreeSet<>();
        for (Database database : world.all(Database.class)) {
            String uid = database.getMetadata().getUid();
            DatabaseStatus status = database.getStatus();
            if (database.isMarkedForDeletion()
                    || status == null
                    || status.observedGeneration() != database.getMetadata().getGeneration()) {
                return false;
            }
            ObjectKey className = ObjectKey.cluster(database.getSpec().className());
            Optional<DatabaseClass> kind = world.server().find(DatabaseClass.class, className);
            boolean possible = kind.isPresent()
                    && database.getSpec().gigabytes() <= kind.get().getSpec().maximumGigabytes();
            if (Conditions.isTrue(status.conditions(), DatabaseStatus.READY) != possible
                    || (possible
                            && !asWanted(world, service, database, kind.get().getSpec()))) {
                return false;
            }
            wanted.add(uid);
            if (possible) {
                ready.add(database.getMetadata().getName());
            }
        }
        for (DatabaseBackup backup : world.all(DatabaseBackup.class)) {
            DatabaseBackupStatus status = backup.getStatus();
            String database = backup.getSpec().database();
            if (status == null || (status.snapshot().isEmpty() && ready.contains(database))) {
                return false;
            }
        }
        return wanted.containsAll(service.ids());
    }

    private static boolean asWanted(
            World world, InMemoryDatabaseService service, Database database, DatabaseClassSpec kind) {
        DatabaseSpec spec = database.getSpec();
        ObjectKey key = ObjectKey.of(database);
        DatabaseService.Wanted wanted =
                new DatabaseService.Wanted(spec.version(), spec.gigabytes(), spec.users(), kind.parameters());
        return service.wanted(database.getMetadata().getUid()).equals(Optional.of(wanted))
                && world.server().find(Secret.class, credentials(key)).isPresent()
                && world.server().find(Service.class, key).isPresent();
    }
}
