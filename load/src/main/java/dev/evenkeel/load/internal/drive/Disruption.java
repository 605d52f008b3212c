package dev.evenkeel.load.internal.drive;

import dev.evenkeel.load.LoadException;
import java.time.Duration;

/** Disturbs the connection of the controller to the API. */
public interface Disruption {
    /** For controllers whose connection is not known. */
    Disruption NONE = new Disruption() {
        @Override
        public void cutWatches() {
            throw new LoadException("watches can't be cut: the controller is not behind the proxy");
        }

        @Override
        public void outage(Duration duration) {
            throw new LoadException("the API can't be made unreachable: the controller is not behind the proxy");
        }
    };

    /** Ends all watches. */
    void cutWatches();

    /**
     * Makes the API unreachable for a time, and returns after it.
     *
     * @throws InterruptedException when interrupted while it waits
     */
    void outage(Duration duration) throws InterruptedException;
}
