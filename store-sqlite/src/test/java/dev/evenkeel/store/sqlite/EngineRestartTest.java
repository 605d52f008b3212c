package dev.evenkeel.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.contract.PartitionDeletion;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.type.Target;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an engine knew before its end it knows after the next start, and what it had begun it completes. */
class EngineRestartTest {
    @TempDir
    private Path directory;

    /** Returns an engine whose services work at once, or never: as if it was killed before they began. */
    private Engine engine(boolean services) {
        Executor executor = services ? Runnable::run : task -> {};
        return Engine.builder()
                .executor(executor)
                .store(SqliteOptions.in(directory))
                .build();
    }

    private static <T extends HasMetadata> T parse(String yaml, Class<T> type) {
        return ModelCodec.convert(Manifests.parse(yaml).getFirst(), type);
    }

    private static ConfigMap configMap(String namespace, String name, String metadata) {
        return parse("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {namespace: %s, name: %s%s}
                """.formatted(namespace, name, metadata), ConfigMap.class);
    }

    @Test
    void nothingIsLeftOfAPartitionThatIsDeleted() throws InterruptedException {
        try (Engine engine = engine(true)) {
            PartitionDeletion.check(engine);
        }
        try (Engine engine = engine(true)) {
            PartitionDeletion.assertGone(engine);
        }
    }

    private static Target deviceClass(ResourceApi api, String name) {
        return api.resource("resource.k8s.io", "v1", "deviceclasses")
                .orElseThrow()
                .withName("", name);
    }

    private static long generationAfterLabel(ResourceApi api, String name, String label) {
        return api.patch(
                                deviceClass(api, name),
                                Patch.Type.MERGE,
                                Body.json("{\"metadata\":{\"labels\":{\"added\":\"" + label + "\"}}}"),
                                dev.evenkeel.engine.internal.object.WriteOptions.DEFAULT)
                        instanceof Reply.Shown(int code, Document document, List<String> warnings)
                ? document.tree().integer("metadata", "generation")
                : -1;
    }

    /** A patch compacts what a client sent with spaces, which is a change of the field. */
    @Test
    void spacesInFieldsThatHoldAnyObjectAreKnown() {
        try (Engine engine = engine(true)) {
            ResourceApi api = ResourceApi.of(engine.partition("default"));
            for (String space : List.of("", " ")) {
                String body = "{\"metadata\":{\"name\":\"a" + space.length() + "\"},\"spec\":{\"config\":[{\"opaque\":{"
                        + "\"driver\":\"d.example.com\",\"parameters\":{\"x\":" + space + "1}}}]}}";
                var unused = api.create(
                        deviceClass(api, ""),
                        Body.json(body),
                        dev.evenkeel.engine.internal.object.WriteOptions.DEFAULT);
            }
        }
        try (Engine engine = engine(true)) {
            ResourceApi api = ResourceApi.of(engine.partition("default"));
            assertThat(generationAfterLabel(api, "a0", "b")).isEqualTo(1);
            assertThat(new String(
                            api.get(deviceClass(api, "a1"), "", User.ADMIN).json(), UTF_8))
                    .endsWith("}");
            assertThat(generationAfterLabel(api, "a1", "b")).isEqualTo(2);
            assertThat(generationAfterLabel(api, "a1", "c")).isEqualTo(2);
        }
    }

    @Test
    void objectsAreEqualToTheirUidsAndRevisions() {
        ConfigMap before;
        try (Engine engine = engine(true)) {
            engine.partition("team-a").client("test").create(configMap("default", "x", ""));
            before = engine.client().create(configMap("default", "x", ", labels: {a: b}"));
        }
        try (Engine engine = engine(true)) {
            assertThat(engine.client().get(ConfigMap.class, ObjectKey.of("default", "x")))
                    .isEqualTo(before);
            assertThat(engine.partition("team-a").client("test").find(ConfigMap.class, ObjectKey.of("default", "x")))
                    .isPresent()
                    .isNotEqualTo(before);
            assertThat(engine.store().revision())
                    .isEqualTo(Long.parseLong(before.getMetadata().getResourceVersion()));
        }
    }

    @Test
    void definedTypesAreServed() {
        Kind<GenericKubernetesResource> gadgets = Kind.generic("example.com", "v1", "Gadget", "gadgets", true);
        String gadget = """
                apiVersion: example.com/v1
                kind: Gadget
                metadata: {namespace: default, name: %s}
                """;
        try (Engine engine = engine(true)) {
            engine.client().create(parse("""
                    apiVersion: apiextensions.k8s.io/v1
                    kind: CustomResourceDefinition
                    metadata: {name: gadgets.example.com}
                    spec:
                      group: example.com
                      names: {plural: gadgets, kind: Gadget}
                      scope: Namespaced
                      versions:
                      - name: v1
                        served: true
                        storage: true
                        schema:
                          openAPIV3Schema:
                            type: object
                            properties: {size: {type: integer, default: 3, maximum: 9}}
                    """, CustomResourceDefinition.class));
            engine.client()
                    .create(gadgets, Manifests.parse(gadget.formatted("g")).getFirst(), WriteOptions.DEFAULT);
        }
        try (Engine engine = engine(true)) {
            Client client = engine.client();
            assertThat(client.get(gadgets, ObjectKey.of("default", "g")).getAdditionalProperties())
                    .containsEntry("size", 3);
            client.create(gadgets, Manifests.parse(gadget.formatted("h")).getFirst(), WriteOptions.DEFAULT);
            assertThatThrownBy(() -> client.create(
                            gadgets,
                            Manifests.parse(gadget.formatted("i") + "size: 10\n")
                                    .getFirst(),
                            WriteOptions.DEFAULT))
                    .hasMessageContaining("should be less than or equal to 9");
        }
    }

    @Test
    void addressesAndNodePortsAreNotGivenTwice() {
        Set<String> given = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            try (Engine engine = engine(true)) {
                for (int j = 0; j < 2; j++) {
                    Service service = engine.client().create(parse("""
                            apiVersion: v1
                            kind: Service
                            metadata: {namespace: default, name: s%d-%d}
                            spec: {type: NodePort, ports: [{port: 80}]}
                            """.formatted(i, j), Service.class));
                    assertThat(given.add(service.getSpec().getClusterIP())).isTrue();
                    assertThat(given.add(service.getSpec().getPorts().getFirst().getNodePort() + ""))
                            .isTrue();
                }
            }
        }
    }

    @Test
    void aNamespaceInTerminationIsEmptied() {
        try (Engine engine = engine(false)) {
            Client client = engine.client();
            client.create(parse("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}", Namespace.class));
            client.create(configMap("shop", "x", ""));
            client.delete(Namespace.class, ObjectKey.cluster("shop"));
            assertThat(client.find(ConfigMap.class, ObjectKey.of("shop", "x"))).isPresent();
        }
        try (Engine engine = engine(true)) {
            assertThat(engine.client().find(ConfigMap.class, ObjectKey.of("shop", "x")))
                    .isEmpty();
            assertThat(engine.client().find(Namespace.class, ObjectKey.cluster("shop")))
                    .isEmpty();
        }
    }

    @Test
    void cascadesOfAllPoliciesGoOn() {
        try (Engine engine = engine(false)) {
            Client client = engine.client();
            for (DeleteOptions.Propagation policy : DeleteOptions.Propagation.values()) {
                String name = policy.name().toLowerCase(Locale.ROOT);
                ConfigMap owner = client.create(configMap("default", name, ""));
                client.create(configMap("default", name + "-child", """
                        , ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: %s, uid: %s, \
                        blockOwnerDeletion: true}]""".formatted(
                                name, owner.getMetadata().getUid())));
                client.delete(
                        Kind.of(ConfigMap.class),
                        ObjectKey.of("default", name),
                        DeleteOptions.DEFAULT.propagation(policy));
            }
        }
        try (Engine engine = engine(true)) {
            assertThat(engine.client().list(ConfigMap.class, ListOptions.in("default")).items().stream()
                            .map(map -> map.getMetadata().getName())
                            .filter(name -> !name.equals("kube-root-ca.crt")))
                    .containsExactly("orphan-child");
            assertThat(engine.client()
                            .get(ConfigMap.class, ObjectKey.of("default", "orphan-child"))
                            .getMetadata()
                            .getOwnerReferences())
                    .isEmpty();
        }
    }

    @Test
    void aFullDiskIsAStatusUntilThereIsRoom() {
        try (Engine engine = engine(true)) {
            Client client = engine.client();
            client.create(configMap("default", "small", ""));
            Database database = ((SqliteStore) engine.store()).database();
            ConfigMap large = configMap("default", "large", "");
            large.setData(Map.of("text", "x".repeat(500_000)));

            database.text("PRAGMA max_page_count = " + database.text("PRAGMA page_count"));
            ApiException refused = catchThrowableOfType(ApiException.class, () -> client.create(large));
            assertThat(refused.code()).isEqualTo(503);
            assertThat(refused.status().details().orElseThrow().retryAfterSeconds())
                    .isEqualTo(1);
            assertThat(refused).hasMessageContaining("the disk is full; writes work again when there is room");
            assertThat(client.find(ConfigMap.class, ObjectKey.of("default", "large")))
                    .isEmpty();
            assertThat(client.find(ConfigMap.class, ObjectKey.of("default", "small")))
                    .isPresent();

            database.text("PRAGMA max_page_count = 1000000");
            client.create(large);
        }
    }

    @Test
    void aFenceThatWasLostStaysLost() {
        Fence stale;
        try (Engine engine = engine(true)) {
            engine.client().create(parse("""
                    apiVersion: coordination.k8s.io/v1
                    kind: Lease
                    metadata: {namespace: default, name: shard}
                    spec: {holderIdentity: a, leaseTransitions: 3}
                    """, Lease.class));
            stale = new Fence(ObjectKey.of("default", "shard"), "a", 3);
            engine.client()
                    .create(Kind.of(ConfigMap.class), configMap("default", "x", ""), WriteOptions.DEFAULT.fence(stale));
            engine.client()
                    .patch(
                            Kind.of(Lease.class),
                            ObjectKey.of("default", "shard"),
                            Patch.merge("{\"spec\":{\"holderIdentity\":\"b\",\"leaseTransitions\":4}}"),
                            WriteOptions.DEFAULT);
        }
        try (Engine engine = engine(true)) {
            assertThatThrownBy(() -> engine.client()
                            .create(
                                    Kind.of(ConfigMap.class),
                                    configMap("default", "y", ""),
                                    WriteOptions.DEFAULT.fence(stale)))
                    .isInstanceOf(ConflictException.class);
        }
    }
}
