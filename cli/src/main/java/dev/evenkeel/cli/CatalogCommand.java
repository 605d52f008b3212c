package dev.evenkeel.cli;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import dev.evenkeel.examples.catalog.AlbumObject;
import dev.evenkeel.examples.catalog.ArtistObject;
import dev.evenkeel.examples.catalog.CatalogCheck;
import dev.evenkeel.examples.catalog.CatalogControllers;
import dev.evenkeel.examples.catalog.CatalogLoad;
import dev.evenkeel.examples.catalog.CatalogTypes;
import dev.evenkeel.examples.catalog.ListingObject;
import dev.evenkeel.grpc.GrpcClient;
import dev.evenkeel.grpc.GrpcServer;
import dev.evenkeel.store.sqlite.Durability;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkeel example catalog}. */
@Command(
        name = "catalog",
        description = {
            "Runs a catalogue of music, whose types are defined in protobuf, until SIGTERM or Ctrl-C.",
            "",
            "A random load is written, then changes of it; after each the controllers converge. With --data the objects"
                    + " are kept, and the next run continues with them.",
            ""
        })
final class CatalogCommand extends BaseCommand {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "seed of the load (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--artists",
            paramLabel = "N",
            defaultValue = "5",
            description = "number of artists, each with two albums (default: ${DEFAULT-VALUE})")
    private int artists;

    @Option(
            names = "--changes",
            paramLabel = "N",
            defaultValue = "10",
            description = "number of random changes (default: ${DEFAULT-VALUE})")
    private int changes;

    @Option(names = "--once", description = "exit after the last change")
    private boolean once;

    @Option(names = "--grpc", description = "use the objects over gRPC: by a server on loopback, in this process")
    private boolean grpc;

    @Mixin
    private StoreOptions objects = new StoreOptions();

    /** Has permits when objects have changed. */
    private final Semaphore changed = new Semaphore(0);

    @Override
    public Integer call() throws InterruptedException {
        require(artists >= 1, "--artists must be at least 1: " + artists);
        require(changes >= 0, "--changes must be 0 or more: " + changes);
        Optional<Store.Factory> store = objects.find(MemoryStore.Window.DEFAULT, Durability.SYNC);
        Set<Class<? extends HasMetadata>> primary = Set.of(ArtistObject.class, AlbumObject.class);
        Narrator narrator = new Narrator(Terminal.of(line().getOut()), primary);
        CatalogLoad load = new CatalogLoad(seed, artists);
        try (Lifetime lifetime = new Lifetime()) {
            Engine.Builder builder = Engine.builder();
            store.ifPresent(builder::store);
            CatalogTypes.all().forEach(builder::register);
            Engine engine = lifetime.keep(builder.build());
            narrator.print("engine", store.isEmpty() ? "in this process, in memory" : "in this process, " + objects);
            Function<String, Client> clients = clients(lifetime, engine, narrator);
            Client client = clients.apply(Engine.DEFAULT_PARTITION);
            lifetime.endBySignal();
            Manager manager = lifetime.keep(Manager.of(client));
            CatalogControllers.all().forEach(manager::add);
            long start = System.nanoTime();
            for (Kind<? extends HasMetadata> kind : List.of(ArtistObject.KIND, AlbumObject.KIND, ListingObject.KIND)) {
                show(manager, kind, narrator, start);
            }
            manager.start();
            Client system = clients.apply(Engine.SYSTEM_PARTITION);
            int created = 0;
            for (HasMetadata genre : load.genres()) {
                created += create(system, genre) ? 1 : 0;
            }
            for (HasMetadata object : load.objects()) {
                created += create(client, object) ? 1 : 0;
            }
            converge(client, narrator, created + " objects created");
            for (int i = 0; i < changes; i++) {
                converge(client, narrator, load.change(client));
            }
            if (!once) {
                lifetime.awaitSignal();
            }
        }
        return 0;
    }

    /** Returns clients by partition: of the engine, or over gRPC. */
    private Function<String, Client> clients(Lifetime lifetime, Engine engine, Narrator narrator) {
        if (!grpc) {
            return partition -> engine.partition(partition).client("evenkeel-example");
        }
        GrpcServer server = lifetime.keep(GrpcServer.builder(engine).start());
        narrator.print("gRPC", server.target());
        return partition -> lifetime.keep(GrpcClient.builder(server.target())
                .ca(server.caCertificate())
                .token(server.token())
                .partition(partition)
                .fieldManager("evenkeel-example")
                .build());
    }

    private <T extends HasMetadata> void show(Manager manager, Kind<T> kind, Narrator narrator, long start) {
        var _ = manager.informer(kind).handle("example", change -> {
            narrator.printChange(change, start);
            changed.release();
        });
    }

    /** Creates an object, unless an earlier run has. */
    @SuppressWarnings("unchecked") // of its own class
    private static <T extends HasMetadata> boolean create(Client client, T object) {
        try {
            var _ = client.create(Kind.of((Class<T>) object.getClass()), object, WriteOptions.DEFAULT);
            return true;
        } catch (AlreadyExistsException e) {
            return false;
        }
    }

    /** Waits until the controllers have done their work: checks after each change. */
    private void converge(Client client, Narrator narrator, String what) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            int _ = changed.drainPermits();
            List<String> problems = CatalogCheck.problems(client);
            if (problems.isEmpty()) {
                break;
            }
            if (!changed.tryAcquire(start + PATIENCE - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new Failure("the controllers have not converged after " + what + ": " + problems);
            }
        }
        String time = String.format(Locale.ROOT, "%.0f ms", (System.nanoTime() - start) / 1e6);
        narrator.print("converged", what + ", " + time);
    }
}
