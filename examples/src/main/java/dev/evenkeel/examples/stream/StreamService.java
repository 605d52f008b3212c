package dev.evenkeel.examples.stream;

import dev.evenkeel.examples.stream.AccountSpec.Grant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The protocol of the brokers' servers: the state outside of the API that this operator maintains.
 *
 * <p>All calls are idempotent: a call whose result is unknown is repeated. A broker that is not running does not
 * answer.
 */
public interface StreamService {
    /**
     * The state of a topic.
     *
     * @param partitions the number of partitions; cannot shrink
     * @param replicas the number of servers that keep each record
     * @param settings of the topic
     */
    record TopicState(int partitions, int replicas, Map<String, String> settings) {
        /** Copies the settings. */
        public TopicState {
            settings = Map.copyOf(settings);
        }
    }

    /**
     * The state of an account.
     *
     * @param password its password
     * @param grants its access to topics
     */
    record AccountState(String password, List<Grant> grants) {
        /** Copies the grants. */
        public AccountState {
            grants = List.copyOf(grants);
        }
    }

    /** Thrown when a broker does not answer. */
    final class UnavailableException extends RuntimeException {
        /** Creates an exception for a broker that does not answer. */
        public UnavailableException(String broker) {
            super("broker " + broker + " does not answer: is it running?");
        }
    }

    /** Returns a topic; empty when it does not exist. */
    Optional<TopicState> topic(String broker, String name);

    /**
     * Creates or changes a topic.
     *
     * @throws IllegalArgumentException when it has more partitions than are wanted
     */
    void ensureTopic(String broker, String name, TopicState wanted);

    /** Removes a topic and its records; has no effect when absent. */
    void removeTopic(String broker, String name);

    /** Returns the names of all topics. */
    SortedSet<String> topics(String broker);

    /** Returns an account; empty when it does not exist. */
    Optional<AccountState> account(String broker, String name);

    /** Creates or changes an account. */
    void ensureAccount(String broker, String name, AccountState wanted);

    /** Removes an account; has no effect when absent. */
    void removeAccount(String broker, String name);
}
