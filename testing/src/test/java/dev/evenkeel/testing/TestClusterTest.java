package dev.evenkeel.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Test clusters: what is put there is so, and they are apart from each other. */
class TestClusterTest {
    private static final Given<ConfigMap> MAP = Given.yaml(ConfigMap.class, """
            metadata: {namespace: shop, name: m}
            data: {a: b}
            """);
    private static final Given<Pod> POD = Given.yaml(Pod.class, """
            metadata: {namespace: shop, name: p}
            spec: {containers: [{name: c, image: i}]}
            """);

    private final List<TestCluster> made = new ArrayList<>();
    private final TestCluster cluster = cluster();

    private TestCluster cluster() {
        TestCluster one = new Fixture().inProcess(TestCluster.NOW);
        made.add(one);
        return one;
    }

    @AfterEach
    void close() {
        made.forEach(TestCluster::close);
    }

    @Test
    @DisplayName("An object is stored as it is: uid, times, status, deletion timestamp, generation")
    void asItIs() {
        Given<Pod> running = POD.uid("11111111-1111-1111-1111-111111111111")
                .created(Instant.parse("2020-02-02T02:02:02Z"))
                .finalizers("example.com/hold")
                .deleted(Instant.parse("2021-02-02T02:02:02Z"))
                .generation(7)
                .statusAt("phase", "Running");
        var unused = cluster.put(running);
        Pod there = cluster.client().get(Pod.class, POD.key());
        assertThat(there.getMetadata().getUid()).isEqualTo("11111111-1111-1111-1111-111111111111");
        assertThat(there.getMetadata().getCreationTimestamp()).isEqualTo("2020-02-02T02:02:02Z");
        assertThat(there.getMetadata().getDeletionTimestamp()).isEqualTo("2021-02-02T02:02:02Z");
        assertThat(there.getMetadata().getFinalizers()).containsExactly("example.com/hold");
        assertThat(there.getMetadata().getGeneration()).isEqualTo(7);
        assertThat(there.getStatus().getPhase()).isEqualTo("Running");
        // and defaults, as on any server
        assertThat(there.getSpec().getRestartPolicy()).isEqualTo("Always");
    }

