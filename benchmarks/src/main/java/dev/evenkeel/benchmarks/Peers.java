package dev.evenkeel.benchmarks;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import java.net.URI;
import java.util.function.Consumer;

/** The names of peers in the report, and the set-up of those that several workloads use. */
final class Peers {
    static final String FABRIC8 = "fabric8 7.8.0";
    static final String OFFICIAL = "official client 25.0.0";
    static final String JOSDK = "JOSDK 5.2.3";

    private Peers() {}

    static KubernetesClient fabric8(URI server) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.empty())
                        .withMasterUrl(server.toString())
                        .withNamespace("default")
                        .build())
                .build();
    }

    static Operator josdk(
            KubernetesClient client, Reconciler<ConfigMap> reconciler, Consumer<ConfigurationServiceOverrider> more) {
        Operator operator = new Operator(
                options -> more.accept(options.withKubernetesClient(client).checkingCRDAndValidateLocalModel(false)));
        operator.register(reconciler, options -> options.withGenerationAware(false));
        operator.start();
        return operator;
    }
}
