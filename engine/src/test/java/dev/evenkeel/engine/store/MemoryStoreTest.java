package dev.evenkeel.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.contract.StoreCompatibilityKit;
import dev.evenkeel.engine.spi.Store;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
    @Nested
    @DisplayName("that wakes watchers on virtual threads")
    class Asynchronous extends StoreCompatibilityKit {
        @Override
        protected Store open() {
            return new MemoryStore();
        }

        @Override
        protected void check(Store store) {
            ((MemoryStore) store).validate();
        }
    }

    @Nested
    @DisplayName("that wakes watchers up to 50 ms late")
    class Lagging extends StoreCompatibilityKit {
        private final Random random = new Random();

        @Override
        protected Store open() {
            return new MemoryStore(MemoryStore.Window.DEFAULT, InstantSource.system(), this::executeLater);
        }

        private void executeLater(Runnable task) {
            CompletableFuture.delayedExecutor(random.nextInt(50), TimeUnit.MILLISECONDS)
                    .execute(task);
        }

        @Override
        protected int many() {
            return 300;
        }

        @Override
        protected void check(Store store) {
            ((MemoryStore) store).validate();
        }
    }

    @Nested
    @DisplayName("that wakes watchers on the committing thread, and keeps many old states")
    class Synchronous extends StoreCompatibilityKit {
        @Override
        protected Store open() {
            return new MemoryStore(MemoryStore.Window.DEFAULT, InstantSource.system(), Runnable::run, 64);
        }

        @Override
        protected void check(Store store) {
            ((MemoryStore) store).validate();
        }
    }

    /** The task that woke watchers failed, and no watch of all collections was woken again. */
    @Test
    void aWatchOfAllCollectionsThatIsClosedBeforeItIsWokenDoesNotDisturbTheNextOne() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        try (MemoryStore store = new MemoryStore(MemoryStore.Window.DEFAULT, InstantSource.system(), tasks::add)) {
            Store.Watch closed = store.watch(Store.Range.ALL, store.revision(), () -> {});
            Store.Key key = new Store.Key("p/configmaps", "n", "a");
            store.commit(List.of(new Store.Change(key, 0, () -> new byte[0])));
            closed.close();
            run(tasks);

            AtomicInteger woken = new AtomicInteger();
            try (Store.Watch watch = store.watch(Store.Range.ALL, store.revision(), woken::incrementAndGet)) {
                store.commit(List.of(new Store.Change(key, store.revision(), null)));
                run(tasks);
                assertThat(woken).hasValue(1);
                assertThat(watch.poll(10)).hasSize(1);
            }
        }
    }

    private static void run(Queue<Runnable> tasks) {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
