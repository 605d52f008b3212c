package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bodies against a server with TLS, in real time. */
@Timeout(300)
abstract class CatalogOverNetwork {
    /** Longer than anything takes that is not stuck. */
    private static final long PATIENCE_SECONDS = 30;

    private static final List<Kind<? extends HasMetadata>> KINDS =
            List.of(GenreObject.KIND, RecordLabelObject.KIND, ArtistObject.KIND, AlbumObject.KIND, ListingObject.KIND);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Semaphore changes = new Semaphore(0);

    /** Starts a server of an engine. */
    abstract void serve(Engine engine) throws IOException;

    /** Returns a client of that server. */
    abstract Client client(String partition) throws IOException;

    /** Closes a resource after the test. */
    final <T extends AutoCloseable> T keep(T resource) {
        open.push(resource);
        return resource;
    }

    private record OverHttp(Client client, Client system, Semaphore changes) implements Catalog {
        /** Verifies again after each change, until none has come for long. */
        @Override
        public void eventually(Runnable verification) {
            while (true) {
                int _ = changes.drainPermits();
                try {
                    verification.run();
                    return;
                } catch (AssertionError | ApiException e) {
                    if (!anotherChange()) {
                        throw e;
                    }
                }
            }
        }

        private boolean anotherChange() {
            try {
                return changes.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    private Catalog catalog;

    @BeforeEach
    void start() throws IOException {
        Engine.Builder builder = Engine.builder();
        CatalogTypes.all().forEach(builder::register);
        Engine engine = keep(builder.build());
        serve(engine);
        Client client = client(Engine.DEFAULT_PARTITION);
        Client system = client(Engine.SYSTEM_PARTITION);
        Manager manager = keep(Manager.of(client));
        for (Controller<?> controller : CatalogControllers.all()) {
            manager.add(controller);
        }
        KINDS.forEach(kind -> listen(manager, kind));
        manager.start();
        catalog = new OverHttp(client, system, changes);
    }

    private <T extends HasMetadata> void listen(Manager manager, Kind<T> kind) {
        var _ = manager.informer(kind).handle("test", change -> changes.release());
    }

    @AfterEach
    void stop() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void lifeCycle() {
        CatalogLifeCycle.run(catalog);
    }

    @Test
    void oneShot() {
        long seed = Long.getLong("catalog.seed", new SplittableRandom().nextLong(1_000_000));
        System.out.println(getClass().getSimpleName() + ": -Dcatalog.seed=" + seed);
        CatalogLoad load = new CatalogLoad(seed, 5);
        CatalogOneShot.publish(catalog, load, seed);
        CatalogOneShot.verify(catalog);
        for (int i = 0; i < 10; i++) {
            load.change(catalog.client());
        }
        CatalogOneShot.verify(catalog);
    }
}
