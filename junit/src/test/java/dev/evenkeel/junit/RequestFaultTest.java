package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

@EvenkeelTest(manifests = "manifests/crds.yaml")
class RequestFaultTest {
    KubernetesClient client;
    EngineCluster cluster;

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    @Test
    void theThirdCreateFails() {
        cluster.on("create", "configmaps").after(2).fail(409, "overtaken");
        client.resource(map("a")).create();
        client.resource(map("b")).create();
        assertThatThrownBy(() -> client.resource(map("c")).create())
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> {
                    assertThat(e.getCode()).isEqualTo(409);
                    assertThat(e.getStatus().getReason()).isEqualTo("Conflict");
                    assertThat(e).hasMessageContaining("overtaken");
                });
        assertThat(client.configMaps().inNamespace("default").withName("c").get())
                .isNull();
        client.resource(map("c")).create();
        assertThat(cluster.requests())
                .filteredOn(request -> request.startsWith("POST"))
                .containsExactly(
                        "POST /api/v1/namespaces/default/configmaps 201",
                        "POST /api/v1/namespaces/default/configmaps 201",
                        "POST /api/v1/namespaces/default/configmaps 409",
                        "POST /api/v1/namespaces/default/configmaps 201");
    }

    @Test
    void onlyTheStatusOfAKindIsRefused() {
        cluster.on("*", "pages/status").times(2).fail(422);
        Page page = client.resource(Page.of("a", "text")).create();
        page.setStatus(new Page.Status());
        page.getStatus().observedGeneration = 1L;
        assertThatThrownBy(() -> client.resource(page).updateStatus()).hasMessageContaining("422");
        assertThatThrownBy(() -> client.resource(page).patchStatus()).hasMessageContaining("422");
        assertThat(client.resource(page).updateStatus().getStatus().observedGeneration)
                .isOne();
    }

    @Test
    void aDelayedRequestWaitsForTheClock() {
        client.resource(map("a")).create();
        RequestFault delay = cluster.on("list", "configmaps").delay(Duration.ofHours(1));
        CompletableFuture<Integer> listed = CompletableFuture.supplyAsync(
                () -> client.configMaps()
                        .inNamespace("default")
                        .withLabel("none")
                        .list()
                        .getItems()
                        .size(),
                task -> Thread.ofVirtual().start(task));
        delay.awaitMet();
        // the held request is not under way
        cluster.awaitQuiet();
        cluster.clock().advance(Duration.ofMinutes(59));
        assertThat(listed).isNotDone();
        cluster.clock().advance(Duration.ofMinutes(2));
        assertThat(listed.join()).isZero();
    }

    @Test
    void quietMeansThatEachInformerHasSeenAll() {
        List<String> seen = new CopyOnWriteArrayList<>();
        try (var informer = client.configMaps().inNamespace("default").inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(ConfigMap map) {
                seen.add(map.getMetadata().getName());
            }

            @Override
            public void onUpdate(ConfigMap old, ConfigMap map) {}

            @Override
            public void onDelete(ConfigMap map, boolean unknown) {}
        })) {
            for (int i = 0; i < 200; i++) {
                client.resource(map("m" + i)).create();
                cluster.awaitQuiet();
                assertThat(seen).endsWith("m" + i);
            }
            assertThat(informer.isWatching()).isTrue();
        }
    }
}
