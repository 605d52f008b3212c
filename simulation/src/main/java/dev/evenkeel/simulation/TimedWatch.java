package dev.evenkeel.simulation;

import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** A watch that reports in advance when its next event arrives, so that it need not be polled. */
interface TimedWatch<T extends HasMetadata> extends Watch<T> {
    /** The time of the next event in nanoseconds; {@link Long#MAX_VALUE} if none is on its way. */
    long nextDue();

    /** Calls this whenever {@link #nextDue} may have changed. */
    void listen(Runnable listener);
}
