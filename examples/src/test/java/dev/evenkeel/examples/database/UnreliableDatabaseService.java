package dev.evenkeel.examples.database;

import dev.evenkeel.testing.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/** An external service, one in each cluster, that can be made to fail. */
final class UnreliableDatabaseService implements DatabaseService {
    /** A method of the service. */
    enum Call {
        ENSURE,
        REMOVE,
        SNAPSHOT
    }

    private final TestCluster cluster;
    private final InMemoryDatabaseService within;
    private final Map<Call, Runnable> before = new EnumMap<>(Call.class);
    private final Map<Call, Runnable> after = new EnumMap<>(Call.class);
    private final List<String> calls = new ArrayList<>();

    private UnreliableDatabaseService(TestCluster cluster, Duration effort) {
        this.cluster = cluster;
        this.within = new InMemoryDatabaseService(cluster.clock(), effort);
    }

    /** Returns the service of this cluster; it creates databases at once, unless {@link #slow} was called before. */
    static UnreliableDatabaseService of(TestCluster cluster) {
        return cluster.part(UnreliableDatabaseService.class, its -> new UnreliableDatabaseService(its, Duration.ZERO));
    }

    /** The one of this cluster, which takes so long to make or change a database. */
    static UnreliableDatabaseService slow(TestCluster cluster, Duration effort) {
        return cluster.part(UnreliableDatabaseService.class, its -> new UnreliableDatabaseService(its, effort));
    }

    /** Fails from now on, without effect. */
    UnreliableDatabaseService fails(Call call) {
        before.put(call, () -> {
            throw new IllegalStateException("the service does not " + call);
        });
        return this;
    }

    /** Has its effect from now on, and no answer comes back. */
    UnreliableDatabaseService losesAnswer(Call call) {
        return during(call, () -> {
            throw new IllegalStateException("no answer from the service to " + call);
        });
    }

    /** This happens between the effect and the answer. */
    UnreliableDatabaseService during(Call call, Runnable event) {
        after.put(call, event);
        return this;
    }

    /** Takes so long to answer. */
    UnreliableDatabaseService takes(Call call, Duration time) {
        return during(call, () -> cluster.pass(time));
    }

    /** Works again. */
    void recovers() {
        before.clear();
        after.clear();
    }

    /** Returns its calls, with their databases. */
    List<String> calls() {
        return calls;
    }

    /** Returns the addresses of snapshots. */
    Set<String> snapshots() {
        return within.snapshots();
    }

    /** Returns the desired state of a database. */
    Wanted wanted(String id) {
        return within.wanted(id).orElseThrow(() -> new AssertionError("there is no database " + id));
    }

    private void before(Call call) {
        before.getOrDefault(call, () -> {}).run();
    }

    private void after(Call call) {
        after.getOrDefault(call, () -> {}).run();
    }

    @Override
    public Instance ensure(String id, Wanted wanted) {
        calls.add("ensure " + id);
        before(Call.ENSURE);
        Instance instance = within.ensure(id, wanted);
        after(Call.ENSURE);
        return instance;
    }

    @Override
    public void remove(String id) {
        calls.add("remove " + id);
        before(Call.REMOVE);
        within.remove(id);
        after(Call.REMOVE);
    }

    @Override
    public SortedSet<String> ids() {
        return within.ids();
    }

    @Override
    public String snapshot(String id, String name) {
        calls.add("snapshot " + id);
        before(Call.SNAPSHOT);
        String place = within.snapshot(id, name);
        after(Call.SNAPSHOT);
        return place;
    }
}
