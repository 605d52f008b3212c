package dev.evenkeel.controller.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against the real engine, in real time and with threads. */
@Timeout(300)
class ReadYourWritesTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);

    private final Engine engine = Engine.create();
    private final SystemScheduler scheduler = new SystemScheduler();
    private final Informers informers = new Informers(engine.client(), scheduler, InformerOptions.DEFAULT);
    private final Client client = informers.client();

    @AfterEach
    void stop() {
        informers.close();
        scheduler.close();
        engine.close();
    }

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .addToLabels("app", "a")
                .endMetadata()
                .addToData("k", value)
                .build();
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    @Test
    @DisplayName(
            "10,000 updates by 8 threads, others writing the same objects: no read is older than the write before it")
    void neverStale() {
        Informers.Lease<ConfigMap> lease = informers.acquire(MAPS);
        lease.informer().synced().join();
        AtomicInteger stale = new AtomicInteger();
        AtomicInteger pairs = new AtomicInteger();
        List<CompletableFuture<?>> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            int thread = t;
            client.create(map("m" + thread, "0"));
            threads.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < 1250; i++) {
                            if (i % 5 == 0) { // somebody else
                                engine.client()
                                        .patch(
                                                MAPS,
                                                key("m" + thread),
                                                Patch.merge("{\"data\":{\"other\":\"" + i + "\"}}"),
                                                WriteOptions.DEFAULT);
                            }
                            ConfigMap answer = client.patch(
                                    MAPS,
                                    key("m" + thread),
                                    Patch.merge("{\"data\":{\"k\":\"" + i + "\"}}"),
                                    WriteOptions.DEFAULT);
                            Cache.Entry<ConfigMap> read =
                                    lease.cache().get(key("m" + thread)).orElseThrow();
                            if (read.version()
                                    < Long.parseLong(answer.getMetadata().getResourceVersion())) {
                                stale.incrementAndGet();
                            }
                            pairs.incrementAndGet();
                        }
                    },
                    command -> Thread.ofVirtual().start(command)));
        }
        threads.forEach(CompletableFuture::join);
        assertThat(pairs).hasValue(10_000);
        assertThat(stale).hasValue(0);
        lease.cache().snapshot().validate();
    }

    @Test
    @DisplayName("Of 1,000 objects created and deleted repeatedly, deleted ones are not visible, created ones are")
    void comesAndGoes() {
        Informers.Lease<ConfigMap> lease = informers.acquire(MAPS);
        Map<String, String> told = new ConcurrentHashMap<>();
        Informer.Registration registration = lease.handle(Informer.HandlerOptions.named("test"), change -> {
            switch (change) {
                case Informer.Change.Added<ConfigMap> added ->
                    told.put(added.key().name(), added.object().uid());
                case Informer.Change.Deleted<ConfigMap> deleted ->
                    told.remove(deleted.key().name(), deleted.object().uid());
                default -> {}
            }
        });
        for (int i = 0; i < 1000; i++) {
            String name = "m" + i % 7;
            String uid = client.create(map(name, "1")).getMetadata().getUid();
            assertThat(lease.cache().get(key(name)).orElseThrow().uid()).isEqualTo(uid);
            client.delete(ConfigMap.class, key(name));
            assertThat(lease.cache().get(key(name))).isEmpty();
        }
        client.create(map("last", "1"));
        client.deleteAll(MAPS, ListOptions.in("default"), DeleteOptions.DEFAULT);
        assertThat(lease.cache().list("default")).isEmpty();
        registration.synced().join();
    }

    @Test
    @DisplayName("An object that its own write removes from the selection is not in that cache any more")
    void leavesTheSelection() throws InterruptedException {
        Informers.Lease<ConfigMap> selected = informers.acquire(
                MAPS, ListOptions.ALL.labels(LabelSelector.parse("app=a")), Projection.withoutManagedFields());
        Informers.Lease<ConfigMap> all = informers.acquire(MAPS);
        assertThat(informers.waitForSync(Duration.ofSeconds(30))).isTrue();

        client.create(map("m", "1"));
        assertThat(selected.cache().get(key("m"))).isPresent();
        client.patch(MAPS, key("m"), Patch.merge("{\"metadata\":{\"labels\":{\"app\":\"b\"}}}"), WriteOptions.DEFAULT);
        assertThat(selected.cache().get(key("m"))).isEmpty();
        assertThat(all.cache().get(key("m")).orElseThrow().labels()).containsEntry("app", "b");
        client.patch(MAPS, key("m"), Patch.merge("{\"metadata\":{\"labels\":{\"app\":\"a\"}}}"), WriteOptions.DEFAULT);
        assertThat(selected.cache().get(key("m"))).isPresent();
        client.delete(ConfigMap.class, key("m"));
        assertThat(selected.cache().get(key("m"))).isEmpty();
        assertThat(all.cache().get(key("m"))).isEmpty();
    }
}
