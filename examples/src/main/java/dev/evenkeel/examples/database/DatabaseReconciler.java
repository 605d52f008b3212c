package dev.evenkeel.examples.database;

import static dev.evenkeel.examples.database.DatabaseStatus.READY;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Mapper;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.cache.Index;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Maintains each {@link Database} in the service, and publishes its address in the cluster: a Secret with the password
 * and a Service that leads there.
 *
 * <p>The service identifies the database by the uid of its object. So a call whose answer was lost is repeated safely,
 * and a recreated object is another database. The finalizer is set before the first call to the service: from then on
 * the object cannot be deleted without the database.
 */
public final class DatabaseReconciler implements Reconciler<Database> {
    /** Holds an object until its database is removed. */
    public static final String FINALIZER = "examples.evenkeel.dev/database";

    /** Databases by the name of their class. */
    private static final Index<Database, String> BY_CLASS =
            Index.of("class", database -> Stream.of(database.getSpec().className()));

    private static final WriteOptions WRITE =
            WriteOptions.DEFAULT.fieldManager("database-controller").force(true);
    private static final Duration POLL = Duration.ofSeconds(5);

    private final DatabaseService service;

    DatabaseReconciler(DatabaseService service) {
        this.service = service;
    }

    /** Returns the controller. */
    public static Controller<Database> controller(DatabaseService service) {
        return Controller.of(Database.class, new DatabaseReconciler(service))
                .index(BY_CLASS)
                .initializer(context -> removeOrphans(context.client(), service))
                .owns(Secret.class)
                .owns(Service.class)
                // every change of a class triggers all databases of it
                .watches(
                        DatabaseClass.class,
                        Mapper.index(BY_CLASS, kind -> kind.key().name()));
    }

    @Override
    public Result reconcile(Reconciliation<Database> reconciliation) {
        if (reconciliation.resource().isEmpty()) {
            return Result.done();
        }
        Database database = reconciliation.resource().get();
        String id = database.getMetadata().getUid();
        if (database.isMarkedForDeletion()) {
            if (Finalizers.has(database, FINALIZER)) {
                service.remove(id);
                Finalizers.remove(database, FINALIZER);
                reconciliation.client().update(database);
            }
            return Result.done();
        }
        if (Finalizers.add(database, FINALIZER)) {
            database = reconciliation.client().update(database);
        }
        DatabaseSpec spec = database.getSpec();
        // kept in the status while the service is not called
        String host = Optional.ofNullable(database.getStatus())
                .map(DatabaseStatus::host)
                .orElse("");
        Optional<DatabaseClass> found =
                reconciliation.cache(DatabaseClass.class).find(ObjectKey.cluster(spec.className()));
        if (found.isEmpty()) {
            String message = "class \"" + spec.className() + "\" does not exist";
            return say(reconciliation, database, host, "NoSuchClass", message);
        }
        DatabaseClassSpec kind = found.get().getSpec();
        if (spec.gigabytes() > kind.maximumGigabytes()) {
            String message = "class \"" + spec.className() + "\" has at most " + kind.maximumGigabytes() + " gigabytes";
            return say(reconciliation, database, host, "TooLarge", message);
        }
        // no fence undoes an external call: so check, before and after, whether the database is still wanted
        if (!isWanted(reconciliation.client(), database)) {
            return Result.retry();
        }
        DatabaseService.Instance instance = service.ensure(
                id, new DatabaseService.Wanted(spec.version(), spec.gigabytes(), spec.users(), kind.parameters()));
        if (!isWanted(reconciliation.client(), database)) {
            service.remove(id);
            return Result.retry();
        }
        for (HasMetadata child : List.of(secret(database, instance), address(database, instance))) {
            OwnerReferences.control(database, child);
            reconciliation.client().apply(child, WRITE);
        }
        if (!instance.ready()) {
            say(reconciliation, database, instance.host(), "Provisioning", "the service is at it");
            return Result.after(POLL);
        }
        return say(reconciliation, database, instance.host(), READY, "it can be used");
    }

    /**
     * Returns whether the API has the object, and not only a cache that may be behind what the leader before this one
     * did.
     */
    private static boolean isWanted(Client client, Database database) {
        String uid = database.getMetadata().getUid();
        return client.find(Database.class, ObjectKey.of(database))
                .filter(present -> present.getMetadata().getUid().equals(uid) && Finalizers.has(present, FINALIZER))
                .isPresent();
    }

    /**
     * Removes instances left behind by a process that died just after it had created one for a database deleted
     * meanwhile. Instances are listed first: each had a database before.
     */
    private static void removeOrphans(Client client, DatabaseService service) {
        SortedSet<String> ids = service.ids();
        Set<String> wanted = client.list(Database.class, ListOptions.ALL).items().stream()
                .map(database -> database.getMetadata().getUid())
                .collect(Collectors.toSet());
        ids.stream().filter(id -> !wanted.contains(id)).forEach(service::remove);
    }

    private static Result say(
            Reconciliation<Database> reconciliation, Database database, String host, String reason, String message) {
        long generation = database.getMetadata().getGeneration();
        List<Condition> before = Optional.ofNullable(database.getStatus())
                .map(DatabaseStatus::conditions)
                .orElse(List.of());
        Condition condition = Conditions.condition(READY, reason.equals(READY), generation, reason, message);
        Instant now = reconciliation.now();
        database.setStatus(new DatabaseStatus(generation, host, Conditions.with(before, condition, now)));
        reconciliation.updateStatus(database);
        return Result.done();
    }

    private static Secret secret(Database database, DatabaseService.Instance instance) {
        return new SecretBuilder()
                .withMetadata(metadata(database, "-credentials"))
                .withStringData(Map.of("host", instance.host(), "password", instance.password()))
                .build();
    }

    private static Service address(Database database, DatabaseService.Instance instance) {
        return new ServiceBuilder()
                .withMetadata(metadata(database, ""))
                .withNewSpec()
                .withType("ExternalName")
                .withExternalName(instance.host())
                .endSpec()
                .build();
    }

    private static ObjectMeta metadata(Database database, String suffix) {
        return new ObjectMetaBuilder()
                .withNamespace(database.getMetadata().getNamespace())
                .withName(database.getMetadata().getName() + suffix)
                .build();
    }
}
