package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Tests of fabric8's own annotations, whose imports were changed. */
class DropInsTest {
    @EnableKubernetesMockClient(crud = true)
    static class Mock {
        KubernetesClient client;
        EngineCluster server;

        @Test
        void keepsObjects() {
            client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("a")
                            .endMetadata()
                            .build())
                    .create();
            assertThat(client.configMaps().withName("a").get().getMetadata().getUid())
                    .isNotEmpty();
            assertThat(server.requests()).hasSize(2);
        }
    }

    @EnableKubernetesMockClient
    static class Expectations {
        KubernetesClient client;

        @Test
        void isNotRun() {}
    }

    @EnableKubeAPIServer
    static class ApiServer {
        @Kubeconfig
        static String kubeConfigYaml;

        @Test
        void isReached() {
            try (KubernetesClient client = new KubernetesClientBuilder()
                    .withConfig(Config.fromKubeconfig(kubeConfigYaml))
                    .build()) {
                client.resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName("own")
                                .endMetadata()
                                .build())
                        .create();
                assertThat(client.namespaces().withName("own").get()).isNotNull();
            }
        }
    }

    private static org.junit.platform.testkit.engine.EngineExecutionResults run(Class<?> type) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(type))
                .execute();
    }

    @Test
    void testsWithChangedImportsPass() {
        run(Mock.class)
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(1).failed(0));
        run(ApiServer.class)
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(1).failed(0));
    }

    @Test
    void expectationsAreRefused() {
        var failed = run(Expectations.class).testEvents().failed().stream()
                .findFirst()
                .orElseThrow();
        assertThat(failed.getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow())
                .hasMessageContaining("needs crud = true");
    }
}
