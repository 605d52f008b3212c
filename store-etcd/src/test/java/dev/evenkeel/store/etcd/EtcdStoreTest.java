package dev.evenkeel.store.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.contract.ClientContract;
import dev.evenkeel.engine.contract.PartitionDeletion;
import dev.evenkeel.engine.contract.RestartCompatibilityKit;
import dev.evenkeel.engine.contract.StoreCompatibilityKit;
import dev.evenkeel.engine.spi.Store;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contracts of stores and clients on one etcd, where each test has a prefix of its own; and that of restarts. */
class EtcdStoreTest {
    private static final AtomicInteger TESTS = new AtomicInteger();

    @TempDir(factory = InMemory.class)
    private static Path directory;

    private static LocalEtcd etcd;

    private final EtcdOptions options =
            EtcdOptions.at(etcd.endpoints()).prefix("/test-" + TESTS.incrementAndGet() + "/");

    @BeforeAll
    static void start() {
        assumeTrue(LocalEtcd.installed(), "etcd is not installed (Debian: etcd-server)");
        etcd = LocalEtcd.start(directory, 1);
    }

    @AfterAll
    static void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    private Store open() {
        return open(options);
    }

    private static Store open(EtcdOptions options) {
        return options.open(
                new Store.Context((key, bytes) -> () -> bytes, InstantSource.system(), Thread::startVirtualThread));
    }

    @Nested
    class AsAStore extends StoreCompatibilityKit {
        @Override
        protected Store open() {
            return EtcdStoreTest.this.open();
        }

        @Override
        protected int many() {
            return 300;
        }
    }

    /** With an etcd for each test, since any compaction concerns all prefixes. */
    @Nested
    class AfterARestart extends RestartCompatibilityKit {
        @TempDir(factory = InMemory.class)
        private Path own;

        private LocalEtcd fresh;

        @Override
        protected Store open() {
            if (fresh == null) {
                fresh = LocalEtcd.start(own, 1);
            }
            return EtcdStoreTest.open(EtcdOptions.at(fresh.endpoints()));
        }

        @AfterEach
        void stop() {
            fresh.close();
        }
    }

    @Nested
    class UnderAnEngine extends ClientContract {
        private Engine engine;

        @BeforeEach
        void start() {
            engine = Engine.builder().store(options).build();
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
}
