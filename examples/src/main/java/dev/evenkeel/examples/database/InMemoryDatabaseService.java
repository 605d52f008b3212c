package dev.evenkeel.examples.database;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A database service in memory, with delays; for trying out and for tests. */
public final class InMemoryDatabaseService implements DatabaseService {
    private final InstantSource clock;
    private final Duration effort;
    private final Map<String, Entry> entries = new TreeMap<>();
    private final Set<String> snapshots = new TreeSet<>();

    private record Entry(Wanted wanted, Instant ready) {}

    /**
     * Creates a service without databases.
     *
     * @param effort the time to create or change one
     */
    public InMemoryDatabaseService(InstantSource clock, Duration effort) {
        this.clock = clock;
        this.effort = effort;
    }

    @Override
    public synchronized Instance ensure(String id, Wanted wanted) {
        @Nullable Entry entry = entries.get(id);
        if (entry == null || !entry.wanted().equals(wanted)) {
            entry = new Entry(wanted, clock.instant().plus(effort));
            entries.put(id, entry);
        }
        boolean ready = !clock.instant().isBefore(entry.ready());
        return new Instance(wanted, ready, "db-" + id + ".databases.example.com", "secret-of-" + id);
    }

    @Override
    public synchronized void remove(String id) {
        entries.remove(id);
    }

    @Override
    public synchronized String snapshot(String id, String name) {
        if (!entries.containsKey(id)) {
            throw new IllegalStateException("there is no database " + id);
        }
        String place = id + "/" + name;
        snapshots.add(place);
        return place;
    }

    @Override
    public synchronized SortedSet<String> ids() {
        return new TreeSet<>(entries.keySet());
    }

    /** Returns the desired state of a database; empty when it does not exist. */
    public synchronized Optional<Wanted> wanted(String id) {
        return Optional.ofNullable(entries.get(id)).map(Entry::wanted);
    }

    /** Returns the addresses of the snapshots. */
    public synchronized Set<String> snapshots() {
        return Set.copyOf(snapshots);
    }
}
