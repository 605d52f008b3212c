package dev.evenkeel.examples.stream;

import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** Creates a spec; missing grants default to none. */
    public AccountSpec(String broker, @Nullable List<Grant> grants) {
        this.broker = broker;
        this.grants = grants == null ? List.of() : List.copyOf(grants);
    }
}
