package dev.evenkeel.examples.stream;

import dev.evenkeel.examples.stream.AccountSpec.Grant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/**
 * What the servers of brokers are asked to do, over their own protocol: the state outside of the API that this operator
 * keeps.
 *
 * <p>All may be said again: who does not know whether a call came through says it again. A broker that is not running
 * does not answer.
 */
public interface StreamService {
    /**
     * What a topic is like.
     *
     * @param partitions how many; cannot shrink
     * @param replicas on how many servers each record is kept
     * @param settings of the topic
     */
    record TopicState(int partitions, int replicas, Map<String, String> settings) {
        /** Copies the settings. */
        public TopicState {
            settings = Map.copyOf(settings);
        }
    }

    /**
     * What an account is like.
     *
     * @param password that it proves itself with
     * @param grants what it may do
     */
    record AccountState(String password, List<Grant> grants) {
        /** Copies the grants. */
        public AccountState {
            grants = List.copyOf(grants);
        }
    }

    /** A broker does not answer. */
    final class UnavailableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** Nobody answers there. */
        public UnavailableException(String broker) {
            super("broker " + broker + " does not answer: is it running?");
        }
    }

    /** A topic; empty when it does not exist of that name. */
    Optional<TopicState> topic(String broker, String name);

    /**
     * Makes a topic, or makes it so.
     *
     * @throws IllegalArgumentException when it has more partitions than are wanted
     */
    void ensureTopic(String broker, String name, TopicState wanted);

    /** Removes a topic and its records; nothing happens when there is none. */
    void removeTopic(String broker, String name);

    /** Names of all topics. */
    SortedSet<String> topics(String broker);

    /** An account; empty when it does not exist of that name. */
    Optional<AccountState> account(String broker, String name);

    /** Makes an account, or makes it so. */
    void ensureAccount(String broker, String name, AccountState wanted);

    /** Removes an account; nothing happens when there is none. */
    void removeAccount(String broker, String name);
}
