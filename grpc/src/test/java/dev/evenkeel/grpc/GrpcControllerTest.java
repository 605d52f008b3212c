package dev.evenkeel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Backoff;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.store.sqlite.SqliteOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A controller on the client, as it would run on any other: against a server whose store survives it. */
@Timeout(300)
class GrpcControllerTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);

    /** A server, and the engine that it serves. */
    private record Running(Engine engine, GrpcServer server) implements AutoCloseable {
        static Engine engine(Path directory) {
            return Engine.builder().store(SqliteOptions.in(directory)).build();
        }

        static Running on(Engine engine, int port) {
            return new Running(
                    engine,
                    GrpcServer.builder(engine)
                            .port(port)
                            .tls(false)
                            .authentication(false)
                            .start());
        }

        @Override
        public void close() {
            server.close();
            engine.close();
        }
    }

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("k", value)
                .build();
    }

    /** Keeps a secret with the data of each config map. */
    private static Controller<ConfigMap> secrets(Client client) {
        return Controller.of(ConfigMap.class, reconciliation -> {
                    reconciliation.resource().ifPresent(map -> {
                        Secret secret = new SecretBuilder()
                                .withNewMetadata()
                                .withNamespace("default")
                                .withName(map.getMetadata().getName())
                                .endMetadata()
                                .withStringData(Map.of("k", map.getData().get("k")))
                                .build();
                        OwnerReferences.control(map, secret);
                        client.apply(
                                secret,
                                WriteOptions.DEFAULT.fieldManager("secrets").force(true));
                    });
                    return Result.done();
                })
                .owns(SECRETS);
    }

    private static String secret(Engine engine, String name) {
        return engine.client()
                .find(SECRETS, ObjectKey.of("default", name))
                .map(secret -> secret.getData().get("k"))
                .orElse("");
    }

    private static final String ONE = "MQ==";
    private static final String TWO = "Mg==";

    @Test
    void aControllerContinuesAfterARestartOfTheServer(@TempDir Path directory) {
        List<String> begun = new CopyOnWriteArrayList<>();
        Running first = Running.on(Running.engine(directory), 0);
        int port = first.server().port();
        try (GrpcClient connection = GrpcClient.builder(first.server().target())
                        .tls(false)
                        .fieldManager("test")
                        .build();
                Manager manager = Manager.builder(new Begun(connection, begun))
                        .informerOptions(InformerOptions.DEFAULT.backoff(Backoff.constant(Duration.ofMillis(20))))
                        .build()) {
            manager.add(secrets(manager.client())).start();
            first.engine().client().create(map("a", "1"));
            Engine engine = first.engine();
            Fixture.await(() -> secret(engine, "a").equals(ONE));
            first.close();
            begun.clear();

            // changes while no server runs, which the controller cannot see
            Engine durable = Running.engine(directory);
            durable.client().update(map("a", "2"));
            durable.client().create(map("b", "1"));
            try (Running second = Running.on(durable, port)) {
                Fixture.await(() ->
                        secret(durable, "a").equals(TWO) && secret(durable, "b").equals(ONE));
                second.engine().client().delete(SECRETS, ObjectKey.of("default", "b"), DeleteOptions.DEFAULT);
                Fixture.await(() -> secret(durable, "b").equals(ONE));
                Fixture.await(() -> begun.containsAll(List.of("configmaps resumed", "secrets resumed")));
                assertThat(begun).as("watches continue where they were").noneMatch(one -> one.endsWith("listed"));
            }
        }
    }

    /** Records how lists and watches begin. */
    private static final class Begun extends ForwardingClient {
        private final List<String> begun;

        Begun(Client next, List<String> begun) {
            super(next);
            this.begun = begun;
        }

        @Override
        public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
            Listing<T> listing = super.list(kind, options);
            begun.add(kind.id() + " listed");
            return listing;
        }

        @Override
        public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
            Watch<T> watch = super.watch(kind, options);
            boolean resumed = !options.sendInitialEvents()
                    && !options.resourceVersion().isEmpty()
                    && !options.resourceVersion().equals("0");
            begun.add(kind.id() + (resumed ? " resumed" : " listed"));
            return watch;
        }
    }
}
