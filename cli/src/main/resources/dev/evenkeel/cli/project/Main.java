package {{package}};

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * Runs the controller until SIGTERM or Ctrl-C: on the cluster of a kubeconfig; in a pod, on the cluster of the pod;
 * otherwise on an engine in this process, with the sample.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length == 0 && !System.getenv().containsKey("KUBERNETES_SERVICE_HOST")) {
            try (Engine engine = Engine.create()) {
                install(engine.client());
                try (Manager manager = run(engine.client())) {
                    awaitSignal(manager);
                }
            }
        } else {
            Connection connection =
                    arguments.length == 0 ? Connection.inCluster() : Connection.fromKubeconfig(Path.of(arguments[0]));
            try (KubernetesClient client = KubernetesClient.connect(connection);
                    Manager manager = run(client)) {
                awaitSignal(manager);
            }
        }
    }

    /** Runs the controller, and prints changes of the objects. */
    static Manager run(Client client) {
        Manager manager = Manager.of(client).add({{Kind}}Reconciler.controller());
        manager.informer(Kind.of({{Kind}}.class)).handle("main", change -> {
            {{Kind}} object = change.object().object();
            String conditions = object.getStatus() == null
                    ? "new"
                    : object.getStatus().getConditions().stream()
                            .map(condition -> condition.getType() + "=" + condition.getStatus())
                            .collect(Collectors.joining(", "));
            System.out.println(object.getKind() + " " + ObjectKey.of(object) + " " + conditions);
        });
        return manager.start();
    }

    /** Installs the type, and creates the sample. */
    static void install(Client client) {
        client.create(ModelCodec.convert(Manifests.parse(file("crd.yaml")).getFirst(), CustomResourceDefinition.class));
        client.create(ModelCodec.convert(Manifests.parse(file("sample.yaml")).getFirst(), {{Kind}}.class));
    }

    /** Reads a file from the class path. */
    static String file(String name) {
        try (InputStream in = Main.class.getResourceAsStream("/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitSignal(Manager manager) throws InterruptedException {
        // Ctrl-C and SIGTERM let running reconciliations complete
        Runtime.getRuntime().addShutdownHook(new Thread(manager::close));
        new CountDownLatch(1).await();
    }
}
