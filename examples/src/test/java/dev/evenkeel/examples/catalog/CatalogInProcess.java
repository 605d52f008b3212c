package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Client;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.simulation.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A catalogue in this process and in virtual time: an engine, and a manager with controllers. */
final class CatalogInProcess implements Catalog, AutoCloseable {
    private final VirtualScheduler scheduler;
    private final Engine engine;
    private final Manager manager;

    private CatalogInProcess(VirtualScheduler scheduler, Engine engine, Manager manager) {
        this.scheduler = scheduler;
        this.engine = engine;
        this.manager = manager;
    }

    static CatalogInProcess start(long seed) {
        return start(seed, Optional.empty(), CatalogTypes.all(), CatalogControllers.all());
    }

    static CatalogInProcess start(
            long seed, Optional<Store.Factory> store, List<TypeSource> types, List<Controller<?>> controllers) {
        VirtualScheduler scheduler = new VirtualScheduler(seed, Instant.parse("2026-01-01T00:00:00Z"));
        Engine.Builder builder = Engine.builder().clock(scheduler.clock()).executor(Runnable::run);
        store.ifPresent(builder::store);
        types.forEach(builder::register);
        Engine engine = builder.build();
        Manager manager = Manager.builder(engine.client()).scheduler(scheduler).build();
        controllers.forEach(manager::add);
        manager.start();
        return new CatalogInProcess(scheduler, engine, manager);
    }

    Engine engine() {
        return engine;
    }

    @Override
    public Client client() {
        return engine.client();
    }

    @Override
    public Client system() {
        return engine.partition(Engine.SYSTEM_PARTITION).client("test");
    }

    @Override
    public void eventually(Runnable verification) {
        scheduler.advance(Duration.ofMinutes(1));
        verification.run();
    }

    @Override
    public void close() {
        manager.close();
        engine.close();
    }
}
