package dev.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Forks of engines, and restored objects. */
class ForkTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final String WIDGETS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: widgets.example.com
            spec:
              group: example.com
              names: {kind: Widget, plural: widgets}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          size: {type: integer, maximum: 9, default: 1}
                      status:
                        type: object
                        properties:
                          size: {type: integer}
            """;
    private static final String WIDGET = """
            {"apiVersion": "example.com/v1", "kind": "Widget",
             "metadata": {"namespace": "default", "name": "w"}, "spec": {"size": %d}}""";

    private final Engine origin = Engine.builder().executor(Runnable::run).build();

    @AfterEach
    void close() {
        origin.close();
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private static GenericKubernetesResource widget(int size) {
        return Manifests.parse(WIDGET.formatted(size)).getFirst();
    }

    private static CustomResourceDefinition widgets() {
        return ModelCodec.convert(Manifests.parse(WIDGETS).getFirst(), CustomResourceDefinition.class);
    }

    private static final Kind<GenericKubernetesResource> WIDGET_KIND =
            Kind.generic("example.com", "v1", "Widget", "widgets", true);

    @Test
    @DisplayName("A fork has the objects and the types of its origin; from then on both are independent")
    void separate() {
        Client first = origin.client();
        first.create(widgets());
        first.create(WIDGET_KIND, widget(3), WriteOptions.DEFAULT);
        first.create(map("a"));
        try (Engine fork = origin.fork().clock(InstantSource.fixed(NOON)).build()) {
            Client second = fork.client();
            assertThat(second.get(ConfigMap.class, ObjectKey.of("default", "a")))
                    .isEqualTo(first.get(ConfigMap.class, ObjectKey.of("default", "a")));
            assertThat(second.get(WIDGET_KIND, ObjectKey.of("default", "w"))
                            .getMetadata()
                            .getUid())
                    .isEqualTo(first.get(WIDGET_KIND, ObjectKey.of("default", "w"))
                            .getMetadata()
                            .getUid());
            assertThat(second.create(map("b")).getMetadata().getCreationTimestamp())
                    .isEqualTo(NOON.toString());
            first.delete(map("a"));
            assertThat(first.find(ConfigMap.class, ObjectKey.of("default", "b")))
                    .isEmpty();
            assertThat(second.find(ConfigMap.class, ObjectKey.of("default", "a")))
                    .isPresent();
            second.delete(CustomResourceDefinition.class, ObjectKey.cluster("widgets.example.com"));
            assertThatThrownBy(() -> second.list(WIDGET_KIND, ListOptions.ALL))
                    .isInstanceOf(dev.evenkeel.client.NotFoundException.class);
            assertThat(first.list(WIDGET_KIND, ListOptions.ALL).items()).hasSize(1);
            assertThatThrownBy(() -> second.create(WIDGET_KIND, widget(1), WriteOptions.DEFAULT))
                    .isInstanceOf(dev.evenkeel.client.NotFoundException.class);
            assertThatThrownBy(() -> first.create(WIDGET_KIND, widget(10), WriteOptions.DEFAULT))
                    .isInstanceOf(InvalidException.class);
        }
    }

    @Test
    @DisplayName("Watches of a fork begin at its creation; earlier history is compacted")
    void history() throws InterruptedException {
        Client first = origin.client();
        String before = first.create(map("a")).getMetadata().getResourceVersion();
        first.create(map("b"));
        try (Engine fork = origin.fork().build()) {
            Client second = fork.client();
            String now = second.list(ConfigMap.class, ListOptions.in("default")).resourceVersion();
            try (Watch<ConfigMap> watch =
                    second.watch(ConfigMap.class, ListOptions.in("default").resourceVersion(now))) {
                second.create(map("c"));
                assertThat(watch.next().orElseThrow().object().getMetadata().getName())
                        .isEqualTo("c");
            }
            assertThatThrownBy(() -> {
                        try (Watch<ConfigMap> watch = second.watch(
                                ConfigMap.class, ListOptions.in("default").resourceVersion(before))) {
                            watch.next();
                        }
                    })
                    .isInstanceOf(ExpiredException.class);
        }
    }

    @Test
    @DisplayName("A fork continues the allocation of service addresses independently")
    void addresses() {
        Client first = origin.client();
        first.create(service("a"));
        try (Engine fork = origin.fork().build()) {
            String here = first.create(service("b")).getSpec().getClusterIP();
            assertThat(fork.client().create(service("b")).getSpec().getClusterIP())
                    .isEqualTo(here);
        }
    }

    private static Service service(String name) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewPort()
                .withPort(80)
                .endPort()
                .endSpec()
                .build();
    }

    @Test
    @DisplayName("Settings that a fork cannot change are refused, and so is a fork of a store that is not in memory")
    void refusals() {
        assertThatThrownBy(() -> origin.fork().store(context -> origin.store()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("set it on the engine that is forked");
        try (Engine unforkable = Engine.builder().store(context -> unforkable()).build()) {
            assertThatThrownBy(() -> unforkable.fork().build())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("cannot be forked");
        }
    }

    /** A store in memory that does not offer to be forked. */
    private static Store unforkable() {
        Store store = new MemoryStore();
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) ->
                        method.getName().equals("fork") ? Optional.empty() : method.invoke(store, arguments));
    }

    @Test
    @DisplayName("An object is restored with uid, status, times and deletion timestamp; absent metadata is set")
    void restored() {
        origin.client().create(widgets());
        ResourceApi partition = ResourceApi.of(origin.partition(Engine.DEFAULT_PARTITION));
        Target widgets =
                partition.types().resource("example.com", "v1", "widgets").orElseThrow();
        partition.restore(widgets.withName("default", ""), Body.yaml("""
                        apiVersion: example.com/v1
                        kind: Widget
                        metadata:
                          namespace: default
                          name: w
                          uid: 11111111-2222-3333-4444-555555555555
                          generation: 7
                          creationTimestamp: "2020-01-01T00:00:00Z"
                          deletionTimestamp: "2020-01-02T00:00:00Z"
                          finalizers: [example.com/held]
                        status:
                          size: 4
                        """), "test");
        GenericKubernetesResource read = origin.client().get(WIDGET_KIND, ObjectKey.of("default", "w"));
        assertThat(read.getMetadata().getUid()).isEqualTo("11111111-2222-3333-4444-555555555555");
        assertThat(read.getMetadata().getGeneration()).isEqualTo(7);
        assertThat(read.getMetadata().getCreationTimestamp()).isEqualTo("2020-01-01T00:00:00Z");
        assertThat(read.getMetadata().getDeletionTimestamp()).isEqualTo("2020-01-02T00:00:00Z");
        assertThat(read.<Object>get("status", "size")).isEqualTo(4);
        assertThat(read.<Object>get("spec")).isNull();
        assertThat(read.getMetadata().getManagedFields().getFirst().getManager())
                .isEqualTo("test");

        partition.restore(widgets.withName("default", ""), Body.json(WIDGET.formatted(2)), "test");
        GenericKubernetesResource again = origin.client().get(WIDGET_KIND, ObjectKey.of("default", "w"));
        assertThat(again.getMetadata().getUid()).isNotEqualTo(read.getMetadata().getUid());
        assertThat(again.getMetadata().getGeneration()).isEqualTo(1);
        assertThat(Map.of("size", 2)).isEqualTo(again.get("spec"));
    }

    @Test
    @DisplayName("A state that writes cannot lead to is not restored")
    void unlikely() {
        origin.client().create(widgets());
        ResourceApi partition = ResourceApi.of(origin.partition(Engine.DEFAULT_PARTITION));
        Target widgets = partition
                .types()
                .resource("example.com", "v1", "widgets")
                .orElseThrow()
                .withName("default", "");
        assertThatThrownBy(() -> partition.restore(widgets, Body.json(WIDGET.formatted(10)), "test"))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("spec.size");
        assertThatThrownBy(() -> partition.restore(widgets, Body.yaml("""
                                apiVersion: example.com/v1
                                kind: Widget
                                metadata: {name: w, deletionTimestamp: "2020-01-02T00:00:00Z"}
                                """), "test"))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("metadata.finalizers");
        assertThatThrownBy(() -> partition.restore(
                        widgets,
                        Body.yaml("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, sepc: {}}"),
                        "test"))
                .hasMessageContaining("sepc");
        assertThat(origin.client().list(WIDGET_KIND, ListOptions.ALL).items()).isEmpty();
    }
}
