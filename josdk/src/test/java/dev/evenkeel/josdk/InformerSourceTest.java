package dev.evenkeel.josdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Result;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With a real informer of fabric8, which talks to the engine over HTTP. */
@Timeout(300)
class InformerSourceTest {
    private static String await(LinkedBlockingQueue<String> seen, Predicate<String> wanted)
            throws InterruptedException {
        while (true) {
            String next = seen.poll(120, TimeUnit.SECONDS);
            assertThat(next).as("a call in time").isNotNull();
            if (wanted.test(next)) {
                return next;
            }
        }
    }

    @Test
    void anInformerWakesAController() throws InterruptedException {
        LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (Engine engine = Engine.create();
                Server server =
                        Server.builder(engine).authentication(false).tls(false).start()) {
            Config config = new ConfigBuilder(Config.empty())
                    .withMasterUrl(server.url().toString())
                    .build();
            Client admin = engine.client();
            admin.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("a")
                    .endMetadata()
                    .build());
            try (var theirs = new KubernetesClientBuilder().withConfig(config).build();
                    KubernetesClient ours = KubernetesClient.connect(Fabric8Connection.of(config));
                    SharedIndexInformer<Secret> informer =
                            theirs.secrets().inAnyNamespace().inform();
                    Manager manager = Manager.of(ours)
                            .add(Controller.of(ConfigMap.class, reconciliation -> {
                                        seen.add(reconciliation.key() + " " + reconciliation.causes());
                                        return Result.done();
                                    })
                                    .source(InformerSource.of(
                                            informer,
                                            secret -> secret.getMetadata()
                                                            .getName()
                                                            .equals("wrong")
                                                    ? List.<ObjectKey>of().subList(1, 2)
                                                    : List.of(ObjectKey.of(
                                                            "default",
                                                            secret.getMetadata().getName())))))) {
                manager.start();
                await(seen, call -> call.startsWith("default/a"));
                Secret secret = new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("wrong")
                        .endMetadata()
                        .build();
                // the mapper fails for this one: it triggers nothing, and the next ones do
                admin.create(secret);
                secret.getMetadata().setName("a");
                admin.create(secret);
                assertThat(await(seen, call -> call.contains("informer of Secret")))
                        .startsWith("default/a")
                        .contains("default/a added");
                admin.delete(secret);
                await(seen, call -> call.contains("default/a deleted"));
                assertThat(informer.isRunning()).isTrue();
            }
        }
    }
}
