package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.examples.stream.Broker;
import dev.evenkeel.examples.stream.BrokerReconciler;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator that runs with the permissions that {@code evenkeel rbac} prints, and no others. */
@Timeout(300)
class RbacOperatorTest {
    private static final Path EXAMPLE = Path.of("..", "examples", "stream");
    private static final List<Class<? extends HasMetadata>> KINDS = List.of(
            ServiceAccount.class,
            ClusterRole.class,
            ClusterRoleBinding.class,
            Role.class,
            RoleBinding.class,
            Broker.class);
    private static final WriteOptions WRITE =
            WriteOptions.DEFAULT.fieldManager("test").force(true);

    /** The controllers of the operator. */
    static final class Operator {
        private Operator() {}

        static Controller<Broker> brokers() {
            return BrokerReconciler.controller();
        }
    }

    private static List<GenericKubernetesResource> printed() {
        Commands commands = new Commands();
        int code = commands.run(
                "rbac",
                Operator.class.getName() + "#brokers",
                "--name",
                "operator",
                "--service-account",
                "default/operator");
        assertThat(code).isZero();
        return Manifests.parse(commands.out());
    }

    private static List<GenericKubernetesResource> read(String file) throws IOException {
        return Manifests.parse(Files.readString(EXAMPLE.resolve(file)));
    }

    private static void apply(Client admin, GenericKubernetesResource object) {
        Class<? extends HasMetadata> type = KINDS.stream()
                .filter(kind -> kind.getSimpleName().equals(object.getKind()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no class for " + object.getKind()));
        admin.apply(ModelCodec.convert(object, type), WRITE);
    }

    @Test
    void anOperatorRunsWithThePrintedRules() throws Exception {
        try (Engine engine = Engine.builder().authorization(Authorization.RBAC).build()) {
            Client admin = engine.client();
            read("crd.yaml")
                    .forEach(crd -> admin.apply(ModelCodec.convert(crd, CustomResourceDefinition.class), WRITE));
            User user = User.serviceAccount("default", "operator");
            Client operator = engine.as(user);
            assertThatThrownBy(() -> operator.list(Broker.class, ListOptions.ALL))
                    .isInstanceOf(ForbiddenException.class);
            printed().forEach(object -> apply(admin, object));

            CountDownLatch ready = new CountDownLatch(1);
            try (Manager manager = Manager.builder(operator).build();
                    Manager watching = Manager.builder(admin).build()) {
                manager.add(Operator.brokers());
                var unused = watching.informer(Kind.of(StatefulSet.class)).handle("test", change -> ready.countDown());
                watching.start();
                manager.start();
                read("streams.yaml").stream()
                        .filter(sample -> sample.getKind().equals("Broker"))
                        .filter(sample -> sample.getMetadata().getName().equals("archive"))
                        .forEach(sample -> apply(admin, sample));
                assertThat(ready.await(120, TimeUnit.SECONDS)).isTrue();
            }
            assertThatThrownBy(() -> operator.list(Kind.of(ClusterRole.class), ListOptions.ALL))
                    .isInstanceOf(ForbiddenException.class);
            assertThat(admin.list(StatefulSet.class, ListOptions.ALL).items()).hasSize(1);
        }
    }
}
