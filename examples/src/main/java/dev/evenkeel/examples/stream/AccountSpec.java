package dev.evenkeel.examples.stream;

import java.util.List;

/**
 * The desired state of an {@link Account}.
 *
 * @param broker name of the {@link Broker}, in the same namespace
 * @param grants its access to topics
 */
public record AccountSpec(String broker, List<Grant> grants) {
    /**
     * A grant of an account.
     *
     * @param topic name of the {@link Topic}
     * @param access access to it
     */
    public record Grant(String topic, Access access) {}

    /** The access to a topic. */
    public enum Access {
        /** Records may be read. */
        READ,
        /** Records may be written, and read. */
        WRITE
    }

    /** Missing grants default to none. */
    public AccountSpec {
        grants = grants == null ? List.of() : List.copyOf(grants);
    }
}
