package dev.evenkeel.simulation;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Copies each config map labelled {@code copy=from} to one of the name with {@code -copy} behind; a loop written by hand. */
final class CopyProgram implements AutoCloseable {
    static final Kind<ConfigMap> KIND = Kind.of(ConfigMap.class);

    private final String name;
    private final Client client;
    private final Scheduler scheduler;
    private final Monitor monitor;
    private final TreeSet<ObjectKey> wanted = new TreeSet<>();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private boolean working;
    private boolean closed;

    CopyProgram(String name, Client client, Scheduler scheduler, Monitor monitor) {
        this.name = name;
        this.client = client;
        this.scheduler = scheduler;
        this.monitor = monitor;
        list();
    }

    private void list() {
        var unused = scheduler.execute("lister", () -> {
            if (closed) {
                return;
            }
            try {
                Listing<ConfigMap> listing =
                        client.list(KIND, ListOptions.in("default").resourceVersion("0"));
                listing.items().forEach(item -> want(ObjectKey.of(item)));
                Watch<ConfigMap> watch =
                        client.watch(KIND, ListOptions.in("default").resourceVersion(listing.resourceVersion()));
                var unused2 = scheduler.read("reader", watch, new Reader());
                // a silent watch must not be trusted indefinitely
                var unused3 = scheduler.schedule(Duration.ofMinutes(2), watch::close);
            } catch (RuntimeException e) {
                var unused2 = scheduler.schedule(Duration.ofSeconds(1), this::list);
            }
        });
    }

    private final class Reader implements Scheduler.WatchReader<ConfigMap> {
        @Override
        public void event(Watch.Event<ConfigMap> event) {
            if (event.type() != Watch.Type.BOOKMARK) {
                want(ObjectKey.of(event.object()));
            }
        }

        @Override
        public void ended() {
            list();
        }

        @Override
        public void failed(RuntimeException failure) {
            list();
        }
    }

    private void want(ObjectKey key) {
        String name = key.name();
        wanted.add(ObjectKey.of(key.namespace(), name.endsWith("-copy") ? name.substring(0, name.length() - 5) : name));
        work();
    }

    private void work() {
        if (!working && !closed && !wanted.isEmpty()) {
            working = true;
            ObjectKey key = wanted.removeFirst();
            var unused = scheduler.execute("copier", () -> {
                monitor.enter(name, key);
                try {
                    copy(key);
                } catch (RuntimeException e) {
                    var unused2 = scheduler.schedule(Duration.ofSeconds(1), () -> want(key));
                } finally {
                    monitor.exit(name, key);
                    working = false;
                    work();
                    if (!working) {
                        idle.complete(null);
                    }
                }
            });
        }
    }

    private void copy(ObjectKey from) {
        Optional<ConfigMap> source = client.find(KIND, from);
        ObjectKey to = ObjectKey.of(from.namespace(), from.name() + "-copy");
        Optional<ConfigMap> present = client.find(KIND, to);
        if (source.isEmpty()
                || !"from".equals(source.get().getMetadata().getLabels().get("copy"))) {
            if (present.isPresent()
                    && "to".equals(present.get().getMetadata().getLabels().get("copy"))) {
                try {
                    var unused = client.delete(KIND, to, DeleteOptions.DEFAULT);
                } catch (NotFoundException e) {
                    // done already
                }
            }
            return;
        }
        Map<String, String> data = source.get().getData();
        if (present.isEmpty()) {
            try {
                var unused = client.create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(to.namespace())
                        .withName(to.name())
                        .addToLabels("copy", "to")
                        .endMetadata()
                        .withData(data)
                        .build());
            } catch (AlreadyExistsException e) {
                // an answer was lost, or the other process did it
            }
        } else if (!data.equals(present.get().getData())) {
            present.get().setData(data);
            var unused = client.update(present.get());
        }
    }

    @Override
    public void close() {
        closed = true;
        if (working) {
            try {
                var unused = scheduler.await(idle, Duration.ofSeconds(10));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns true if all copies have converged. */
    static boolean converged(Client server) {
        Map<String, Map<String, String>> from = new java.util.TreeMap<>();
        Map<String, Map<String, String>> to = new java.util.TreeMap<>();
        for (ConfigMap map : server.list(KIND, ListOptions.in("default").labels(LabelSelector.parse("copy")))
                .items()) {
            if ("from".equals(map.getMetadata().getLabels().get("copy"))) {
                from.put(map.getMetadata().getName() + "-copy", map.getData());
            } else {
                to.put(map.getMetadata().getName(), map.getData());
            }
        }
        return from.equals(to);
    }
}
