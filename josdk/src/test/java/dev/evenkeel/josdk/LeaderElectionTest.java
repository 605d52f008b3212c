package dev.evenkeel.josdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator of JOSDK with leader election, which asks for its permissions before it starts. */
@Timeout(300)
class LeaderElectionTest {
    /** Completes a future with the name of the object; a class, because JOSDK reads the kind from its declaration. */
    private record Recording(CompletableFuture<String> reconciled) implements Reconciler<ConfigMap> {
        @Override
        public UpdateControl<ConfigMap> reconcile(ConfigMap map, Context<ConfigMap> context) {
            reconciled.complete(map.getMetadata().getName());
            return UpdateControl.noUpdate();
        }
    }

    @Test
    void anOperatorWithLeaderElectionStarts() throws Exception {
        try (Engine engine = Engine.create();
                Server server =
                        Server.builder(engine).authentication(false).tls(false).start()) {
            Config config = new ConfigBuilder(Config.empty())
                    .withMasterUrl(server.url().toString())
                    .withNamespace("default")
                    .build();
            KubernetesClient client =
                    new KubernetesClientBuilder().withConfig(config).build();
            CompletableFuture<String> reconciled = new CompletableFuture<>();
            Operator operator = new Operator(options -> options.withKubernetesClient(client)
                    .withLeaderElectionConfiguration(
                            LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration("elected")
                                    .withLeaseNamespace("default")
                                    .withIdentity("me")
                                    .withExitOnStopLeading(false)
                                    .build())
                    .checkingCRDAndValidateLocalModel(false)
                    .withCloseClientOnStop(true));
            operator.register(new Recording(reconciled), configuration -> configuration.settingNamespaces("default"));
            operator.start();
            try {
                client.resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("a")
                                .endMetadata()
                                .build())
                        .create();
                assertThat(reconciled.get(120, TimeUnit.SECONDS)).isEqualTo("a");
                assertThat(client.leases()
                                .inNamespace("default")
                                .withName("elected")
                                .get()
                                .getSpec()
                                .getHolderIdentity())
                        .isEqualTo("me");
            } finally {
                operator.stop();
            }
        }
    }
}
