package dev.evenkeel.cli;

import dev.evenkeel.cli.ExampleFiles.Example;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.examples.Website;
import dev.evenkeel.examples.WebsiteReconciler;
import dev.evenkeel.examples.database.Database;
import dev.evenkeel.examples.database.DatabaseBackup;
import dev.evenkeel.examples.database.DatabaseBackupReconciler;
import dev.evenkeel.examples.database.DatabaseClass;
import dev.evenkeel.examples.database.DatabaseReconciler;
import dev.evenkeel.examples.database.InMemoryDatabaseService;
import dev.evenkeel.examples.stream.Account;
import dev.evenkeel.examples.stream.AccountReconciler;
import dev.evenkeel.examples.stream.Broker;
import dev.evenkeel.examples.stream.BrokerReconciler;
import dev.evenkeel.examples.stream.Connector;
import dev.evenkeel.examples.stream.ConnectorReconciler;
import dev.evenkeel.examples.stream.InMemoryStreamService;
import dev.evenkeel.examples.stream.Mirror;
import dev.evenkeel.examples.stream.MirrorReconciler;
import dev.evenkeel.examples.stream.StreamOverview;
import dev.evenkeel.examples.stream.StreamService;
import dev.evenkeel.examples.stream.Topic;
import dev.evenkeel.examples.stream.TopicReconciler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * An example program.
 *
 * @param name of its directory
 * @param primary its own kinds
 * @param owned kinds of the objects that its controllers create
 * @param controllers creates the controllers
 */
record ExampleProgram(
        String name,
        List<Class<? extends HasMetadata>> primary,
        List<Class<? extends HasMetadata>> owned,
        List<Controller<?>> controllers) {
    private static final Duration EFFORT = Duration.ofSeconds(3);

    static ExampleProgram of(Example example) {
        return switch (example) {
            case website -> website();
            case database -> database();
            case stream, all -> stream();
        };
    }

    static ExampleProgram website() {
        return new ExampleProgram(
                "website",
                List.of(Website.class),
                List.of(ConfigMap.class, Deployment.class, Service.class),
                List.of(WebsiteReconciler.controller()));
    }

    /** Databases of a simulated service: they are lost when the process ends. */
    static ExampleProgram database() {
        InMemoryDatabaseService service = new InMemoryDatabaseService(InstantSource.system(), EFFORT);
        return new ExampleProgram(
                "database",
                List.of(DatabaseClass.class, Database.class, DatabaseBackup.class),
                List.of(Secret.class, Service.class),
                List.of(DatabaseReconciler.controller(service), DatabaseBackupReconciler.controller(service)));
    }

    /** Brokers of streams, and their topics and accounts; the state of the brokers is simulated, too. */
    static ExampleProgram stream() {
        StreamService service = new InMemoryStreamService();
        return new ExampleProgram(
                "stream",
                List.of(Broker.class, Topic.class, Account.class, Connector.class, Mirror.class),
                List.of(ConfigMap.class, Secret.class, Service.class, StatefulSet.class, Deployment.class),
                List.of(
                        BrokerReconciler.controller(),
                        TopicReconciler.controller(service),
                        AccountReconciler.controller(service, new SecureRandom()),
                        ConnectorReconciler.controller(),
                        MirrorReconciler.controller(),
                        StreamOverview.controller()));
    }
}
