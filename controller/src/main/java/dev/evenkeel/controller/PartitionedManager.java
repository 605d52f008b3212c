package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.schedule.SystemScheduler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Runs the same controllers in several partitions, such as those of tenants, or in several clusters: a {@link Manager}
 * for each, on one scheduler. Partitions are added and removed at any time.
 *
 * <p>Each has its own caches, queues, workers and leases, so partitions do not delay each other, and a broken one affects
 * no other. Metrics have the tag {@code partition}.
 *
 * <pre>{@code
 * PartitionedManager tenants = PartitionedManager.builder(
 *                 partition -> engine.partition(partition).client("websites"),
 *                 partition -> List.of(Websites.controller()))
 *         .build()
 *         .add("team-a")
 *         .add("team-b");
 * }</pre>
 */
public final class PartitionedManager implements AutoCloseable {
    private final Builder settings;
    private final Scheduler scheduler;
    private final Runnable release;
    private final SequencedMap<String, Manager> managers = new TreeMap<>();
    private boolean closed;

    private PartitionedManager(Builder settings) {
        this.settings = settings;
        this.scheduler = settings.scheduler.orElseGet(SystemScheduler::new);
        this.release = settings.scheduler.isEmpty() && scheduler instanceof SystemScheduler own ? own::close : () -> {};
    }

    /**
     * Returns a builder.
     *
     * @param clients returns the client of a partition
     * @param controllers returns the controllers of a partition; their names are unique in it
     */
    public static Builder builder(
            Function<String, Client> clients, Function<String, List<? extends Controller<?>>> controllers) {
        return new Builder(clients, controllers);
    }

    /** Builds a manager of several partitions. */
    public static final class Builder {
        private final Function<String, Client> clients;
        private final Function<String, List<? extends Controller<?>>> controllers;
        private BiFunction<String, Manager.Builder, Manager.Builder> options = (partition, manager) -> manager;
        private Optional<Scheduler> scheduler = Optional.empty();
        private Optional<MeterRegistry> registry = Optional.empty();

        private Builder(Function<String, Client> clients, Function<String, List<? extends Controller<?>>> controllers) {
            this.clients = clients;
            this.controllers = controllers;
        }

        /** Sets the options of the manager of a partition, such as leases, which are kept in that partition. */
        public Builder options(BiFunction<String, Manager.Builder, Manager.Builder> value) {
            options = value;
            return this;
        }

        /** Sets the scheduler of all, by default one in real time. It is not closed with the manager. */
        public Builder scheduler(Scheduler value) {
            scheduler = Optional.of(value);
            return this;
        }

        /** Sets the registry of the metrics, which get the tag {@code partition}; by default there are none. */
        public Builder metrics(MeterRegistry value) {
            registry = Optional.of(value);
            return this;
        }

        /** Returns the manager, without partitions. */
        public PartitionedManager build() {
            return new PartitionedManager(this);
        }
    }

    /**
     * Starts the controllers in a partition, and returns at once. Has no effect when they run there.
     *
     * @throws IllegalStateException when this is closed
     */
    public synchronized PartitionedManager add(String partition) {
        if (closed) {
            throw new IllegalStateException("partition " + partition + " was added to a closed manager");
        }
        if (!managers.containsKey(partition)) {
            Manager.Builder builder =
                    Manager.builder(settings.clients.apply(partition)).scheduler(scheduler);
            settings.registry.ifPresent(registry -> {
                CompositeMeterRegistry tagged = new CompositeMeterRegistry();
                tagged.config().commonTags("partition", partition);
                builder.metrics(tagged.add(registry));
            });
            Manager manager = settings.options.apply(partition, builder).build();
            try {
                settings.controllers.apply(partition).forEach(manager::add);
            } catch (RuntimeException | Error e) {
                manager.close();
                throw e;
            }
            managers.put(partition, manager.start());
        }
        return this;
    }

    /** Stops the controllers in a partition, as {@link Manager#close} does; has no effect when none run there. */
    public void remove(String partition) {
        Manager removed;
        synchronized (this) {
            removed = managers.remove(partition);
        }
        if (removed != null) {
            removed.close();
        }
    }

    /** Returns the partitions, sorted. */
    public synchronized List<String> partitions() {
        return List.copyOf(managers.keySet());
    }

    /**
     * Returns the manager of a partition, to explain or to read its caches.
     *
     * @throws IllegalArgumentException when the partition was not added
     */
    public synchronized Manager manager(String partition) {
        Manager manager = managers.get(partition);
        if (manager == null) {
            throw new IllegalArgumentException(
                    "unknown partition " + partition + "; known: " + managers.keySet() + ": call add first");
        }
        return manager;
    }

    /** Returns the health of all, for probes: problems begin with the partition. */
    public Health health() {
        boolean live = true;
        boolean ready = true;
        List<String> problems = new ArrayList<>();
        for (Map.Entry<String, Manager> each : entries()) {
            Health health = each.getValue().health();
            live &= health.live();
            ready &= health.ready();
            health.problems().forEach(problem -> problems.add("partition " + each.getKey() + ": " + problem));
        }
        return new Health(live, ready, problems);
    }

    private synchronized List<Map.Entry<String, Manager>> entries() {
        return managers.entrySet().stream()
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Stops the controllers in all partitions, one after the other, as {@link Manager#close} does. */
    @Override
    public void close() {
        List<Map.Entry<String, Manager>> all;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            all = entries();
        }
        try {
            all.forEach(each -> each.getValue().close());
        } finally {
            release.run();
        }
    }
}
