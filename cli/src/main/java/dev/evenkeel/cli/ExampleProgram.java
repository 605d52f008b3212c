package dev.evenkeel.cli;

import dev.evenkeel.controller.Controller;
import dev.evenkeel.examples.Website;
import dev.evenkeel.examples.WebsiteReconciler;
import dev.evenkeel.examples.database.Database;
import dev.evenkeel.examples.database.DatabaseBackup;
import dev.evenkeel.examples.database.DatabaseBackupReconciler;
import dev.evenkeel.examples.database.DatabaseClass;
import dev.evenkeel.examples.database.DatabaseReconciler;
import dev.evenkeel.examples.database.InMemoryDatabaseService;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * An example as it is run.
 *
 * @param name of its directory
 * @param primary its own kinds
 * @param owned kinds of what its controllers make
 * @param controllers what runs
 */
record ExampleProgram(
        String name,
        List<Class<? extends HasMetadata>> primary,
        List<Class<? extends HasMetadata>> owned,
        List<Controller<?>> controllers) {
    private static final Duration EFFORT = Duration.ofSeconds(3);

    /** Websites. */
    static ExampleProgram website() {
        return new ExampleProgram(
                "website",
                List.of(Website.class),
                List.of(ConfigMap.class, Deployment.class, Service.class),
                List.of(WebsiteReconciler.controller()));
    }

    /** Databases of a service that is only played: it forgets them with the process. */
    static ExampleProgram database() {
        InMemoryDatabaseService service = new InMemoryDatabaseService(InstantSource.system(), EFFORT);
        return new ExampleProgram(
                "database",
                List.of(DatabaseClass.class, Database.class, DatabaseBackup.class),
                List.of(Secret.class, Service.class),
                List.of(DatabaseReconciler.controller(service), DatabaseBackupReconciler.controller(service)));
    }
}
