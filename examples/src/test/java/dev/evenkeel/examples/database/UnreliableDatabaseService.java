package dev.evenkeel.examples.database;

import dev.evenkeel.testing.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/** A service elsewhere, one in each world, that does what it is told and can be told to fail. */
final class UnreliableDatabaseService implements DatabaseService {
    /** What it is called for. */
    enum Call {
        ENSURE,
        REMOVE,
        SNAPSHOT
    }

    private final World world;
    private final InMemoryDatabaseService within;
    private final Map<Call, Runnable> before = new EnumMap<>(Call.class);
    private final Map<Call, Runnable> after = new EnumMap<>(Call.class);
    private final List<String> calls = new ArrayList<>();

    private UnreliableDatabaseService(World world, Duration effort) {
        this.world = world;
        this.within = new InMemoryDatabaseService(world.clock(), effort);
    }

    /** The one of this world; unless {@link #slow} was there first, it makes databases at once. */
    static UnreliableDatabaseService of(World world) {
        return world.part(UnreliableDatabaseService.class, its -> new UnreliableDatabaseService(its, Duration.ZERO));
    }

    /** The one of this world, which takes so long to make or change a database. */
    static UnreliableDatabaseService slow(World world, Duration effort) {
        return world.part(UnreliableDatabaseService.class, its -> new UnreliableDatabaseService(its, effort));
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
        return during(call, () -> world.pass(time));
    }

    /** Works again. */
    void recovers() {
        before.clear();
        after.clear();
    }

    /** What it was called for, and with which database. */
    List<String> calls() {
        return calls;
    }

    /** Where snapshots are kept. */
    Set<String> snapshots() {
        return within.snapshots();
    }

    /** What a database is like. */
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
