package dev.evenkeel.cli;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.policy.PolicyCalculation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that read the objects of a cluster. */
final class ClusterOptions {
    private static final Path SERVER = Path.of("evenkeel.kubeconfig");

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "kubeconfig of the cluster (default: the service account in a pod, elsewhere"
                    + " evenkeel.kubeconfig, which `evenkeel server` writes)")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            defaultValue = "",
            description = "context of the kubeconfig (default: the current one)")
    private String context = "";

    /** Returns a client of the cluster. */
    Client client(Lifetime lifetime, String manager) {
        boolean inPod = kubeconfig == null && System.getenv("KUBERNETES_SERVICE_HOST") != null;
        Connection connection = inPod
                ? Connection.inCluster()
                : Connection.fromKubeconfig(kubeconfig == null ? SERVER : kubeconfig, context);
        return lifetime.keep(
                KubernetesClient.builder(connection).fieldManager(manager).build());
    }

    /** Returns the objects that policy is calculated from; a kind that the cluster does not have counts as empty. */
    static List<HasMetadata> policyObjects(Client client) {
        List<HasMetadata> objects = new ArrayList<>();
        for (Class<? extends HasMetadata> kind : PolicyCalculation.kinds()) {
            try {
                objects.addAll(client.list(Kind.of(kind), ListOptions.ALL).items());
            } catch (NotFoundException e) {
                // the definition of an optional kind is missing
            }
        }
        return objects;
    }
}
