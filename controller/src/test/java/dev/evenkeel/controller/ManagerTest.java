package dev.evenkeel.controller;

import static dev.evenkeel.controller.Objects.configMap;
import static dev.evenkeel.controller.Objects.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.ControllerEvent.Outcome;
import dev.evenkeel.controller.cache.Index;
import dev.evenkeel.controller.internal.lease.Intercepted;
import dev.evenkeel.controller.schedule.BatonScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Controllers of config maps that own secrets, on the real engine and in virtual time. */
@Timeout(300)
class ManagerTest {
    private final Engine engine = Engine.create();
    private final Client client = engine.client();
    private final BatonScheduler time = new BatonScheduler(1);
    private final List<String> calls = new ArrayList<>();
    private final List<ControllerEvent> events = new ArrayList<>();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Manager manager = Manager.builder(client)
            .scheduler(time)
            .metrics(registry)
            .listener(events::add)
            .build();

    @AfterEach
    void stop() {
        in(time, manager::close);
        engine.close();
    }

    /** Runs something that waits, as a task. */
    private static void in(BatonScheduler time, Runnable task) {
        Scheduler.Job job = time.execute("test", task);
        for (int i = 0; i < 600 && !job.ended().isDone(); i++) {
            time.advance(Duration.ofMillis(100));
        }
        assertThat(job.ended()).isDone();
    }

    private void settle() {
        time.advance(Duration.ofMillis(50));
    }

    private List<String> calls() {
        settle();
        List<String> seen = List.copyOf(calls);
        calls.clear();
        return seen;
    }

    private Controller<ConfigMap> recording(Result result) {
        return Controller.of(ConfigMap.class, reconciliation -> {
            calls.add(reconciliation.key().name()
                    + reconciliation
                            .resource()
                            .map(object -> "=" + object.getData().get("k"))
                            .orElse(" gone"));
            return result;
        });
    }

    private Secret secretOf(ConfigMap owner, String name) {
        Secret secret = secret(name, Map.of());
        OwnerReferences.control(owner, secret);
        return secret;
    }

