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

/** Worlds: what is put there is so, and they are apart from each other. */
class WorldTest {
    private static final Given<ConfigMap> MAP = Given.yaml(ConfigMap.class, """
            metadata: {namespace: shop, name: m}
            data: {a: b}
            """);
    private static final Given<Pod> POD = Given.yaml(Pod.class, """
            metadata: {namespace: shop, name: p}
            spec: {containers: [{name: c, image: i}]}
            """);

    private final List<World> made = new ArrayList<>();
    private final World world = world();

    private World world() {
        World one = new Fixture().world(World.NOW);
        made.add(one);
        return one;
    }

    @AfterEach
    void close() {
        made.forEach(World::close);
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
        var unused = world.put(running);
        Pod there = world.client().get(Pod.class, POD.key());
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
    @DisplayName("Missing metadata is generated, the same in each world: uid, time, namespace")
    void made() {
        ConfigMap put = world.put(MAP);
        assertThat(put.getMetadata().getUid())
                .isEqualTo(Given.uidOf("ConfigMap", MAP.key()))
                .isEqualTo(world().put(MAP.object()).getMetadata().getUid());
        assertThat(put.getMetadata().getCreationTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
        Namespace namespace = world.client()
                .find(Namespace.class, dev.evenkeel.client.ObjectKey.cluster("shop"))
                .orElseThrow();
        assertThat(namespace.getStatus().getPhase()).isEqualTo("Active");
        assertThat(namespace.getMetadata().getUid()).isNotEmpty();
    }

    @Test
    @DisplayName("A stored object is replaced, and a stored namespace is not")
    void again() {
        var unused = world.put(Given.yaml(Namespace.class, "{metadata: {name: shop, labels: {mine: here}}}"));
        var unused2 = world.put(MAP);
        var unused3 = world.put(MAP.at("data", java.util.Map.of("c", "d")));
        assertThat(world.client().get(ConfigMap.class, MAP.key()).getData()).containsOnlyKeys("c");
        assertThat(world.client()
                        .get(Namespace.class, dev.evenkeel.client.ObjectKey.cluster("shop"))
                        .getMetadata()
                        .getLabels())
                .containsEntry("mine", "here");
    }

    @Test
    @DisplayName("An invalid object is refused, with the reason")
    void refused() {
        assertThatThrownBy(() -> world.put(POD.at("spec.restartPolicy", "Sometimes")))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("restartPolicy");
        assertThatThrownBy(() -> world.put(MAP.without("metadata.namespace")))
                .hasMessageContainingAll("ConfigMap \"m\"", "metadata.namespace");
        assertThatThrownBy(() -> world.put(Given.yaml("{apiVersion: a.b/v1, kind: C, metadata: {name: d}}")))
                .hasMessageContainingAll("kind C of a.b/v1 is not served here", "definitions(...)");
    }

    @Test
    @DisplayName("Calls of the test are not in the journal, those of the code under test are; both are effective")
    void twoClients() {
        var unused = world.put(MAP);
        var unused2 = world.client().update(MAP.at("data.a", "c").object());
        assertThat(world.journal().calls()).isEmpty();
        ConfigMap found = world.reactive().get(ConfigMap.class, MAP.key());
        var unused3 = world.reactive().delete(found);
        assertThat(world.journal().calls()).hasSize(2);
        assertThat(world.client().find(ConfigMap.class, MAP.key())).isEmpty();
    }

    @Test
    @DisplayName("Time does not pass by itself, for the server too")
    void time() {
        assertThat(world.clock().instant()).isEqualTo(World.NOW);
        world.pass(Duration.ofHours(3));
        assertThat(world.clock().instant()).isEqualTo(World.NOW.plus(Duration.ofHours(3)));
        assertThat(world.put(MAP).getMetadata().getCreationTimestamp()).isEqualTo("2026-01-01T03:00:00Z");
        world.passTo(World.NOW.plus(Duration.ofHours(4)));
        assertThat(world.clock().instant()).isEqualTo(World.NOW.plus(Duration.ofHours(4)));
        assertThatThrownBy(() -> world.passTo(World.NOW)).hasMessageContaining("has passed");
    }

    @Test
    @DisplayName("Generated names and uids are the same in each world")
    void chance() {
        assertThat(names(world)).isEqualTo(names(world())).hasSize(3);
    }

    private static List<String> names(World world) {
        var unused = world.put(MAP);
        for (int i = 0; i < 3; i++) {
            var unused2 = world.client()
                    .create(MAP.object()
                            .edit()
                            .editMetadata()
                            .withName(null)
                            .withGenerateName("x-")
                            .endMetadata()
                            .build());
        }
        return world.client().list(Kind.of(ConfigMap.class), ListOptions.in("shop")).items().stream()
                .map(map ->
                        map.getMetadata().getName() + " " + map.getMetadata().getUid())
                .filter(name -> name.startsWith("x-"))
                .toList();
    }

    @Test
    @DisplayName("Worlds are independent; other clusters are the same one by name, with the same clock")
    void apart() {
        var unused = world.put(MAP);
        World hub = world.other("hub");
        assertThat(world.other("hub")).isSameAs(hub);
        assertThat(world.other("edge")).isNotSameAs(hub);
        assertThat(hub.client().find(ConfigMap.class, MAP.key())).isEmpty();
        assertThat(world().client().find(ConfigMap.class, MAP.key())).isEmpty();
        var unused2 = hub.put(MAP.at("data.a", "c"));
        assertThat(world.client().get(ConfigMap.class, MAP.key()).getData()).containsEntry("a", "b");
        world.pass(Duration.ofDays(1));
        assertThat(hub.clock().instant()).isEqualTo(World.NOW.plus(Duration.ofDays(1)));
    }

    @Test
    @DisplayName("The server's controllers have done their work when a call returns")
    void cascades() {
        Given<Secret> child = Given.yaml(Secret.class, "{metadata: {namespace: shop, name: s}}")
                .ownedBy(MAP);
        var unused = world.put(MAP);
        var unused2 = world.put(child);
        var unused3 = world.client().delete(MAP.object());
        assertThat(world.client().find(Secret.class, child.key())).isEmpty();
        var unused4 = world.put(MAP);
        var unused5 = world.client().delete(Namespace.class, dev.evenkeel.client.ObjectKey.cluster("shop"));
        assertThat(world.client().find(ConfigMap.class, MAP.key())).isEmpty();
    }

    @Test
    @DisplayName(
            "Defaults are distinguished from given values, also of generic objects and of those without a name yet")
    void completed() {
        byte[] json = dev.evenkeel.client.ModelCodec.encode(POD.object());
        assertThat(new String(
                        world.completed(json, Expectations.kind(POD.object())),
                        java.nio.charset.StandardCharsets.UTF_8))
                .contains("\"restartPolicy\":\"Always\"");
        byte[] nameless = dev.evenkeel.client.ModelCodec.encode(
                POD.without("metadata.name").object());
        Kind<?> odd = Kind.generic("", "v1", "Pod", "podses", true);
        assertThat(new String(world.completed(nameless, odd), java.nio.charset.StandardCharsets.UTF_8))
                .contains("\"restartPolicy\":\"Always\"");
        assertThat(world.client().find(Pod.class, POD.key())).isEmpty();
    }

    @Test
    @DisplayName("The engine is accessible, to serve it over HTTP")
    void engine() {
        var unused = world.put(MAP);
        assertThat(world.engine()
                        .partition(Engine.DEFAULT_PARTITION)
                        .client("other")
                        .get(ConfigMap.class, MAP.key()))
                .isNotNull();
    }
}
