package dev.evenkeel.engine.store;

import dev.evenkeel.engine.contract.StoreCompatibilityKit;
import dev.evenkeel.engine.spi.Store;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

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
}
