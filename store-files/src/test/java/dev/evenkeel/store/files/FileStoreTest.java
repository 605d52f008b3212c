package dev.evenkeel.store.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.contract.ClientContract;
import dev.evenkeel.engine.contract.PartitionDeletion;
import dev.evenkeel.engine.contract.RestartCompatibilityKit;
import dev.evenkeel.engine.contract.StoreCompatibilityKit;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStoreTest {
    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("objects");
    }

    private FileStore open() {
        return new FileStore(
                file(),
                new Store.Context((key, bytes) -> () -> bytes, InstantSource.system(), Thread::startVirtualThread));
    }

    @Nested
    class AsAStore extends StoreCompatibilityKit {
        @Override
        protected Store open() {
            return FileStoreTest.this.open();
        }

        @Override
        protected int many() {
            return 200; // each is synced
        }
    }

    @Nested
    class AfterARestart extends RestartCompatibilityKit {
        @Override
        protected Store open() {
            return FileStoreTest.this.open();
        }

        @Override
        protected boolean keepsHistory() {
            return false;
        }
    }

    @Nested
    class UnderAnEngine extends ClientContract {
        private Engine engine;

        @BeforeEach
        void start() {
            engine = Engine.builder()
                    .store(context -> new FileStore(file(), context))
                    .build();
        }

        @Test
        void nothingIsLeftOfAPartitionThatIsDeleted() throws InterruptedException {
            PartitionDeletion.check(engine);
            close();
            start();
            PartitionDeletion.assertGone(engine);
        }

        @Override
        protected Client client() {
            return engine.partition(Engine.DEFAULT_PARTITION).client("contract");
        }

        @Override
        protected void compact() {
            engine.store().compact(engine.store().revision());
        }

        @AfterEach
        void close() {
            engine.close();
        }
    }

    @Nested
    class OpenedAgain {
        private static final Store.Key X = new Store.Key("default/configmaps", "a", "x");
        private static final Store.Key Y = new Store.Key("default/configmaps", "a", "y");

        @Test
        void entriesAndRevisionsAreAsBefore() {
            try (FileStore store = open()) {
                commit(store, new Store.Change(X, 0, "1"::getBytes)); // revision 2
                commit(store, new Store.Change(X, 2, "2"::getBytes), new Store.Change(Y, 0, "2"::getBytes));
                commit(store, new Store.Change(Y, 3, null));
            }
            try (FileStore store = open()) {
                assertThat(store.revision()).isEqualTo(4);
                assertThat(store.snapshot().get(X).revision()).isEqualTo(3);
                assertThat(new String(store.snapshot().get(X).value().bytes())).isEqualTo("2");
                assertThat(store.snapshot().get(Y)).isNull();
                assertThat(store.snapshot().collections()).containsExactly("default/configmaps");
            }
        }

        @Test
        void historyBeginsAtTheRevision() {
            try (FileStore store = open()) {
                commit(store, new Store.Change(X, 0, "1"::getBytes));
                commit(store, new Store.Change(Y, 0, "2"::getBytes));
                commit(store, new Store.Change(Y, 3, null));
            }
            try (FileStore store = open()) {
                commit(store, new Store.Change(X, 2, "3"::getBytes));
                assertThat(store.snapshot(4).get(X).revision()).isEqualTo(2);
                assertThat(store.watch("default/configmaps", 4, () -> {}).poll(10))
                        .extracting(Store.Event::toString)
                        .containsExactly("UPDATE " + X + " @5");
                assertThatThrownBy(() -> store.snapshot(3)).isInstanceOf(CompactedException.class);
                assertThatThrownBy(() -> store.watch("default/configmaps", 3, () -> {}))
                        .isInstanceOf(CompactedException.class);
            }
        }

        @Test
        void closingWaitsForTheCommitUnderWay() throws Exception {
            FileStore store = open();
            AtomicInteger commits = new AtomicInteger();
            CountDownLatch some = new CountDownLatch(3);
            Thread writer = Thread.startVirtualThread(() -> {
                while (true) {
                    try {
                        commit(store, new Store.Change(X, commits.get() == 0 ? 0 : commits.get() + 1, "1"::getBytes));
                    } catch (IllegalStateException e) { // closed
                        return;
                    }
                    commits.incrementAndGet();
                    some.countDown();
                }
            });
            some.await();
            store.close();
            long last = Long.parseLong(Files.readAllLines(file()).getFirst());
            writer.join();
            assertThat(last).isEqualTo(1 + commits.get());
            try (FileStore again = open()) {
                assertThat(again.revision()).isEqualTo(last);
            }
        }

        @Test
        void aDamagedFileIsRefused() throws IOException {
            try (FileStore store = open()) {
                commit(store, new Store.Change(X, 0, "12345"::getBytes));
            }
            Files.writeString(file(), Files.readString(file()).replace("12345", "12346"));

            assertThatThrownBy(FileStoreTest.this::open)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("objects is damaged");
        }

        @Test
        void anEngineServesItsTypesAndCompletesItsDeletions() {
            Kind<GenericKubernetesResource> gadgets = Kind.generic("example.com", "v1", "Gadget", "gadgets", true);
            GenericKubernetesResource before;
            try (Engine engine = engine(task -> {})) { // whose garbage collector never runs
                Client client = engine.client();
                client.create(ModelCodec.convert(Manifests.parse("""
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
                                properties: {size: {type: integer, default: 3}}
                        """).getFirst(), CustomResourceDefinition.class));
                before = client.create(gadgets, Manifests.parse("""
                                apiVersion: example.com/v1
                                kind: Gadget
                                metadata: {namespace: default, name: g}
                                """).getFirst(), WriteOptions.DEFAULT);
                ConfigMap owner = client.create(configMap("owner", ""));
                client.create(
                        configMap("dependent", """
                          ownerReferences:
                          - {apiVersion: v1, kind: ConfigMap, name: owner, uid: %s}
                        """.formatted(owner.getMetadata().getUid())));
                client.delete(ConfigMap.class, ObjectKey.of("default", "owner"));
                assertThat(client.find(ConfigMap.class, ObjectKey.of("default", "dependent")))
                        .isPresent();
            }
            try (Engine engine = engine(Runnable::run)) {
                Client client = engine.client();
                assertThat(client.find(gadgets, ObjectKey.of("default", "g"))).isEqualTo(Optional.of(before));
                assertThat(before.getAdditionalProperties()).containsEntry("size", 3);
                assertThat(client.find(ConfigMap.class, ObjectKey.of("default", "dependent")))
                        .isEmpty();
            }
        }

        private Engine engine(Executor executor) {
            return Engine.builder()
                    .executor(executor)
                    .store(context -> new FileStore(file(), context))
                    .build();
        }

        private static ConfigMap configMap(String name, String metadata) {
            return ModelCodec.convert(
                    Manifests.parse("""
                    apiVersion: v1
                    kind: ConfigMap
                    metadata:
                      namespace: default
                      name: %s
                    """.formatted(name) + metadata).getFirst(), ConfigMap.class);
        }

        private static void commit(Store store, Store.Change... changes) {
            assertThat(store.commit(List.of(changes))).isInstanceOf(Store.Committed.class);
        }
    }
}
