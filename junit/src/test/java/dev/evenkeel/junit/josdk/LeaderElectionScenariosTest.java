package dev.evenkeel.junit.josdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.junit.EngineCluster;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.OperatorException;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Several operators, one of which leads; permissions that are not there. */
class LeaderElectionScenariosTest extends OperatorScenarios {
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    private Operator elected(String identity, KubernetesClient client) {
        Operator operator = newOperator(settings -> settings.withKubernetesClient(client)
                .withLeaderElectionConfiguration(
                        LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration("operators")
                                .withLeaseNamespace("default")
                                .withIdentity(identity)
                                .withLeaseDuration(Duration.ofSeconds(2))
                                .withRenewDeadline(Duration.ofMillis(1500))
                                .withRetryPeriod(Duration.ofMillis(20))
                                .withExitOnStopLeading(false)
                                .build()));
        operator.register(new Custom((widget, context) -> {
            seen.add(identity + " " + widget.getMetadata().getName());
            return UpdateControl.noUpdate();
        }));
        return operator;
    }

    @Scenario("LeaderElection")
    void theSecondOperatorTakesOver() throws Exception {
        Operator first = elected("first", client);
        first.start();
        create(Widget.of("a", "1"));
        assertThat(seen.poll(120, TimeUnit.SECONDS)).isEqualTo("first a");
        assertThat(get(Lease.class, "operators").getSpec().getHolderIdentity()).isEqualTo("first");
        Operator second = elected("second", client);
        Thread starting = Thread.ofVirtual().start(second::start);
        first.stop();
        assertThat(seen.poll(120, TimeUnit.SECONDS)).isEqualTo("second a");
        starting.join();
        assertThat(get(Lease.class, "operators").getSpec().getHolderIdentity()).isEqualTo("second");
    }

    @Scenario("LeaderElectionPermission")
    void anOperatorWithoutAccessToLeasesDoesNotStart() {
        try (EngineCluster strict =
                EngineCluster.builder().authorization(true).types(Widget.class).start()) {
            grantWidgets(strict.kubernetesClient());
            Operator operator = elected("first", strict.kubernetesClient("alice"));
            assertThatThrownBy(operator::start)
                    .isInstanceOf(OperatorException.class)
                    .hasStackTraceContaining("No permission to lease resource");
            stop();
        }
    }

    /** Lets alice read widgets, and nothing else. */
    private static void grantWidgets(KubernetesClient administrator) {
        administrator
                .resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName("widgets")
                        .endMetadata()
                        .addNewRule()
                        .addToApiGroups("scenarios.example.com")
                        .addToResources("widgets")
                        .addToVerbs("get", "list", "watch")
                        .endRule()
                        .build())
                .create();
        administrator
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("widgets")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "widgets")
                        .addNewSubject("rbac.authorization.k8s.io", "User", "alice", null)
                        .build())
                .create();
    }

    @Scenario("InformerErrorHandlerStart")
    void anOperatorStartsWithoutAccessToItsResource() {
        try (EngineCluster strict =
                EngineCluster.builder().authorization(true).types(Widget.class).start()) {
            Operator operator = newOperator(settings -> settings.withKubernetesClient(strict.kubernetesClient("alice"))
                    .withStopOnInformerErrorDuringStartup(false)
                    .withCacheSyncTimeout(Duration.ofMillis(50)));
            operator.register(
                    new Custom((widget, context) -> UpdateControl.noUpdate()),
                    ControllerConfigurationOverrider::watchingAllNamespaces);
            operator.start();
            assertThat(operator.getRuntimeInfo().isStarted()).isTrue();
            assertThat(operator.getRuntimeInfo().unhealthyEventSources()).isNotEmpty();
            stop();
        }
    }
}
