package dev.evenkeel.controller;

import static dev.evenkeel.controller.Objects.configMap;
import static dev.evenkeel.controller.Objects.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.Watch;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InformerTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);

    private final Engine engine = Engine.create();
    private final VirtualTime time = new VirtualTime();
    private final Backoff backoff =
            new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), 0, new SplittableRandom(1));
    private final BlockingQueue<Change<ConfigMap>> changes = new LinkedBlockingQueue<>();
    private final AtomicInteger lists = new AtomicInteger();
    private final AtomicInteger failingLists = new AtomicInteger();
    private volatile boolean failing;
    private final AtomicReference<Watch<?>> watch = new AtomicReference<>();
    private final BlockingQueue<String> watches = new LinkedBlockingQueue<>();
    private final Client client = observed(engine.client());
    private final Informer<ConfigMap> informer = new Informer<>(client, MAPS, ListOptions.in("default"), time, backoff);

    @AfterEach
    void stop() {
        informer.close();
        engine.close();
    }

    /** The engine's client, whose lists and watches are counted, and fail when the test says so. */
    private Client observed(Client real) {
        return (Client) Proxy.newProxyInstance(
                Client.class.getClassLoader(), new Class<?>[] {Client.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("list")) {
                        lists.incrementAndGet();
                        if (failingLists.getAndDecrement() > 0) {
                            throw ApiException.of(Status.of(503, "ServiceUnavailable", "not now"));
                        }
                    }
                    if (method.getName().equals("watch") && failing) {
                        throw ApiException.of(Status.of(503, "ServiceUnavailable", "not now"));
                    }
                    try {
                        Object result = method.invoke(real, arguments);
                        if (result instanceof Watch<?> opened) {
                            watch.set(opened);
                            watches.add(((ListOptions) arguments[1]).resourceVersion());
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void start() {
        informer.listen(changes::add);
        informer.start();
        informer.synced().join();
    }

    private ConfigMap next(Class<?> type, String name) throws InterruptedException {
        Change<ConfigMap> change = changes.take();
        assertThat(change).isInstanceOf(type);
        assertThat(change.object().getMetadata().getName()).isEqualTo(name);
        return change.object();
    }

    @Test
    void followsWhatHappens() throws InterruptedException {
        engine.client().create(configMap("old", "1"));
        start();
        assertThat(informer.list()).extracting(HasMetadata::getKind).containsExactly("ConfigMap");
        next(Change.Added.class, "old");

        engine.client().create(configMap("new", "1"));
        next(Change.Added.class, "new");
        engine.client().update(configMap("new", "2"));
        Change<ConfigMap> updated = changes.take();
        assertThat(updated).isInstanceOf(Change.Updated.class);
        assertThat(((Change.Updated<ConfigMap>) updated).before().getData()).containsEntry("k", "1");
        assertThat(updated.object().getData()).containsEntry("k", "2");
        assertThat(informer.find(key("new")))
                .hasValueSatisfying(object -> assertThat(object.getData()).containsEntry("k", "2"));
        engine.client().delete(ConfigMap.class, key("new"));
        next(Change.Deleted.class, "new");
        assertThat(informer.find(key("new"))).isEmpty();
    }

    @Test
    void whatReadersDoToTheirCopyStaysWithThem() {
        engine.client().create(configMap("a", "1"));
        start();

        informer.find(key("a")).orElseThrow().setData(Map.of());
        informer.list().getFirst().setData(Map.of());

        assertThat(informer.find(key("a")).orElseThrow().getData()).isEqualTo(Map.of("k", "1"));
    }

    @Test
    void whatListenersDoToTheirCopyStaysWithThem() throws InterruptedException {
        informer.listen(change -> change.object().setData(Map.of()));
        start();
        engine.client().create(configMap("a", "1"));
        changes.take();

        assertThat(informer.find(key("a")).orElseThrow().getData()).isEqualTo(Map.of("k", "1"));
    }

    @Test
    void aListenerThatFailsDoesNotKeepOthersFromKnowing() throws InterruptedException {
        informer.listen(change -> {
            throw new IllegalStateException("careless");
        });
        start();
        engine.client().create(configMap("a", "1"));

        next(Change.Added.class, "a");
    }

    @Test
    void aWatchThatEndsIsTakenUpWhereItEnded() throws InterruptedException {
        start();
        watches.take();
        String seen = engine.client().create(configMap("a", "1")).getMetadata().getResourceVersion();
        next(Change.Added.class, "a");

        watch.get().close();
        assertThat(watches.take()).isEqualTo(seen);

        engine.client().create(configMap("b", "1"));
        next(Change.Added.class, "b");
        assertThat(lists).hasValue(1);
    }

    @Test
    void whatWasMissedWhileHistoryWasForgottenIsTold() throws InterruptedException {
        engine.client().create(configMap("gone", "1"));
        engine.client().create(configMap("kept", "1"));
        engine.client().create(configMap("other", "1"));
        String uid =
                engine.client().create(configMap("again", "1")).getMetadata().getUid();
        start();
        for (int i = 0; i < 4; i++) {
            changes.take();
        }
        watches.take();

        // the watch is ended by a failure, and nothing is read before time moves on
        failing = true;
        watch.get().close();
        time.awaitTasks(1);
        engine.client().delete(ConfigMap.class, key("gone"));
        engine.client().update(configMap("other", "2"));
        engine.client().delete(ConfigMap.class, key("again"));
        engine.client().create(configMap("again", "1"));
        engine.client().create(configMap("new", "1"));
        engine.store().compact(engine.store().revision());
        failing = false;
        time.advance(Duration.ofSeconds(1));
        time.awaitTasks(1);
        time.advance(Duration.ofSeconds(2));

        next(Change.Deleted.class, "gone");
        assertThat(next(Change.Deleted.class, "again").getMetadata().getUid()).isEqualTo(uid);
        next(Change.Added.class, "again");
        next(Change.Added.class, "new");
        next(Change.Updated.class, "other");
        assertThat(lists).hasValue(2);
    }

    @Test
    void failuresAreRetriedWithGrowingDelays() throws InterruptedException {
        failingLists.set(3);
        informer.listen(changes::add);
        informer.start();

        for (int seconds : new int[] {1, 2, 4}) {
            assertThat(time.awaitTasks(1)).isEqualTo(Duration.ofSeconds(seconds));
            assertThat(informer.synced()).isNotDone();
            time.advance(Duration.ofSeconds(seconds));
        }
        informer.synced().join();
        assertThat(lists).hasValue(4);
    }

    @Test
    void longListsComeInPages() {
        for (int i = 0; i < 1100; i++) {
            engine.client().create(configMap("m" + i, "1"));
        }

        start();

        Listing<ConfigMap> all = engine.client().list(MAPS, ListOptions.in("default"));
        assertThat(informer.list()).isEqualTo(all.items());
        assertThat(lists).hasValue(3);
    }
}
