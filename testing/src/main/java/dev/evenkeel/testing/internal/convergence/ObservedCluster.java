package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The changes and the state of the cluster in which controllers are checked that know it by its API only. */
public final class ObservedCluster implements AutoCloseable {
    /** Resources whose objects are not compared: they say nothing about the work of a controller. */
    private static final Set<String> NOT_COMPARED =
            Set.of("leases.coordination.k8s.io", "events", "events.events.k8s.io", "componentstatuses");

    private static final String PREFIX = Engine.DEFAULT_PARTITION + "/";

    /** A change of an object. */
    public record Change(long revision, String resource, ObjectKey key) {}

    private final Engine engine;
    private final ResourceApi api;
    private final Store.Watch watch;
    private final List<Change> changes = new ArrayList<>();
    private long oldest;

    /** Begins to observe. */
    public ObservedCluster(Engine engine) {
        this.engine = engine;
        api = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
        watch = engine.store().watch(Store.Range.ALL, engine.store().revision(), () -> {});
    }

    /** Returns the present revision. */
    public long revision() {
        return engine.store().revision();
    }

    /** Forgets the history: watches cannot be resumed from an older revision. */
    public synchronized void compact() {
        long present = revision();
        var unused = changes();
        engine.store().compact(present);
        oldest = present;
    }

    /** Returns all changes so far, in their order. */
    public synchronized List<Change> changes() {
        while (true) {
            List<Store.Event> events = watch.poll(1000);
            if (events.isEmpty()) {
                return changes;
            }
            for (Store.Event event : events) {
                String collection = event.key().collection();
                if (collection.startsWith(PREFIX)) {
                    changes.add(new Change(
                            event.revision(),
                            collection.substring(PREFIX.length()),
                            ObjectKey.of(event.key().namespace(), event.key().name())));
                }
            }
        }
    }

    /** Returns the revision before the last changes of a resource; of the beginning if it has fewer. */
    public synchronized long revisionBefore(String resource, int last) {
        List<Long> revisions = changes().stream()
                .filter(change -> change.resource().equals(resource))
                .map(Change::revision)
                .distinct()
                .toList();
        return revisions.isEmpty() ? revision() : available(revisions.get(Math.max(0, revisions.size() - last)) - 1);
    }

    /** Returns a revision, or the oldest one that is still in the history. */
    public synchronized long available(long revision) {
        return Math.max(revision, oldest);
    }

    /**
     * Returns the state of all objects that are compared.
     *
     * @param ignored the paths of fields that are not
     */
    public ClusterState state(Set<String> ignored) {
        List<ClusterState.Found> found = new ArrayList<>();
        for (String collection : engine.store().snapshot().collections()) {
            if (collection.startsWith(PREFIX)) {
                api.types()
                        .type(collection.substring(PREFIX.length()))
                        .filter(type -> type.rules().verbs().contains("list") && !NOT_COMPARED.contains(type.id()))
                        .ifPresent(type -> api.list(
                                        Target.of(type, type.storageVersion(), "", ""), ListQuery.ALL, User.ADMIN)
                                .items()
                                .forEach(object -> found.add(ClusterState.Found.of(type.id(), object.tree()))));
            }
        }
        return ClusterState.of(found, "", ignored);
    }

    @Override
    public void close() {
        watch.close();
    }
}