    @Test
    @DisplayName("Missing metadata is generated, the same in each cluster: uid, time, namespace")
    void made() {
        ConfigMap put = cluster.put(MAP);
        assertThat(put.getMetadata().getUid())
                .isEqualTo(Given.uidOf("ConfigMap", MAP.key()))
                .isEqualTo(cluster().put(MAP.object()).getMetadata().getUid());
        assertThat(put.getMetadata().getCreationTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
        Namespace namespace = cluster.client()
                .find(Namespace.class, dev.evenkeel.client.ObjectKey.cluster("shop"))
                .orElseThrow();
        assertThat(namespace.getStatus().getPhase()).isEqualTo("Active");
        assertThat(namespace.getMetadata().getUid()).isNotEmpty();
    }

    @Test
    @DisplayName("A stored object is replaced, and a stored namespace is not")
    void again() {
        var unused = cluster.put(Given.yaml(Namespace.class, "{metadata: {name: shop, labels: {mine: here}}}"));
        var unused2 = cluster.put(MAP);
        var unused3 = cluster.put(MAP.at("data", java.util.Map.of("c", "d")));
        assertThat(cluster.client().get(ConfigMap.class, MAP.key()).getData()).containsOnlyKeys("c");
        assertThat(cluster.client()
                        .get(Namespace.class, dev.evenkeel.client.ObjectKey.cluster("shop"))
                        .getMetadata()
                        .getLabels())
                .containsEntry("mine", "here");
    }

    @Test
    @DisplayName("An invalid object is refused, with the reason")
    void refused() {
        assertThatThrownBy(() -> cluster.put(POD.at("spec.restartPolicy", "Sometimes")))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("restartPolicy");
        assertThatThrownBy(() -> cluster.put(MAP.without("metadata.namespace")))
                .hasMessageContainingAll("ConfigMap \"m\"", "metadata.namespace");
        assertThatThrownBy(() -> cluster.put(Given.yaml("{apiVersion: a.b/v1, kind: C, metadata: {name: d}}")))
                .hasMessageContainingAll("kind C of a.b/v1 is not served here", "definitions(...)");
    }

    @Test
    @DisplayName("Calls of the test are not in the journal, those of the code under test are; both are effective")
    void twoClients() {
        var unused = cluster.put(MAP);
        var unused2 = cluster.client().update(MAP.at("data.a", "c").object());
        assertThat(cluster.journal().calls()).isEmpty();
        ConfigMap found = cluster.reactive().get(ConfigMap.class, MAP.key());
        var unused3 = cluster.reactive().delete(found);
        assertThat(cluster.journal().calls()).hasSize(2);
        assertThat(cluster.client().find(ConfigMap.class, MAP.key())).isEmpty();
    }

    @Test
    @DisplayName("Time does not pass by itself, for the server too")
    void time() {
        assertThat(cluster.clock().instant()).isEqualTo(TestCluster.NOW);
        cluster.pass(Duration.ofHours(3));
        assertThat(cluster.clock().instant()).isEqualTo(TestCluster.NOW.plus(Duration.ofHours(3)));
        assertThat(cluster.put(MAP).getMetadata().getCreationTimestamp()).isEqualTo("2026-01-01T03:00:00Z");
        cluster.passTo(TestCluster.NOW.plus(Duration.ofHours(4)));
        assertThat(cluster.clock().instant()).isEqualTo(TestCluster.NOW.plus(Duration.ofHours(4)));
        assertThatThrownBy(() -> cluster.passTo(TestCluster.NOW)).hasMessageContaining("has passed");
    }

    @Test
    @DisplayName("Generated names and uids are the same in each cluster")
    void chance() {
        assertThat(names(cluster)).isEqualTo(names(cluster())).hasSize(3);
    }

    private static List<String> names(TestCluster cluster) {
        var unused = cluster.put(MAP);
        for (int i = 0; i < 3; i++) {
            var unused2 = cluster.client()
                    .create(MAP.object()
                            .edit()
                            .editMetadata()
                            .withName(null)
                            .withGenerateName("x-")
                            .endMetadata()
                            .build());
        }
        return cluster.client().list(Kind.of(ConfigMap.class), ListOptions.in("shop")).items().stream()
                .map(map ->
                        map.getMetadata().getName() + " " + map.getMetadata().getUid())
                .filter(name -> name.startsWith("x-"))
                .toList();
    }

    @Test
    @DisplayName("Test clusters are independent; other clusters are the same one by name, with the same clock")
    void apart() {
        var unused = cluster.put(MAP);
        TestCluster hub = cluster.other("hub");
        assertThat(cluster.other("hub")).isSameAs(hub);
        assertThat(cluster.other("edge")).isNotSameAs(hub);
        assertThat(hub.client().find(ConfigMap.class, MAP.key())).isEmpty();
        assertThat(cluster().client().find(ConfigMap.class, MAP.key())).isEmpty();
        var unused2 = hub.put(MAP.at("data.a", "c"));
        assertThat(cluster.client().get(ConfigMap.class, MAP.key()).getData()).containsEntry("a", "b");
        cluster.pass(Duration.ofDays(1));
        assertThat(hub.clock().instant()).isEqualTo(TestCluster.NOW.plus(Duration.ofDays(1)));
    }

    @Test
    @DisplayName("The server's controllers have done their work when a call returns")
    void cascades() {
        Given<Secret> child = Given.yaml(Secret.class, "{metadata: {namespace: shop, name: s}}")
                .ownedBy(MAP);
        var unused = cluster.put(MAP);
        var unused2 = cluster.put(child);
        var unused3 = cluster.client().delete(MAP.object());
        assertThat(cluster.client().find(Secret.class, child.key())).isEmpty();
        var unused4 = cluster.put(MAP);
        var unused5 = cluster.client().delete(Namespace.class, dev.evenkeel.client.ObjectKey.cluster("shop"));
        assertThat(cluster.client().find(ConfigMap.class, MAP.key())).isEmpty();
    }

    @Test
    @DisplayName(
            "Defaults are distinguished from given values, also of generic objects and of those without a name yet")
    void completed() {
        byte[] json = dev.evenkeel.client.ModelCodec.encode(POD.object());
        assertThat(new String(
                        cluster.completed(json, Expectations.kind(POD.object())),
                        java.nio.charset.StandardCharsets.UTF_8))
                .contains("\"restartPolicy\":\"Always\"");
        byte[] nameless = dev.evenkeel.client.ModelCodec.encode(
                POD.without("metadata.name").object());
        Kind<?> odd = Kind.generic("", "v1", "Pod", "podses", true);
        assertThat(new String(cluster.completed(nameless, odd), java.nio.charset.StandardCharsets.UTF_8))
                .contains("\"restartPolicy\":\"Always\"");
        assertThat(cluster.client().find(Pod.class, POD.key())).isEmpty();
    }

    @Test
    @DisplayName("The engine is accessible, to serve it over HTTP")
    void engine() {
        var unused = cluster.put(MAP);
        assertThat(cluster.engine()
                        .partition(Engine.DEFAULT_PARTITION)
                        .client("other")
                        .get(ConfigMap.class, MAP.key()))
                .isNotNull();
    }
}
