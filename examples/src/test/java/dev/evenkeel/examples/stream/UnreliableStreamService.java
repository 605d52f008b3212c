package dev.evenkeel.examples.stream;

import dev.evenkeel.testing.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/** An external service, one in each cluster, that records its writes, and can be made to lose answers. */
final class UnreliableStreamService implements StreamService {
    private final InMemoryStreamService within = new InMemoryStreamService();
    private final List<String> writes = new ArrayList<>();
    private Runnable after = () -> {};

    private UnreliableStreamService() {}

    /** The one of this cluster. */
    static UnreliableStreamService of(TestCluster cluster) {
        return cluster.part(UnreliableStreamService.class, its -> new UnreliableStreamService());
    }

    /** The brokers themselves. */
    InMemoryStreamService within() {
        return within;
    }

    /** Has its effect from now on, and no answer comes back. */
    void losesAnswers() {
        after = () -> {
            throw new IllegalStateException("no answer from the service");
        };
    }

    /** Runs an action during its next call. */
    void meanwhile(Runnable event) {
        after = () -> {
            after = () -> {};
            event.run();
        };
    }

    /** Calls that write, in their order. */
    List<String> writes() {
        return writes;
    }

    private void write(String call, String broker, String name, Runnable effect) {
        writes.add(call + " " + broker + " " + name);
        effect.run();
        after.run();
    }

    @Override
    public Optional<TopicState> topic(String broker, String name) {
        return within.topic(broker, name);
    }

    @Override
    public void ensureTopic(String broker, String name, TopicState wanted) {
        write("ensureTopic", broker, name, () -> within.ensureTopic(broker, name, wanted));
    }

    @Override
    public void removeTopic(String broker, String name) {
        write("removeTopic", broker, name, () -> within.removeTopic(broker, name));
    }

    @Override
    public SortedSet<String> topics(String broker) {
        return within.topics(broker);
    }

    @Override
    public Optional<AccountState> account(String broker, String name) {
        return within.account(broker, name);
    }

    @Override
    public void ensureAccount(String broker, String name, AccountState wanted) {
        write("ensureAccount", broker, name, () -> within.ensureAccount(broker, name, wanted));
    }

    @Override
    public void removeAccount(String broker, String name) {
        write("removeAccount", broker, name, () -> within.removeAccount(broker, name));
    }
}
