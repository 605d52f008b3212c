package com.example;

import dev.evenkeel.junit.EngineCluster;
import io.fabric8.kubernetes.client.Config;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** Gives the application of a test a cluster; it stands for {@code @WithKubernetesTestServer}. */
public class EvenkeelCluster implements QuarkusTestResourceLifecycleManager {
    private EngineCluster cluster;

    @Override
    public Map<String, String> start() {
        cluster = EngineCluster.builder().manifests("greetings.yaml").start();
        Config config = Config.fromKubeconfig(cluster.kubeConfigYaml());
        return Map.of(
                "quarkus.kubernetes-client.api-server-url", config.getMasterUrl(),
                "quarkus.kubernetes-client.ca-cert-data", config.getCaCertData(),
                "quarkus.kubernetes-client.token", config.getAutoOAuthToken());
    }

    @Override
    public void stop() {
        cluster.close();
    }
}
