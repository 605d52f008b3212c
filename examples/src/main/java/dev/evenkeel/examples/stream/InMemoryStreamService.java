package dev.evenkeel.examples.stream;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Brokers in memory; for trying out and for tests. They answer unless they are stopped. */
public final class InMemoryStreamService implements StreamService {
    private record Name(String broker, String name) {}

    private final Map<Name, TopicState> topics = new HashMap<>();
    private final Map<Name, AccountState> accounts = new HashMap<>();
    private final Set<String> stopped = new HashSet<>();

    /** Stops a broker, which answers no more. */
    public synchronized void stop(String broker) {
        stopped.add(broker);
    }

    /** Starts a stopped broker, with its state. */
    public synchronized void start(String broker) {
        stopped.remove(broker);
    }

    private Name name(String broker, String name) {
        if (stopped.contains(broker)) {
            throw new UnavailableException(broker);
        }
        return new Name(broker, name);
    }

    @Override
    public synchronized Optional<TopicState> topic(String broker, String name) {
        return Optional.ofNullable(topics.get(name(broker, name)));
    }

    @Override
    public synchronized void ensureTopic(String broker, String name, TopicState wanted) {
        int present = topic(broker, name).map(TopicState::partitions).orElse(0);
        if (present > wanted.partitions()) {
            throw new IllegalArgumentException("topic " + name + " has " + present + " partitions, and cannot have "
                    + wanted.partitions() + ": they do not shrink");
        }
        topics.put(name(broker, name), wanted);
    }

    @Override
    public synchronized void removeTopic(String broker, String name) {
        topics.remove(name(broker, name));
    }

    @Override
    public synchronized SortedSet<String> topics(String broker) {
        SortedSet<String> names = new TreeSet<>();
        topics.keySet().stream().filter(name -> name.broker().equals(broker)).forEach(name -> names.add(name.name()));
        return names;
    }

    @Override
    public synchronized Optional<AccountState> account(String broker, String name) {
        return Optional.ofNullable(accounts.get(name(broker, name)));
    }

    @Override
    public synchronized void ensureAccount(String broker, String name, AccountState wanted) {
        accounts.put(name(broker, name), wanted);
    }

    @Override
    public synchronized void removeAccount(String broker, String name) {
        accounts.remove(name(broker, name));
    }
}
