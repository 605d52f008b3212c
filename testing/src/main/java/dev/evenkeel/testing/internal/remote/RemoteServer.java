package dev.evenkeel.testing.internal.remote;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A server that cases run against, named by the system property {@value #PROPERTY}: a kubeconfig. Connected to once in a
 * process.
 *
 * <p>Definitions are created when the first suite needs them, and deleted at the end of the process, unless they existed
 * before.
 */
public final class RemoteServer {
    /** The system property with the path of a kubeconfig. */
    public static final String PROPERTY = "evenkeel.cluster";

    private static final Map<Path, RemoteServer> SERVERS = new ConcurrentHashMap<>();
    private static final Kind<CustomResourceDefinition> DEFINITIONS = Kind.of(CustomResourceDefinition.class);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private final KubernetesClient client;
    private final Set<String> served = ConcurrentHashMap.newKeySet();
    private final Set<String> created = ConcurrentHashMap.newKeySet();

    private RemoteServer(Path kubeconfig) {
        client = KubernetesClient.connect(Connection.fromKubeconfig(kubeconfig));
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "removes test definitions"));
    }

    /** Returns the server that the system property names; empty when it is not set. */
    public static Optional<RemoteServer> configured() {
        String kubeconfig = System.getProperty(PROPERTY, "");
        return kubeconfig.isEmpty()
                ? Optional.empty()
                : Optional.of(SERVERS.computeIfAbsent(Path.of(kubeconfig).toAbsolutePath(), RemoteServer::new));
    }

    Client client() {
        return client;
    }

    /** Creates missing definitions, and returns when all are served. */
    public synchronized void install(List<GenericKubernetesResource> definitions) {
        for (GenericKubernetesResource object : definitions) {
            String name = object.getMetadata().getName();
            if (!served.add(name)) {
                continue;
            }
            try {
                client.create(
                        DEFINITIONS, ModelCodec.convert(object, CustomResourceDefinition.class), WriteOptions.DEFAULT);
                created.add(name);
            } catch (AlreadyExistsException e) {
                // that of the cluster is used
            }
            await("the definition " + name + " is established", () -> established(name));
        }
    }

    private boolean established(String name) {
        CustomResourceDefinition found = client.get(DEFINITIONS, ObjectKey.cluster(name));
        if (found.getStatus() == null || found.getStatus().getConditions() == null) {
            return false;
        }
        return found.getStatus().getConditions().stream()
                .anyMatch(one ->
                        one.getType().equals("Established") && one.getStatus().equals("True"));
    }

    /** Waits until something holds, for a limited time. */
    static void await(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("waited " + LONGEST_WAIT.toSeconds() + " s until " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private void close() {
        for (String name : created) {
            try {
                client.delete(DEFINITIONS, ObjectKey.cluster(name), DeleteOptions.DEFAULT);
            } catch (ApiException e) {
                System.err.println("the test definition " + name + " was not deleted: " + e.getMessage());
            }
        }
        client.close();
    }
}
