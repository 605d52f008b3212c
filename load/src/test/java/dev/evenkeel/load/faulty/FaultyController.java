package dev.evenkeel.load.faulty;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Watch;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A controller for the tests of verdicts: for each ConfigMap {@code spec-NAME} it keeps a ConfigMap {@code done-NAME} with
 * the same value. It runs on the cluster of {@code KUBECONFIG}, in the mode that is its argument: {@code clean}, or with
 * one fault.
 */
public final class FaultyController {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final String WANTED = "spec-";
    private static final String KEPT = "done-";

    private FaultyController() {}

    /** The faults, one at a time. */
    enum Mode {
        /** No fault. */
        CLEAN,
        /** Remembers 100 bytes of each state of each object for ever. */
        LEAK,
        /** Writes every 100 ms, although nothing has changed. */
        RESTLESS,
        /** Reads all objects for each change. */
        WHOLE_CLUSTER,
        /** Serves the first namespace, by name, as long as it has work, and takes 10 ms for each object. */
        UNFAIR,
        /** Takes a lock when a watch begins again, which its only worker then waits for. */
        DEADLOCK,
        /** Gets each object from the API when it starts, and writes each child, although it is equal. */
        STAMPEDE;

        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Mode of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Mode mode = Mode.of(arguments[0]);
        KubernetesClient api = KubernetesClient.builder(Connection.fromKubeconfig(Path.of(System.getenv("KUBECONFIG"))))
                .userAgent("faulty-controller/" + mode.text())
                .build();
        Client client = mode == Mode.DEADLOCK ? new LockingClient(api) : api;
        Manager manager = Manager.of(client);
        manager.add(Controller.of(MAPS, faulty(mode, manager))
                        .name("copies")
                        .owns(MAPS)
                        .fairnessKey(ObjectKey::namespace)
                        .workers(mode == Mode.DEADLOCK ? 1 : 2))
                .start();
        if (mode == Mode.RESTLESS) {
            writeAtRest(client, manager.informer(MAPS).cache());
        }
        new CountDownLatch(1).await();
    }

    /** What a controller does that has no fault: writes what differs, and reads from its caches only. */
    private static Result copy(Client client, Cache<ConfigMap> cache, ObjectKey key) {
        Optional<ConfigMap> wanted = cache.find(key)
                .filter(map -> key.name().startsWith(WANTED))
                .filter(map -> map.getMetadata().getDeletionTimestamp() == null)
                .map(FaultyController::child);
        if (wanted.isEmpty()) {
            return Result.done();
        }
        Map<String, String> data = wanted.get().getData();
        Optional<ConfigMap> present = cache.find(ObjectKey.of(wanted.get()));
        if (present.isEmpty()) {
            client.create(wanted.get());
        } else if (!present.get().getData().equals(data)) {
            client.update(new ConfigMapBuilder(present.get()).withData(data).build());
        }
        return Result.done();
    }

    private static Result clean(Reconciliation<ConfigMap> call) {
        return copy(call.client(), call.cache(MAPS), call.key());
    }

    private static ConfigMap child(ConfigMap wanted) {
        Map<String, String> data = wanted.getData() == null ? Map.of() : wanted.getData();
        ConfigMap child = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(wanted.getMetadata().getNamespace())
                .withName(KEPT + wanted.getMetadata().getName().substring(WANTED.length()))
                .endMetadata()
                .addToData("value", data.getOrDefault("value", ""))
                .build();
        OwnerReferences.control(wanted, child);
        return child;
    }

    private static Reconciler<ConfigMap> faulty(Mode mode, Manager manager) {
        return switch (mode) {
            case CLEAN, RESTLESS -> FaultyController::clean;
            case LEAK -> leaking();
            case WHOLE_CLUSTER -> recomputing();
            case UNFAIR -> unfair(manager);
            case DEADLOCK -> FaultyController::locking;
            case STAMPEDE -> stampeding();
        };
    }

    /** What is never forgotten. */
    record Memory(byte[] bytes) {}

    private static Reconciler<ConfigMap> leaking() {
        Map<String, Memory> memories = new ConcurrentHashMap<>();
        return call -> {
            call.resource()
                    .map(map -> call.key() + "@" + map.getMetadata().getResourceVersion())
                    .ifPresent(state -> memories.put(state, new Memory(new byte[100])));
            return clean(call);
        };
    }

    private static Reconciler<ConfigMap> recomputing() {
        AtomicInteger sum = new AtomicInteger();
        return call -> {
            sum.set(call.cache(MAPS).stream()
                    .mapToInt(entry -> String.valueOf(entry.object().getData()).hashCode())
                    .sum());
            return clean(call);
        };
    }

    /** One thread, which takes the first key by namespace and name. */
    private static Reconciler<ConfigMap> unfair(Manager manager) {
        PriorityBlockingQueue<ObjectKey> queue = new PriorityBlockingQueue<>();
        Set<ObjectKey> waiting = ConcurrentHashMap.newKeySet();
        Thread.ofPlatform().daemon().start(() -> {
            Cache<ConfigMap> cache = manager.informer(MAPS).cache();
            while (true) {
                ObjectKey key;
                try {
                    key = queue.take();
                    queue.add(key);
                    // before the choice, for which all that is there has arrived
                    Thread.sleep(Duration.ofMillis(10));
                    key = queue.take();
                } catch (InterruptedException e) {
                    return;
                }
                waiting.remove(key);
                try {
                    copy(manager.client(), cache, key);
                } catch (AlreadyExistsException | ConflictException | NotFoundException e) {
                    // the cache was behind: once more
                    if (waiting.add(key)) {
                        queue.add(key);
                    }
                }
            }
        });
        return call -> {
            if (call.key().name().startsWith(WANTED) && waiting.add(call.key())) {
                queue.add(call.key());
            }
            return Result.done();
        };
    }

    private static final ReentrantLock LOCK = new ReentrantLock();

    private static Result locking(Reconciliation<ConfigMap> call) {
        LOCK.lock();
        try {
            return clean(call);
        } finally {
            LOCK.unlock();
        }
    }

    /** Forgets to unlock what it locks when a watch is opened again. */
    private static final class LockingClient extends ForwardingClient {
        private final AtomicInteger watches = new AtomicInteger();

        LockingClient(Client client) {
            super(client);
        }

        @Override
        public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
            if (watches.getAndIncrement() > 0) {
                LOCK.lock();
            }
            return super.watch(kind, options);
        }
    }

    private static Reconciler<ConfigMap> stampeding() {
        Set<ObjectKey> known = ConcurrentHashMap.newKeySet();
        return call -> {
            if (call.resource().isEmpty()) {
                known.remove(call.key());
            } else if (call.key().name().startsWith(WANTED) && known.add(call.key())) {
                Optional<ConfigMap> wanted =
                        call.client().find(MAPS, call.key()).map(FaultyController::child);
                wanted.flatMap(map -> call.client().find(MAPS, ObjectKey.of(map)))
                        .ifPresent(present -> call.client().update(present));
            }
            return clean(call);
        };
    }

    /** Writes what is there already. */
    private static void writeAtRest(Client client, Cache<ConfigMap> cache) throws InterruptedException {
        while (true) {
            Thread.sleep(Duration.ofMillis(100));
            cache.stream()
                    .filter(entry -> entry.key().name().startsWith(KEPT))
                    .findFirst()
                    .ifPresent(entry -> {
                        try {
                            client.update(entry.object());
                        } catch (ConflictException | NotFoundException e) {
                            // it was changed or deleted since the cache saw it
                        }
                    });
        }
    }
}
