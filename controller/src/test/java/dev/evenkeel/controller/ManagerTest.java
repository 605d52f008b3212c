package dev.evenkeel.controller;

import static dev.evenkeel.controller.Objects.configMap;
import static dev.evenkeel.controller.Objects.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Controllers of config maps that own secrets, on the real engine. */
@Timeout(60)
class ManagerTest {
    private final Engine engine = Engine.create();
    private final Client client = engine.client();
    private final VirtualTime time = new VirtualTime();
    private final Manager manager = Manager.of(
            client, time, time, new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), 0, new SplittableRandom(1)));

    @AfterEach
    void stop() {
        manager.close();
        engine.close();
    }

    /** What a reconciler saw. */
    private record Call(String name, Optional<String> value) {
        static Call of(Reconciliation<ConfigMap> reconciliation) {
            return new Call(
                    reconciliation.request().key().name(),
                    reconciliation.resource().map(object -> object.getData().get("k")));
        }
    }

    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();

    private Controller<ConfigMap> recording(Result result) {
        return Controller.of(ConfigMap.class, reconciliation -> {
            calls.add(Call.of(reconciliation));
            return result;
        });
    }

    private Secret secretOf(ConfigMap owner, String name) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
        OwnerReferences.control(owner, secret);
        return secret;
    }

    @Test
    void whatIsThereAtTheStartAndWhatComesIsReconciled() throws InterruptedException {
        client.create(configMap("a", "1"));
        manager.add(recording(Result.done())).start();

        assertThat(calls.take()).isEqualTo(new Call("a", Optional.of("1")));
        client.create(configMap("b", "1"));
        assertThat(calls.take()).isEqualTo(new Call("b", Optional.of("1")));
        client.update(configMap("b", "2"));
        assertThat(calls.take()).isEqualTo(new Call("b", Optional.of("2")));
        client.delete(ConfigMap.class, key("b"));
        assertThat(calls.take()).isEqualTo(new Call("b", Optional.empty()));
    }

    @Test
    void ownedObjectsWakeTheirControllerAndOthersDoNot() throws InterruptedException {
        ConfigMap a = client.create(configMap("a", "1"));
        ConfigMap b = client.create(configMap("b", "1"));
        manager.add(recording(Result.done()).owns(Secret.class)).start();
        calls.take();
        calls.take();

        client.create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("nobodys")
                .endMetadata()
                .build());
        Secret secret = client.create(secretOf(a, "s"));
        assertThat(calls.take().name()).isEqualTo("a");

        // given to another one: both must know
        secret.getMetadata().setOwnerReferences(secretOf(b, "s").getMetadata().getOwnerReferences());
        client.update(secret);
        assertThat(new String[] {calls.take().name(), calls.take().name()}).containsExactlyInAnyOrder("a", "b");

        client.delete(secret);
        assertThat(calls.take().name()).isEqualTo("b");
        assertThat(calls).isEmpty();
    }

    @Test
    void failuresAreRetriedWithGrowingDelaysUntilItSucceeds() throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        client.create(configMap("a", "1"));
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                    calls.add(Call.of(reconciliation));
                    switch (attempts.incrementAndGet()) {
                        case 1 -> throw new IllegalStateException("careless");
                        case 2 -> throw new StackOverflowError("deep");
                        case 3 -> {
                            return Result.retry();
                        }
                        default -> {
                            return Result.done();
                        }
                    }
                }))
                .start();

        calls.take();
        for (int seconds : new int[] {1, 2, 4}) {
            assertThat(time.awaitTasks(1)).isEqualTo(Duration.ofSeconds(seconds));
            time.advance(Duration.ofSeconds(seconds));
            calls.take();
        }
        manager.close();
        assertThat(attempts).hasValue(4);
    }

    @Test
    void aResultMayAskForAnotherTimeLater() throws InterruptedException {
        client.create(configMap("a", "1"));
        manager.add(recording(Result.after(Duration.ofHours(1)))).start();

        calls.take();
        assertThat(time.awaitTasks(1)).isEqualTo(Duration.ofHours(1));
        time.advance(Duration.ofHours(1));
        calls.take();
        assertThat(time.awaitTasks(1)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void closingWaitsForWhatRunsAndBeginsNothing() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AtomicInteger finished = new AtomicInteger();
        client.create(configMap("a", "1"));
        client.create(configMap("b", "1"));
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            entered.countDown();
                            awaitQuietly(leave);
                            finished.incrementAndGet();
                            return Result.done();
                        })
                        .workers(1))
                .start();
        entered.await();

        Thread closing = Thread.ofVirtual().start(manager::close);
        while (closing.getState() != Thread.State.WAITING && closing.isAlive()) {
            Thread.onSpinWait();
        }
        assertThat(finished).hasValue(0);
        leave.countDown();
        closing.join();

        assertThat(finished).hasValue(1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void severalControllersShareWhatTheyWatch() throws InterruptedException {
        BlockingQueue<String> second = new LinkedBlockingQueue<>();
        manager.add(recording(Result.done()))
                .add(Controller.of(ConfigMap.class, reconciliation -> {
                            second.add(reconciliation.request().toString());
                            return Result.done();
                        })
                        .named("second"));
        Informer<ConfigMap> informer = manager.informer(Kind.of(ConfigMap.class));
        manager.start();
        informer.synced().join();

        client.create(configMap("a", "1"));

        assertThat(calls.take().name()).isEqualTo("a");
        assertThat(second.take()).isEqualTo("default/a");
        assertThat(informer.find(key("a"))).isPresent();
    }

    @Test
    void aManagerStartsOnce() {
        manager.start();

        assertThatThrownBy(manager::start).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> manager.add(recording(Result.done()))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingBeforeAnythingIsInSyncDoesNotHang() {
        manager.add(recording(Result.done()));
        manager.start();
        manager.close();
        manager.close();
    }
}
