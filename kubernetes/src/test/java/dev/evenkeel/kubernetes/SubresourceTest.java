package dev.evenkeel.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.BadRequestException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.MethodNotAllowedException;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents in subresources, and grace periods, by the client of the engine and by that of a server. */
class SubresourceTest {
    private static final Kind<Pod> PODS = Kind.of(Pod.class);
    private static final ObjectKey KEY = ObjectKey.of("default", "a");
    private static final Binding BINDING = new BindingBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("a")
            .endMetadata()
            .withNewTarget()
            .withKind("Node")
            .withName("n1")
            .endTarget()
            .build();

    private static void with(String name, BiConsumer<Client, Client> test) {
        try (Engine engine = Engine.create()) {
            if (name.equals("server")) {
                try (Server server = Server.builder(engine).start();
                        KubernetesClient client = KubernetesClient.connect(Connection.to(server.url())
                                .ca(server.caCertificate())
                                .token(server.token())
                                .build())) {
                    test.accept(engine.client(), client);
                }
            } else {
                Client client = engine.client();
                test.accept(client, name.equals("engine") ? client : new ForwardingClient(client) {});
            }
        }
    }

    private static void pod(Client client) {
        Pod unused = client.create(new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("a")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("i")
                .endContainer()
                .endSpec()
                .build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"engine", "forwarding", "server"})
    void aPodIsBoundOnce(String name) {
        with(name, (engine, client) -> {
            pod(engine);
            client.createSubresource(PODS, KEY, "binding", BINDING, WriteOptions.DEFAULT.dryRun(true));
            assertThat(engine.get(PODS, KEY).getSpec().getNodeName()).isNull();
            client.createSubresource(PODS, KEY, "binding", BINDING, WriteOptions.DEFAULT);
            assertThat(engine.get(PODS, KEY).getSpec().getNodeName()).isEqualTo("n1");
            assertThatThrownBy(() -> client.createSubresource(PODS, KEY, "binding", BINDING, WriteOptions.DEFAULT))
                    .isInstanceOf(ConflictException.class);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"engine", "forwarding", "server"})
    void whatDoesNotExistIsRefused(String name) {
        with(name, (engine, client) -> {
            assertThatThrownBy(() -> client.createSubresource(PODS, KEY, "binding", BINDING, WriteOptions.DEFAULT))
                    .isInstanceOf(NotFoundException.class);
            pod(engine);
            assertThatThrownBy(() -> client.createSubresource(PODS, KEY, "status", BINDING, WriteOptions.DEFAULT))
                    .isInstanceOf(MethodNotAllowedException.class);
            assertThatThrownBy(() -> client.createSubresource(PODS, KEY, "", BINDING, WriteOptions.DEFAULT))
                    .isInstanceOf(BadRequestException.class)
                    .hasMessageContaining("subresource: none is given");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"engine", "forwarding", "server"})
    void theGracePeriodIsThatOfTheRequest(String name) {
        with(name, (engine, client) -> {
            pod(engine);
            client.createSubresource(PODS, KEY, "binding", BINDING, WriteOptions.DEFAULT);
            assertThat(client.delete(PODS, KEY, DeleteOptions.DEFAULT.gracePeriod(Duration.ofSeconds(7)))
                            .remaining())
                    .hasValueSatisfying(pod -> assertThat(pod.getMetadata().getDeletionGracePeriodSeconds())
                            .isEqualTo(7));
            assertThat(client.delete(PODS, KEY, DeleteOptions.DEFAULT.gracePeriod(Duration.ZERO))
                            .remaining())
                    .isEmpty();
            assertThat(engine.find(PODS, KEY)).isEmpty();
        });
        assertThatThrownBy(() -> DeleteOptions.DEFAULT.gracePeriod(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("gracePeriod must not be negative: PT-1S");
    }
}