    private static Secret secret(String name, Map<String, String> labels) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build();
    }

    private List<Outcome> outcomes() {
        return events.stream()
                .filter(ControllerEvent.Reconciled.class::isInstance)
                .map(event -> ((ControllerEvent.Reconciled) event).outcome())
                .toList();
    }

    private void pause(Duration duration) {
        try {
            time.pause(duration);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static final RateLimiter SECONDS = RateLimiter.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1));

    @Test
    void existingAndNewObjectsAreReconciled() {
        client.create(configMap("a", "1"));
        manager.add(recording(Result.done())).start();

        assertThat(calls()).containsExactly("a=1");
        client.create(configMap("b", "1"));
        assertThat(calls()).containsExactly("b=1");
        client.update(configMap("b", "2"));
        assertThat(calls()).containsExactly("b=2");
        client.delete(ConfigMap.class, key("b"));
        assertThat(calls()).containsExactly("b gone");
    }

    @Test
    void ownedObjectsTriggerTheirController() {
        ConfigMap a = client.create(configMap("a", "1"));
        ConfigMap b = client.create(configMap("b", "1"));
        manager.add(recording(Result.done()).owns(Secret.class)).start();
        assertThat(calls()).containsExactlyInAnyOrder("a=1", "b=1");

        client.create(secret("nobodys", Map.of()));
        Secret secret = client.create(secretOf(a, "s"));
        assertThat(calls()).containsExactly("a=1");

        // given to another one: both must know
        secret.getMetadata().setOwnerReferences(secretOf(b, "s").getMetadata().getOwnerReferences());
        client.update(secret);
        assertThat(calls()).containsExactlyInAnyOrder("a=1", "b=1");

        client.delete(secret);
        assertThat(calls()).containsExactly("b=1");
    }

    @Test
    void nowRequeuesAtOnceWithoutGrowingDelays() {
        client.create(configMap("a", "1"));
        AtomicInteger steps = new AtomicInteger();
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            calls.add("step " + reconciliation.failures() + " " + reconciliation.causes());
                            return steps.incrementAndGet() < 30 ? Result.now() : Result.done();
                        })
                        .retry(SECONDS))
                .start();

        assertThat(calls()).hasSize(30).last().isEqualTo("step 0 [requeue PT0S]");
        assertThat(outcomes()).hasSize(30).first().isEqualTo(Outcome.REQUEUE_AFTER);
    }

    @Test
    void mappersSeeAllCachesOfTheController() {
        client.create(configMap("a", "1"));
        client.create(configMap("b", "1"));
        client.create(secret("allowed", Map.of("to", "b")));
        Mapper<ConfigMap, Service> mapper = new Mapper<>(
                "service",
                (service, caches) -> caches.cache(Secret.class).list().stream()
                        .map(secret -> key(secret.labels().get("to")))
                        .filter(key -> caches.primaries().get(key).isPresent())
                        .toList());
        manager.add(recording(Result.done()).reads(Secret.class).watches(Service.class, mapper))
                .start();
        assertThat(calls()).containsExactlyInAnyOrder("a=1", "b=1");

        client.create(new ServiceBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("s")
                .endMetadata()
                .withNewSpec()
                .addNewPort()
                .withPort(80)
                .endPort()
                .endSpec()
                .build());
        assertThat(calls()).containsExactly("b=1");
    }

    @Test
    void anInitializerHasTheFilledCaches() {
        client.create(configMap("a", "1"));
        client.create(secret("s", Map.of()));
        manager.add(recording(Result.done())
                        .reads(Secret.class)
                        .initializer(context ->
                                calls.add(context.caches().primaries().size() + " "
                                        + context.caches().cache(Secret.class).size())))
                .start();
        assertThat(calls()).containsExactly("1 1", "a=1");
    }

    @Test
    void failuresAreRetriedWithGrowingDelaysUntilItSucceeds() {
        AtomicInteger attempts = new AtomicInteger();
        client.create(configMap("a", "1"));
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            calls.add("try " + reconciliation.failures());
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
                        })
                        .retry(SECONDS))
                .start();

        assertThat(calls()).containsExactly("try 0");
        time.advance(Duration.ofMillis(800));
        assertThat(calls()).isEmpty();
        time.advance(Duration.ofSeconds(1));
        assertThat(calls()).containsExactly("try 1");
        time.advance(Duration.ofSeconds(2));
        assertThat(calls()).containsExactly("try 2");
        time.advance(Duration.ofSeconds(4));
        assertThat(calls()).containsExactly("try 3");
        time.advance(Duration.ofMinutes(2));
        assertThat(calls()).isEmpty();
        assertThat(outcomes()).containsExactly(Outcome.ERROR, Outcome.PANIC, Outcome.REQUEUE, Outcome.SUCCESS);
    }

    @Test
    void aTriggerFromOutsideDoesNotWaitForTheBackoffAndDoesNotLengthenIt() {
        client.create(configMap("a", "1"));
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            calls.add("try " + reconciliation.failures());
                            throw new IllegalStateException("always");
                        })
                        .retry(RateLimiter.exponential(Duration.ofSeconds(10), Duration.ofMinutes(10))))
                .start();
        assertThat(calls()).containsExactly("try 0");

        client.update(configMap("a", "2"));

        assertThat(calls()).containsExactly("try 1");
    }

    @Test
    void aResultMayAskForAnotherTimeLater() {
        client.create(configMap("a", "1"));
        manager.add(recording(Result.after(Duration.ofMinutes(1)))).start();

        assertThat(calls()).hasSize(1);
        time.advance(Duration.ofSeconds(59));
        assertThat(calls()).isEmpty();
        time.advance(Duration.ofSeconds(1));
        assertThat(calls()).hasSize(1);
    }

    @Test
    void aTerminalFailureIsNotTriedAgainUntilSomethingChanges() {
        client.create(configMap("a", "1"));
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                    calls.add("try " + reconciliation.failures());
                    throw new TerminalException("the object is wrong");
                }))
                .start();
        assertThat(calls()).containsExactly("try 0");
        time.advance(Duration.ofMinutes(5));
        assertThat(calls()).isEmpty();

        client.update(configMap("a", "2"));

        // and the row of failures ended with it
        assertThat(calls()).containsExactly("try 0");
    }

    @Test
    void aRecreatedObjectDoesNotInheritTheFailuresOfItsPredecessor() {
        client.create(configMap("a", "1"));
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            calls.add("try " + reconciliation.failures());
                            if (reconciliation.resource().isPresent()) {
                                throw new IllegalStateException("always");
                            }
                            return Result.done();
                        })
                        .retry(SECONDS))
                .start();
        time.advance(Duration.ofSeconds(4));
        assertThat(calls()).contains("try 2");

        client.delete(ConfigMap.class, ObjectKey.of("default", "a"));
        settle();
        calls.clear();
        client.create(configMap("a", "2"));

        assertThat(calls()).containsExactly("try 0");
    }

    @Test
    void aReconciliationPastItsDeadlineIsInterruptedAndRetried() {
        client.create(configMap("a", "1"));
        AtomicInteger attempts = new AtomicInteger();
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            if (attempts.incrementAndGet() > 1) {
                                return Result.done();
                            }
                            try {
                                time.pause(Duration.ofHours(1));
                            } catch (InterruptedException e) {
                                calls.add("interrupted");
                            }
                            assertThat(reconciliation.remaining()).isZero();
                            ConfigMap unused = reconciliation.client().create(configMap("late", "1"));
                            return Result.done();
                        })
                        .deadline(Duration.ofSeconds(3))
                        .retry(SECONDS))
                .start();

        time.advance(Duration.ofSeconds(5));

        assertThat(calls()).containsExactly("interrupted");
        assertThat(outcomes()).containsExactly(Outcome.TIMEOUT, Outcome.SUCCESS);
        assertThat(client.find(ConfigMap.class, key("late"))).isEmpty();
        assertThat(registry.counter("controller.runtime.reconcile.timeouts", "controller", "configmaps")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void anUnlimitedDeadlineIsAccepted() throws InterruptedException {
        client.create(configMap("a", "1"));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (Manager patient = Manager.of(client)) {
            patient.add(Controller.<ConfigMap>of(ConfigMap.class, reconciliation -> {
                                begun.countDown();
                                try {
                                    end.await();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException("interrupted", e);
                                }
                                return Result.done();
                            })
                            .deadline(ChronoUnit.FOREVER.getDuration()))
                    .start();
            begun.await();

            assertThat(patient.health().live()).isTrue();
            end.countDown();
        }
    }

    @Test
    void theInterruptOfOneReconciliationDoesNotHitTheNextOfTheSameWorker() {
        for (int i = 0; i < 5; i++) {
            client.create(configMap("c" + i, "1"));
        }
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            if (reconciliation.key().name().equals("c0")) {
                                try {
                                    time.pause(Duration.ofHours(1));
                                } catch (InterruptedException e) {
                                    return Result.done();
                                }
                            }
                            pause(Duration.ofMillis(10));
                            return Result.done();
                        })
                        .workers(1)
                        .deadline(Duration.ofSeconds(1)))
                .start();

        time.advance(Duration.ofSeconds(10));

        assertThat(outcomes()).containsOnly(Outcome.SUCCESS).hasSize(5);
    }

    @Test
    void nothingIsReconciledBeforeTheInitializerHasSucceeded() {
        client.create(configMap("a", "1"));
        AtomicInteger attempts = new AtomicInteger();
        manager.add(recording(Result.done()).initializer(any -> {
                    if (attempts.incrementAndGet() < 3) {
                        throw new IOException("not yet");
                    }
                }))
                .start();

        assertThat(calls()).isEmpty();
        assertThat(manager.health().ready()).isFalse();
        assertThat(manager.health().problems()).anyMatch(problem -> problem.contains("initialized"));
        time.advance(Duration.ofMillis(600));
        assertThat(calls()).isEmpty();
        time.advance(Duration.ofSeconds(1));
        assertThat(calls()).containsExactly("a=1");
        assertThat(attempts).hasValue(3);
        assertThat(manager.health().ready()).isTrue();
        assertThat(events.stream().filter(ControllerEvent.InitializerFailed.class::isInstance))
                .hasSize(2);
    }

    /** A process whose initializer hangs for a time, whatever interrupts it, when the controller becomes active. */
    private Manager initializing(BatonScheduler own, String name, Duration hangs, List<String> log) {
        return Manager.builder(client)
                .scheduler(own)
                .leases(Leases.in("default", name))
                .build()
                .add(Controller.of(ConfigMap.class, reconciliation -> {
                            log.add(name);
                            return Result.done();
                        })
                        .name("maps")
                        .initializerDeadline(Duration.ofMinutes(1))
                        .initializer(any -> {
                            log.add(name + " initializes");
                            long end = own.nanoTime() + hangs.toNanos();
                            while (own.nanoTime() < end) {
                                try {
                                    own.pause(Duration.ofNanos(end - own.nanoTime()));
                                } catch (InterruptedException e) {
                                    log.add(name + " is interrupted");
                                }
                            }
                        }))
                .start();
    }

    @Test
    void anInitializerThatHangsGivesTheLeaseToAnotherProcess() {
        client.create(configMap("a", "1"));
        List<String> log = new ArrayList<>();
        BatonScheduler first = time.process("first", Duration.ZERO);
        BatonScheduler second = time.process("second", Duration.ZERO);
        Manager hanging = initializing(first, "first", Duration.ofMinutes(5), log);
        time.advance(Duration.ofSeconds(1));
        Manager standby = initializing(second, "second", Duration.ZERO, log);
        time.advance(Duration.ofSeconds(50));
        assertThat(log).containsExactly("first initializes");
        assertThat(hanging.health().live()).isTrue();

        time.advance(Duration.ofSeconds(20));
        assertThat(log)
                .containsExactlyInAnyOrder("first initializes", "first is interrupted", "second initializes", "second");
        assertThat(standby.health().ready()).isTrue();
        assertThat(hanging.health().ready()).isFalse();
        assertThat(hanging.health().live()).isTrue();
        assertThat(hanging.health().problems())
                .anyMatch(problem -> problem.contains("initializing for 7") && problem.contains("PT1M"));

        time.advance(Duration.ofMinutes(1));
        assertThat(hanging.health().live()).isFalse();

        // it returns after five minutes, and competes again one lease duration later
        time.advance(Duration.ofMinutes(4));
        assertThat(hanging.health()).isEqualTo(new Health(true, true, List.of()));
        log.clear();
        in(second, standby::close);
        time.advance(Duration.ofSeconds(5));
        assertThat(log).containsExactly("first initializes");
        in(first, hanging::close);
    }

    @Test
    void aMapperIsCalledForTheStatesBeforeAndAfter() {
        client.create(configMap("a", "1"));
        client.create(configMap("b", "1"));
        manager.add(recording(Result.done()).watches(Secret.class, Mapper.label("for")))
                .start();
        assertThat(calls()).hasSize(2);

        client.create(secret("s", Map.of("for", "a")));
        assertThat(calls()).containsExactly("a=1");
        client.update(secret("s", Map.of("for", "b")));
        assertThat(calls()).containsExactlyInAnyOrder("a=1", "b=1");
        client.update(secret("s", Map.of()));
        assertThat(calls()).containsExactly("b=1");
    }

    @Test
    void anIndexMapperFindsAllReferringObjects() {
        Index<ConfigMap, String> references =
                Index.of("referred secrets", map -> Stream.of(map.getData().get("k")));
        client.create(configMap("a", "x"));
        client.create(configMap("b", "x"));
        client.create(configMap("c", "y"));
        manager.add(recording(Result.done())
                        .index(references)
                        .watches(
                                Secret.class,
                                Mapper.index(references, secret -> secret.key().name())))
                .start();
        assertThat(calls()).hasSize(3);

        client.create(secret("x", Map.of()));

        assertThat(calls()).containsExactlyInAnyOrder("a=x", "b=x");
    }

    @Test
    void whenAMapperFailsEverybodyIsReconciled() {
        client.create(configMap("a", "1"));
        client.create(configMap("b", "1"));
        manager.add(recording(Result.done()).watches(Secret.class, Mapper.of("broken", secret -> {
                    throw new IllegalStateException("broken");
                })))
                .start();
        assertThat(calls()).hasSize(2);

        client.create(secret("s", Map.of()));

        assertThat(calls()).containsExactlyInAnyOrder("a=1", "b=1");
    }

    /** Else nobody who was meant hears of the change: what a class that cannot be loaded throws is no exception. */
    @Test
    void anErrorOfAMapperOrATriggerLosesNoChange() {
        client.create(configMap("a", "1"));
        manager.add(recording(Result.done())
                        .trigger(change -> {
                            throw new NoClassDefFoundError("trigger");
                        })
                        .watches(Secret.class, Mapper.of("broken", secret -> {
                            throw new NoClassDefFoundError("mapper");
                        })))
                .start();
        assertThat(calls()).containsExactly("a=1");

        client.update(configMap("a", "2"));
        assertThat(calls()).containsExactly("a=2");
        client.create(secret("s", Map.of()));
        assertThat(calls()).containsExactly("a=2");
    }

    /** Else the keys it is told of are lost, or the controller stands by for ever. */
    @Test
    void aListenerThatThrowsErrorsChangesNothing() {
        client.create(configMap("a", "1"));
        AtomicInteger attempts = new AtomicInteger();
        Manager heard = Manager.builder(client)
                .scheduler(time)
                .listener(event -> {
                    throw new AssertionError("listener");
                })
                .build()
                .add(recording(Result.done()).initializer(any -> {
                    if (attempts.incrementAndGet() < 2) {
                        throw new IOException("not yet");
                    }
                }))
                .start();
        time.advance(Duration.ofSeconds(2));

        assertThat(calls()).containsExactly("a=1");
        in(time, heard::close);
    }

    private static final class Unsteady implements Source {
        final List<String> log = new ArrayList<>();
        int failures;

        Unsteady(int failures) {
            this.failures = failures;
        }

        @Override
        public String name() {
            return "unsteady";
        }

        @Override
        public AutoCloseable start(Sink sink, Scheduler scheduler) {
            if (failures-- > 0) {
                throw new NoClassDefFoundError("source");
            }
            log.add("started");
            return () -> {
                log.add("closed");
                throw new NoClassDefFoundError("source");
            };
        }
    }

    /** Else the controller stands by for ever, and says that it is ready. */
    @Test
    void aSourceThatDoesNotStartIsTriedAgainAndTheControllerWorksWithoutIt() {
        client.create(configMap("a", "1"));
        Unsteady source = new Unsteady(2);
        manager.add(recording(Result.done()).source(source)).start();

        assertThat(calls()).containsExactly("a=1");
        assertThat(source.log).isEmpty();
        time.advance(Duration.ofSeconds(21));
        assertThat(source.log).containsExactly("started");
    }

    @Test
    void aSourceThatFailsToCloseDoesNotPreventClosing() {
        Unsteady source = new Unsteady(0);
        manager.add(recording(Result.done()).source(source)).start();
        settle();

        in(time, manager::close);

        assertThat(source.log).containsExactly("started", "closed");
        assertThat(events).last().isInstanceOf(ControllerEvent.Inactive.class);
    }

    @Test
    void aLimiterThatThrowsCostsNoKeyItsNextTry() {
        client.create(configMap("a", "1"));
        AtomicInteger attempts = new AtomicInteger();
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            calls.add("try " + reconciliation.failures());
                            if (attempts.incrementAndGet() < 3) {
                                throw new IllegalStateException("not yet");
                            }
                            return Result.done();
                        })
                        .retry(() -> (key, failures, now, random) -> {
                            throw new IllegalArgumentException("limiter");
                        }))
                .start();

        assertThat(calls()).containsExactly("try 0", "try 1", "try 2");
    }

    @Test
    void aTriggerSelectsChangesIncludingObjectsThatStopMatching() {
        client.create(configMap("a", "wanted"));
        manager.add(recording(Result.done())
                        .trigger(Trigger.where(
                                object -> object.object().getData().get("k").equals("wanted"))))
                .start();
        assertThat(calls()).containsExactly("a=wanted");

        client.create(configMap("b", "other"));
        assertThat(calls()).isEmpty();
        client.update(configMap("a", "other"));
        assertThat(calls()).containsExactly("a=other");
        client.update(configMap("a", "third"));
        assertThat(calls()).isEmpty();
    }

    /** In controller-runtime a change of a config map passes unnoticed: its generation is always 0. */
    @Test
    void changesOfKindsWithoutGenerationsCountForTheTriggerOfGenerations() {
        client.create(configMap("a", "1"));
        manager.add(recording(Result.done()).trigger(Trigger.generation())).start();
        assertThat(calls()).containsExactly("a=1");

        client.update(configMap("a", "2"));

        assertThat(calls()).containsExactly("a=2");
    }

    @Test
    void aSourceTriggersAndEndsWithTheController() throws Exception {
        client.create(configMap("a", "1"));
        AtomicReference<Source.Sink> sink = new AtomicReference<>();
        List<String> closed = new ArrayList<>();
        Controller<ConfigMap> controller = Controller.<ConfigMap>of(ConfigMap.class, reconciliation -> {
                    calls.addAll(reconciliation.causes());
                    return Result.done();
                })
                .source(new Source() {
                    @Override
                    public String name() {
                        return "webhook";
                    }

                    @Override
                    public AutoCloseable start(Sink given, Scheduler scheduler) {
                        sink.set(given);
                        return () -> closed.add("closed");
                    }
                });
        manager.add(controller).start();
        assertThat(calls()).hasSize(1);

        sink.get().add(ObjectKey.of("default", "a"), "somebody called");

        assertThat(calls()).containsExactly("webhook somebody called");
        CompletableFuture<Void> removed = manager.remove("configmaps");
        settle();
        assertThat(removed).isDone();
        assertThat(closed).containsExactly("closed");
    }

    /** In JOSDK an exception in the fetch of a polled resource ends its polling for good. */
    @Test
    void aLookThatFailsDoesNotEndPolling() {
        client.create(configMap("a", "1"));
        AtomicInteger looks = new AtomicInteger();
        manager.add(recording(Result.done()).source(Source.polling("outside", Duration.ofSeconds(1), () -> {
                    if (looks.incrementAndGet() == 2) {
                        throw new IOException("no answer");
                    }
                    return List.of(ObjectKey.of("default", "a"));
                })))
                .start();
        assertThat(calls()).hasSize(1);

        time.advance(Duration.ofMillis(4_500));

        assertThat(looks).hasValue(4);
        assertThat(calls()).hasSize(3);
    }

    @Test
    void everyObjectIsReconciledFromTimeToTimeSpreadOverTheInterval() {
        for (int i = 0; i < 64; i++) {
            client.create(configMap("c" + i, "1"));
        }
        manager.add(recording(Result.done()).resyncInterval(Duration.ofSeconds(32)))
                .start();
        assertThat(calls()).hasSize(64);

        time.advance(Duration.ofSeconds(16));
        int half = calls().size();
        time.advance(Duration.ofMillis(16_500));
        List<String> rest = calls();

        assertThat(half).isBetween(10, 54);
        assertThat(half + rest.size()).isEqualTo(64);
    }

    @Test
    void aReconcilerFindsItsWritesInTheCache() {
        client.create(configMap("a", "0"));
        List<String> stale = new ArrayList<>();
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                    ConfigMap present = reconciliation.resource().orElseThrow();
                    int k = Integer.parseInt(present.getData().get("k"));
                    if (k < 20) {
                        present.setData(Map.of("k", Integer.toString(k + 1)));
                        ConfigMap unused = reconciliation.client().update(present);
                        String found = reconciliation
                                .resource()
                                .orElseThrow()
                                .getData()
                                .get("k");
                        if (Integer.parseInt(found) <= k) {
                            stale.add(found);
                        }
                    }
                    return Result.done();
                }))
                .start();

        time.advance(Duration.ofSeconds(2));

        assertThat(stale).isEmpty();
        assertThat(client.get(ConfigMap.class, ObjectKey.of("default", "a")).getData())
                .containsEntry("k", "20");
        assertThat(outcomes()).doesNotContain(Outcome.CONFLICT, Outcome.ERROR);
    }

    @Test
    void onlyDeclaredKindsHaveACache() {
        client.create(configMap("a", "1"));
        List<String> messages = new ArrayList<>();
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                    assertThat(reconciliation.cache(ConfigMap.class).size()).isEqualTo(1);
                    try {
                        var unused = reconciliation.cache(Secret.class);
                    } catch (IllegalArgumentException e) {
                        messages.add(e.getMessage());
                    }
                    return Result.done();
                }))
                .start();
        settle();

        assertThat(messages)
                .singleElement()
                .asString()
                .contains("secrets", "owns, watches, tracks or reads", "configmaps");
    }

    @Test
    void aNameInvalidForLeasesIsRefusedAtOnce() {
        Manager shared = Manager.builder(client)
                .scheduler(time)
                .leases(Leases.in("default", "Pod_1"))
                .build();
        Controller<ConfigMap> controller = recording(Result.done()).placement(Placement.sharded());

        assertThatThrownBy(() -> shared.add(controller))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("identity: \"Pod_1\"");
        shared.add(controller.placement(Placement.leader()));
        for (String name : List.of("Websites", "web sites", "-web", "web-.sites", "w".repeat(254))) {
            assertThatThrownBy(() -> shared.add(recording(Result.done()).name(name)))
                    .as("a Lease cannot have this name")
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("name: \"" + name + "\"");
        }
        shared.add(recording(Result.done()).name("Websites").placement(Placement.everyServer()));
        in(time, shared::close);
    }

    @Test
    void shardedControllersOfSimilarNamesShareNoLease() {
        Manager shared = Manager.builder(client)
                .scheduler(time)
                .leases(Leases.in("default", "one"))
                .build()
                .add(recording(Result.done()).name("a.b").placement(Placement.sharded(2)))
                .add(recording(Result.done()).name("a-b").placement(Placement.sharded(2)))
                .start();
        time.advance(Duration.ofSeconds(30));

        assertThat(client.list(Lease.class, ListOptions.in("default")).items())
                .extracting(lease -> lease.getMetadata().getName())
                .containsExactlyInAnyOrder(
                        "a.b-member-one",
                        "a.b-slot-0-of-2",
                        "a.b-slot-1-of-2",
                        "a-b-member-one",
                        "a-b-slot-0-of-2",
                        "a-b-slot-1-of-2");
        in(time, shared::close);
    }

    @Test
    void aStandbyForgetsDeletedObjects() {
        Manager shared = Manager.builder(client)
                .scheduler(time)
                .leases(Leases.in("default", "one"))
                .build()
                .add(recording(Result.done()))
                .start();
        client.create(configMap("a", "1"));
        time.advance(Duration.ofSeconds(1));
        assertThat(shared.explain("configmaps", ObjectKey.of("default", "a")).last())
                .isPresent();

        client.patch(
                Kind.of(Lease.class),
                ObjectKey.of("default", "configmaps"),
                Patch.merge("{\"spec\":{\"holderIdentity\":\"two\",\"leaseTransitions\":1}}"),
                WriteOptions.DEFAULT);
        time.advance(Duration.ofSeconds(5));
        assertThat(shared.explain("configmaps", ObjectKey.of("default", "a")).here())
                .isFalse();
        client.delete(ConfigMap.class, ObjectKey.of("default", "a"));
        settle();

        assertThat(shared.explain("configmaps", ObjectKey.of("default", "a")).last())
                .isEmpty();
        in(time, shared::close);
    }

    /** Else each name that was ever asked for stays in memory. */
    @Test
    void nothingIsKeptOfObjectsThatAreNotThereAndNotTriedAgain() {
        manager.add(Controller.<ConfigMap>of(ConfigMap.class, reconciliation -> {
                            throw new TerminalException("there is none");
                        })
                        .watches(Secret.class, Mapper.sameName()))
                .start();
        settle();
        client.create(secret("s", Map.of()));
        settle();

        assertThat(outcomes()).containsExactly(Outcome.TERMINAL);
        assertThat(manager.explain("configmaps", key("s")).last()).isEmpty();
    }

    @Test
    void controllersShareInformersAndAreAddedAndRemovedWhileRunning() {
        List<String> second = new ArrayList<>();
        manager.add(recording(Result.done())).start();
        client.create(configMap("a", "1"));
        assertThat(calls()).containsExactly("a=1");

        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                    second.add(reconciliation.key().toString());
                    return Result.done();
                })
                .name("second"));
        settle();
        assertThat(second).containsExactly("default/a");
        assertThatThrownBy(() -> manager.add(recording(Result.done()).name("second")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("named(...)");

        CompletableFuture<Void> removed = manager.remove("second");
        settle();
        assertThat(removed).isDone();
        client.create(configMap("b", "1"));
        assertThat(calls()).containsExactly("b=1");
        assertThat(second).containsExactly("default/a");
        assertThatThrownBy(() -> manager.remove("second"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("configmaps");
    }

    @Test
    void closingWaitsForRunningReconciliations() {
        AtomicInteger finished = new AtomicInteger();
        client.create(configMap("a", "1"));
        client.create(configMap("b", "1"));
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            pause(Duration.ofSeconds(10));
                            finished.incrementAndGet();
                            return Result.done();
                        })
                        .workers(1))
                .start();
        time.advance(Duration.ofSeconds(1));

        Scheduler.Job closing = time.execute("closing", manager::close);
        time.advance(Duration.ofSeconds(8));
        assertThat(finished).hasValue(0);
        assertThat(closing.ended()).isNotDone();
        time.advance(Duration.ofSeconds(20));

        assertThat(finished).hasValue(1);
        assertThat(closing.ended()).isDone();
    }

    @Test
    void closingInterruptsReconciliationsAfterTheGracePeriod() {
        client.create(configMap("a", "1"));
        AtomicInteger interrupted = new AtomicInteger();
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                    try {
                        time.pause(Duration.ofMinutes(1));
                    } catch (InterruptedException e) {
                        interrupted.incrementAndGet();
                    }
                    return Result.done();
                }))
                .start();
        time.advance(Duration.ofSeconds(1));

        Scheduler.Job closing = time.execute("closing", manager::close);
        time.advance(Duration.ofSeconds(29));
        assertThat(interrupted).hasValue(0);
        time.advance(Duration.ofSeconds(4));

        assertThat(interrupted).hasValue(1);
        assertThat(closing.ended()).isDone();
    }

    @Test
    void aManagerStartsOnce() {
        manager.start();

        assertThatThrownBy(manager::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingBeforeAnythingIsInSyncDoesNotHang() {
        manager.add(recording(Result.done()));
        manager.start();
        in(time, manager::close);
        in(time, manager::close);
        assertThatThrownBy(() -> manager.add(recording(Result.done()).name("late")))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void explainsWhyAnObjectRanAndWhyItWaits() {
        client.create(configMap("a", "1"));
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            throw new IllegalStateException("the disk is full");
                        })
                        .retry(RateLimiter.exponential(Duration.ofSeconds(100), Duration.ofHours(1))))
                .start();
        settle();

        Manager.Explanation explanation = manager.explain("configmaps", ObjectKey.of("default", "a"));

        assertThat(explanation.known()).isTrue();
        assertThat(explanation.phase()).isEqualTo(Manager.Explanation.Phase.WORKING);
        assertThat(explanation.failures()).isEqualTo(1);
        assertThat(explanation.nextTry().orElseThrow()).isBetween(Duration.ofSeconds(95), Duration.ofSeconds(111));
        Manager.Explanation.Last last = explanation.last().orElseThrow();
        assertThat(last.outcome()).isEqualTo(Outcome.ERROR);
        assertThat(last.error()).contains("the disk is full");
        assertThat(last.causes()).isNotEmpty();
        assertThat(explanation.toString())
                .contains("configmaps default/a: next in", "the disk is full", "failed 1 time", "because of");
        assertThat(manager.explain(Kind.of(ConfigMap.class), ObjectKey.of("default", "a")))
                .hasSize(1);
        assertThat(manager.explain("configmaps", key("unknown")).toString()).contains("not in the cache");
        assertThatThrownBy(() -> manager.explain("other", ObjectKey.of("default", "a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("configmaps");
    }

    @Test
    void drawsTheDependencyGraph() {
        manager.add(
                recording(Result.done()).name("maps").owns(Secret.class).watches(Secret.class, Mapper.label("for")));

        assertThat(manager.dependencies().mermaid()).isEqualTo("""
                flowchart LR
                    n0{{"maps"}}
                    n1["configmaps"]
                    n2["secrets"]
                    n1 --> |"reconciles"| n0
                    n2 --> |"label for"| n0
                    n2 --> |"owned"| n0
                """);
    }

    @Test
    void theFieldsMetricsAreThere() {
        client.create(configMap("a", "1"));
        manager.add(recording(Result.done())).start();
        settle();

        assertThat(registry.counter("controller.runtime.reconcile", "controller", "configmaps", "result", "success")
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("workqueue.depth").gauge().value()).isZero();
        assertThat(registry.get("workqueue.adds").functionCounter().count()).isEqualTo(1);
        assertThat(registry.get("evenkeel.cache.objects").gauge().value()).isEqualTo(1);
        assertThat(registry.get("evenkeel.cache.bytes").gauge().value()).isPositive();
        in(time, manager::close);
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void queueDurationsAreHistograms() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        client.create(configMap("a", "1"));
        Manager measured = Manager.builder(client)
                .scheduler(time)
                .metrics(prometheus)
                .build()
                .add(recording(Result.done()))
                .start();
        settle();

        for (String name : List.of("workqueue_queue_duration_seconds", "workqueue_work_duration_seconds")) {
            assertThat(prometheus.scrape().lines())
                    .filteredOn(line -> line.startsWith(name + "_bucket"))
                    .hasSizeGreaterThan(10)
                    .anyMatch(line -> line.contains("le=\"0.001\""))
                    .anyMatch(line -> line.contains("le=\"1000.0\""))
                    .anyMatch(line -> line.endsWith("le=\"+Inf\"} 1"));
        }
        in(time, measured::close);
    }

    @Test
    void metricsShowTheLeader() {
        Manager leading = Manager.builder(client)
                .scheduler(time)
                .metrics(registry)
                .leases(Leases.in("default", "only"))
                .build()
                .add(recording(Result.done()).name("leader").placement(Placement.leader()))
                .add(recording(Result.done()).name("shared").placement(Placement.sharded(4)))
                .add(recording(Result.done()).name("everywhere").placement(Placement.everyServer()));
        assertThat(registry.get("leader.election.master.status").gauge().value())
                .isZero();

        leading.start();
        time.advance(Duration.ofSeconds(30));

        assertThat(registry.get("leader.election.master.status")
                        .tags("name", "leader")
                        .gauges())
                .singleElement()
                .satisfies(gauge -> assertThat(gauge.value()).isOne());
        assertThat(registry.get("evenkeel.shard.slots").gauges())
                .singleElement()
                .satisfies(gauge -> assertThat(gauge.value()).isEqualTo(4));
        var unused = leading.remove("leader");
        time.advance(Duration.ofSeconds(1));
        assertThat(registry.find("leader.election.master.status").gauge()).isNull();
        in(time, leading::close);
    }

    /** In JOSDK the gauge of the queue counts up for each submission, and not down for those that are skipped. */
    @Test
    void theDepthOfTheQueueDoesNotLeakWhenKeysAreDropped() {
        for (int i = 0; i < 10; i++) {
            client.create(configMap("c" + i, "1"));
        }
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            pause(Duration.ofSeconds(5));
                            return Result.done();
                        })
                        .workers(1))
                .start();
        settle();
        assertThat(registry.get("workqueue.depth").gauge().value()).isEqualTo(9);
        var gauge = registry.get("workqueue.depth").gauge();

        CompletableFuture<Void> removed = manager.remove("configmaps");
        time.advance(Duration.ofSeconds(10));

        assertThat(removed).isDone();
        assertThat(outcomes()).hasSize(1);
        assertThat(gauge.value()).isZero();
    }

    /** Else the gauges of the first stay, show its queue for ever, and keep its caches in memory. */
    @Test
    void aControllerThatWasRemovedLeavesNoMetricsToTheNextOfItsName() {
        client.create(configMap("a", "1"));
        manager.add(recording(Result.done())).start();
        settle();
        int meters = registry.getMeters().size();
        CompletableFuture<Void> removed = manager.remove("configmaps");
        settle();
        assertThat(removed).isDone();
        assertThat(registry.find("workqueue.depth").gauge()).isNull();

        client.create(configMap("b", "1"));
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                    pause(Duration.ofSeconds(5));
                    return Result.done();
                })
                .workers(1));
        settle();

        assertThat(registry.get("workqueue.depth").gauge().value()).isEqualTo(1);
        time.advance(Duration.ofSeconds(20));
        assertThat(registry.counter("controller.runtime.reconcile", "controller", "configmaps", "result", "success")
                        .count())
                .isEqualTo(2);
        assertThat(registry.getMeters()).hasSize(meters);
    }

    /** In JOSDK a gauge over a boxed number turns into no number with the next garbage collection. */
    @Test
    void gaugesOutliveGarbageCollection() {
        manager.add(recording(Result.done())).start();
        settle();
        System.gc();

        assertThat(registry.get("controller.runtime.max.concurrent.reconciles")
                        .gauge()
                        .value())
                .isEqualTo(2);
        assertThat(registry.get("workqueue.depth").gauge().value()).isZero();
    }

    /** In JOSDK exceptions arrive wrapped when metrics are on, and those who look at their class are misled. */
    @Test
    void measuringDoesNotChangeExceptions() {
        client.create(configMap("a", "1"));
        IllegalStateException thrown = new IllegalStateException("mine");
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                    throw thrown;
                }))
                .start();
        settle();

        assertThat(events.stream().filter(ControllerEvent.Reconciled.class::isInstance))
                .first()
                .extracting(
                        event -> ((ControllerEvent.Reconciled) event).failure().orElseThrow())
                .isSameAs(thrown);
    }

    /** A controller of other frameworks that loses its lease ends the process, or does not come back. */
    @Test
    void aLeaderThatLostItsLeaseInAnOutageLeadsAgain() {
        client.create(configMap("a", "1"));
        AtomicBoolean down = new AtomicBoolean();
        Client unreliable = Intercepted.client(client, (verb, arguments) -> {
            if (down.get()) {
                throw new UncheckedIOException(new IOException("no route"));
            }
        });
        Manager leading = Manager.builder(unreliable)
                .scheduler(time)
                .leases(Leases.in("default", "only"))
                .listener(events::add)
                .build()
                .add(recording(Result.done()).placement(Placement.leader()));
        leading.start();
        time.advance(Duration.ofSeconds(1));
        assertThat(calls()).isNotEmpty();

        down.set(true);
        time.advance(Duration.ofMinutes(1));
        assertThat(events).last().isInstanceOf(ControllerEvent.Inactive.class);
        calls.clear();
        down.set(false);
        time.advance(Duration.ofMinutes(1));

        assertThat(calls()).contains("a=1");
        in(time, leading::close);
    }

    /** Else what is cleared up late is what the next term has queued: keys that are never tried again. */
    @Test
    void aTermIsCleanedUpBeforeTheNextBegins() {
        client.create(configMap("a", "1"));
        client.create(configMap("b", "1"));
        AtomicBoolean down = new AtomicBoolean();
        AtomicBoolean slow = new AtomicBoolean();
        Client unreliable = Intercepted.client(client, (verb, arguments) -> {
            if (down.get()) {
                throw new UncheckedIOException(new IOException("no route"));
            }
        });
        RateLimiter limiter = () -> new RateLimiter.Delays() {
            @Override
            public long nanos(Object key, int failures, long now, RandomGenerator random) {
                return Duration.ofSeconds(20).toNanos();
            }

            @Override
            public void forget(Object key) {
                if (slow.getAndSet(false)) {
                    pause(Duration.ofSeconds(45));
                }
            }
        };
        Manager leading = Manager.builder(unreliable)
                .scheduler(time)
                .leases(Leases.in("default", "only"))
                .build()
                .add(Controller.<ConfigMap>of(ConfigMap.class, reconciliation -> {
                            calls.add(reconciliation.key().name());
                            throw new IllegalStateException("always");
                        })
                        .retry(limiter))
                .start();
        time.advance(Duration.ofSeconds(1));
        assertThat(calls()).containsExactlyInAnyOrder("a", "b");

        slow.set(true);
        down.set(true);
        time.advance(Duration.ofSeconds(12));
        down.set(false);
        time.advance(Duration.ofMinutes(2));
        calls.clear();
        time.advance(Duration.ofMinutes(1));

        assertThat(calls()).contains("a", "b");
        in(time, leading::close);
    }

    @Test
    void statusIsWrittenOnlyWhenItDiffers() {
        // config maps have no status: what counts here is that nothing is written for nothing
        client.create(configMap("a", "1"));
        List<Boolean> written = new ArrayList<>();
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                    written.add(reconciliation.updateStatus(
                            reconciliation.resource().orElseThrow()));
                    return Result.done();
                }))
                .start();
        settle();

        assertThat(written).containsExactly(false);
    }

    /** A process with a manager of its own. */
    private final class Process {
        final BatonScheduler own;
        final Manager its;
        final List<String> log = new ArrayList<>();

        Process(String name, Placement placement) {
            own = time.process(name, Duration.ZERO);
            its = Manager.builder(client)
                    .scheduler(own)
                    .leases(Leases.in("default", name))
                    .build()
                    .add(Controller.of(ConfigMap.class, reconciliation -> {
                                ObjectKey key = reconciliation.key();
                                if (!running.add(key)) {
                                    twice.add(key);
                                }
                                log.add(key.name());
                                try {
                                    own.pause(Duration.ofMillis(5));
                                } catch (InterruptedException e) {
                                    log.add("interrupted");
                                }
                                reconciliation.resource().ifPresent(object -> {
                                    if (!name.equals(
                                            object.getMetadata().getLabels().get("by"))) {
                                        object.getMetadata().setLabels(Map.of("by", name));
                                        ConfigMap unused = reconciliation
                                                .client()
                                                .update(Kind.of(ConfigMap.class), object, WriteOptions.DEFAULT);
                                    }
                                });
                                running.remove(key);
                                return Result.done();
                            })
                            .name("maps")
                            .placement(placement));
            its.start();
        }
    }

    private final java.util.Set<ObjectKey> running = new java.util.HashSet<>();
    private final List<ObjectKey> twice = new ArrayList<>();

    @Test
    void aFrozenLeaderIsReplaced() {
        client.create(configMap("a", "1"));
        Process first = new Process("first", Placement.leader());
        time.advance(Duration.ofSeconds(1));
        Process second = new Process("second", Placement.leader());
        time.advance(Duration.ofSeconds(5));
        assertThat(first.log).contains("a");
        assertThat(second.log).isEmpty();
        assertThat(second.its.explain("maps", ObjectKey.of("default", "a")).toString())
                .contains("leader first");
        assertThat(second.its.health().ready()).isTrue();

        first.own.freeze();
        time.advance(Duration.ofSeconds(30));
        assertThat(second.log).contains("a");
        first.own.thaw();
        first.log.clear();
        second.log.clear();
        client.update(configMap("a", "2"));
        time.advance(Duration.ofSeconds(5));

        assertThat(first.log).isEmpty();
        assertThat(second.log).contains("a");
        assertThat(twice).isEmpty();
        in(second.own, second.its::close);
        time.advance(Duration.ofSeconds(5));
        // given up in good order: the other does not wait for the end of the lease
        assertThat(first.log).contains("a");
        in(first.own, first.its::close);
    }

    @Test
    void shardsShareTheKeysAndTakeOverThoseOfALeavingMember() {
        for (int i = 0; i < 60; i++) {
            client.create(configMap("c" + i, "1"));
        }
        List<Process> processes = Stream.of("one", "two", "three")
                .map(name -> new Process(name, Placement.sharded(16)))
                .toList();
        time.advance(Duration.ofSeconds(30));
        processes.forEach(process -> process.log.clear());
        for (int i = 0; i < 60; i++) {
            client.update(configMap("c" + i, "2"));
        }
        time.advance(Duration.ofSeconds(2));

        assertThat(processes).allSatisfy(process -> assertThat(process.log).hasSizeGreaterThan(5));
        assertThat(processes.stream()
                        .mapToLong(process -> process.log.stream().distinct().count())
                        .sum())
                .isEqualTo(60);
        assertThat(twice).isEmpty();

        processes.getFirst().own.freeze();
        time.advance(Duration.ofSeconds(40));
        processes.forEach(process -> process.log.clear());
        for (int i = 0; i < 60; i++) {
            client.update(configMap("c" + i, "3"));
        }
        time.advance(Duration.ofSeconds(2));
        assertThat(processes.get(1).log.stream().distinct().count()
                        + processes.get(2).log.stream().distinct().count())
                .isEqualTo(60);
        processes.getFirst().own.thaw();
        time.advance(Duration.ofSeconds(40));
        assertThat(twice).isEmpty();
        assertThat(processes.getFirst().log).isNotEmpty();
        processes.forEach(process -> in(process.own, process.its::close));
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        Controller<ConfigMap> controller = recording(Result.done());
        assertThatThrownBy(() -> controller.workers(0)).hasMessageContaining("at least one worker");
        assertThatThrownBy(() -> controller.deadline(Duration.ZERO)).hasMessageContaining("deadline");
        assertThatThrownBy(() -> controller.resyncInterval(Duration.ofSeconds(-1)))
                .hasMessageContaining("interval");
        assertThatThrownBy(() -> controller.name("")).hasMessageContaining("name");
        assertThatThrownBy(() -> Placement.sharded(0)).hasMessageContaining("slots");
        assertThatThrownBy(() -> Leases.in("", "x")).hasMessageContaining("namespace");
        assertThat(Optional.of(controller.workers())).contains(2);
    }
}
