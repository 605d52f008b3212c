package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
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

    @EnableKubeAPIServer
    static class ApiServerOfAClass {
        static KubernetesClient client;

        @Test
        void hasAClient() {
            assertThat(client.namespaces().withName("kube-system").get()).isNotNull();
        }
    }

    /** A test of an operator, as its users have it for the mock server. */
    abstract static class OperatorOfMaps {
        /** Keeps a secret for each config map with a label. */
        @ControllerConfiguration(informer = @Informer(labelSelector = "app=shop"))
        static final class Secrets implements Reconciler<ConfigMap> {
            @Override
            public UpdateControl<ConfigMap> reconcile(ConfigMap map, Context<ConfigMap> context) {
                context.getClient()
                        .resource(new SecretBuilder()
                                .withNewMetadata()
                                .withNamespace(map.getMetadata().getNamespace())
                                .withName(map.getMetadata().getName())
                                .endMetadata()
                                .build())
                        .createOr(NonDeletingOperation::update);
                return UpdateControl.noUpdate();
            }
        }

        abstract KubernetesClient client();

        @Test
        void aMapHasASecret() {
            Operator operator = new Operator(
                    settings -> settings.withKubernetesClient(client()).withCloseClientOnStop(false));
            operator.register(new Secrets());
            operator.start();
            ConfigMap map = client().resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("a")
                            .addToLabels("app", "shop")
                            .endMetadata()
                            .build())
                    .create();
            assertThat(client().secrets()
                            .inNamespace(map.getMetadata().getNamespace())
                            .withName("a")
                            .waitUntilCondition(Objects::nonNull, 20, TimeUnit.SECONDS))
                    .isNotNull();
            operator.stop();
        }
    }

    @io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient(crud = true)
    static class Before extends OperatorOfMaps {
        KubernetesClient client;

        @Override
        KubernetesClient client() {
            return client;
        }
    }

    @EnableKubernetesMockClient(crud = true)
    static class After extends OperatorOfMaps {
        KubernetesClient client;

        @Override
        KubernetesClient client() {
            return client;
        }
    }

    /** A test whose container with k3s was replaced. */
    static class Container {
        @AutoClose
        static final EngineCluster K3S = EngineCluster.start();

        static String address = "";

        @Test
        void isReached() {
            Config config = Config.fromKubeconfig(K3S.kubeConfigYaml());
            address = config.getMasterUrl();
            try (KubernetesClient client =
                    new KubernetesClientBuilder().withConfig(config).build()) {
                assertThat(client.namespaces().withName("default").get()).isNotNull();
            }
        }
    }

    private static org.junit.platform.testkit.engine.EngineExecutionResults run(Class<?> type) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(type))
                .execute();
    }

    private static void passes(Class<?> type) {
        var events = run(type).testEvents();
        events.failed().stream().forEach(System.err::println);
        events.assertStatistics(statistics -> statistics.succeeded(1).failed(0));
    }

    @TestFactory
    Stream<DynamicTest> testsWithChangedImportsPass() {
        return Stream.of(Mock.class, ApiServer.class, ApiServerOfAClass.class, Before.class, After.class)
                .map(type -> DynamicTest.dynamicTest(type.getSimpleName(), () -> passes(type)));
    }

    @Test
    void aClusterInPlaceOfAContainerEndsWithItsClass() {
        passes(Container.class);
        int port = URI.create(Container.address).getPort();
        assertThatThrownBy(() -> new Socket("127.0.0.1", port).close()).isInstanceOf(ConnectException.class);
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
