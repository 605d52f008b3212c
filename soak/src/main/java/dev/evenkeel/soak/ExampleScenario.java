package dev.evenkeel.soak;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Placement;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.store.MemoryStore;
import dev.evenkeel.simulation.Monitor;
import dev.evenkeel.simulation.Simulation;
import dev.evenkeel.simulation.SimulationScenario;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** An example in a simulation: three processes that share its controllers, and a user who makes random changes. */
public abstract class ExampleScenario implements SimulationScenario {
    static final String NAMESPACE = "default";
    private static final int PROCESSES = 3;
    private static final int CHANGES = 12;

    /** Renewals are most of the events: slightly fewer of them than usual. */
    private static final Leases.Timing TIMING =
            new Leases.Timing(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(4));

    private static final MemoryStore.Window WINDOW = new MemoryStore.Window(5_000, Duration.ofMinutes(5));

    private final String name;
    private final List<CustomResourceDefinition> types;

    ExampleScenario(String name, List<GenericKubernetesResource> types) {
        this.name = name;
        this.types = types.stream()
                .map(type -> ModelCodec.convert(type, CustomResourceDefinition.class))
                .toList();
    }

    /**
     * Returns the scenario of an example.
     *
     * @param example {@code website}, {@code database} or {@code stream}
     * @param types the definitions it needs
     */
    public static SimulationScenario of(String example, List<GenericKubernetesResource> types) {
        return switch (example) {
            case "website" -> new WebsiteScenario(types);
            case "database" -> new DatabaseScenario(types);
            case "stream" -> new StreamScenario(types);
            default -> throw new IllegalArgumentException("unknown example \"" + example + "\"");
        };
    }

    abstract List<Controller<?>> controllers(World world);

    static ObjectKey key(String name) {
        return ObjectKey.of(NAMESPACE, name);
    }

    static ObjectKey credentials(ObjectKey object) {
        return ObjectKey.of(object.namespace(), object.name() + "-credentials");
    }

    /** A child object of a controller. */
    record Child(Kind<? extends HasMetadata> kind, ObjectKey key) {}

    abstract List<Child> owned(Kind<?> primary, ObjectKey key);

    /** Makes a random change on behalf of the user. */
    abstract void change(World world);

    /** Returns true if all objects have converged. */
    abstract boolean converged(World world);

    World world(Simulation simulation) {
        return new World(simulation);
    }

    /**
     * Returns a service behind a simulated connection.
     *
     * @param calls the calls of its methods in traces
     */
    static <S> S remote(Simulation simulation, Class<S> type, S service, Map<String, String> calls) {
        InvocationHandler connection = (proxy, method, arguments) ->
                simulation.call(calls.getOrDefault(method.getName(), ""), () -> invoke(service, method, arguments));
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, connection));
    }

    private static Object invoke(Object service, Method method, Object[] arguments) {
        try {
            return method.invoke(service, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The state of a run in addition to the server. */
    static class World {
        final Simulation simulation;

        World(Simulation simulation) {
            this.simulation = simulation;
        }

        Client server() {
            return simulation.server();
        }

        int below(int bound) {
            return simulation.random().nextInt(bound);
        }

        /** Returns the objects of the namespace that scenarios use. */
        <T extends HasMetadata> List<T> all(Class<T> type) {
            return server().list(type, ListOptions.in(NAMESPACE)).items();
        }

        /** Creates an object, or deletes it with a chance of a third, or changes its spec. */
        <S, T extends CustomResource<S, ?>> void change(T fresh, String name, S spec, Map<String, String> labels) {
            @SuppressWarnings("unchecked") // the class of fresh is that of T
            Optional<T> present = (Optional<T>) server().find(fresh.getClass(), key(name));
            if (present.isEmpty()) {
                create(fresh, name, spec, labels);
            } else if (below(3) == 0) {
                server().delete(present.get());
            } else {
                update(present.get(), spec);
            }
        }

        <S, T extends CustomResource<S, ?>> void create(T fresh, String name, S spec, Map<String, String> labels) {
            fresh.getMetadata().setNamespace(NAMESPACE);
            fresh.getMetadata().setName(name);
            fresh.getMetadata().setLabels(labels);
            fresh.setSpec(spec);
            server().create(fresh);
        }

        <S, T extends CustomResource<S, ?>> void update(T present, S spec) {
            present.setSpec(spec);
            server().update(present);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Duration faultPhase() {
        return Duration.ofSeconds(40);
    }

    @Override
    public Duration quietPhase() {
        return Duration.ofSeconds(20);
    }

    @Override
    public Simulation.ServerFactory server() {
        return this::start;
    }

    private Client start(Clock clock, RandomGenerator random, Executor executor) {
        Client client = Engine.builder()
                // watches are polled after each change, so they need no wake-up
                .store(context -> new MemoryStore(WINDOW, context.clock(), Runnable::run))
                .clock(clock)
                .random(random)
                .executor(executor)
                .build()
                .client();
        types.forEach(type -> client.apply(type, WriteOptions.DEFAULT));
        return client;
    }

    @Override
    public BooleanSupplier prepare(Simulation simulation) {
        World world = world(simulation);
        boolean sharded = world.below(2) == 0;
        for (int i = 1; i <= PROCESSES; i++) {
            String name = "p" + i;
            simulation.process(name, (client, scheduler) -> {
                String identity = name + "-" + simulation.processNamed(name).starts();
                Manager manager = Manager.builder(client)
                        .scheduler(scheduler)
                        .leases(Leases.in(NAMESPACE, identity).timing(TIMING))
                        .build();
                Placement placement = sharded ? Placement.sharded(4) : Placement.leader();
                for (Controller<?> controller : controllers(world)) {
                    manager.add(watched(controller.placement(placement), simulation.monitor()));
                }
                return manager.start();
            });
        }
        for (int i = 0; i < CHANGES; i++) {
            long millis = 1L + world.below((int) faultPhase().toMillis());
            simulation.at(Duration.ofMillis(millis), "user", () -> change(world));
        }
        return () -> converged(world);
    }

    private <T extends HasMetadata> Controller<T> watched(Controller<T> controller, Monitor monitor) {
        return controller.around(reconciler -> watched(controller.name(), controller.primary(), reconciler, monitor));
    }

    private <T extends HasMetadata> Reconciler<T> watched(
            String controller, Kind<T> kind, Reconciler<T> reconciler, Monitor monitor) {
        return reconciliation -> {
            ObjectKey key = reconciliation.key();
            monitor.enter(controller, key);
            try {
                monitor.read(kind, key, reconciliation.resource());
                Result result = reconciler.reconcile(reconciliation);
                monitor.read(kind, key, reconciliation.resource());
                owned(kind, key).forEach(child -> read(reconciliation, child.kind(), child.key(), monitor));
                return result;
            } finally {
                monitor.exit(controller, key);
            }
        };
    }

    private static <C extends HasMetadata> void read(
            Reconciliation<?> reconciliation, Kind<C> kind, ObjectKey key, Monitor monitor) {
        monitor.read(kind, key, reconciliation.cache(kind).find(key));
    }
}
