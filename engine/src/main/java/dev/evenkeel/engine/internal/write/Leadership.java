package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.Fence;
import java.util.Optional;

/**
 * Decides whether the services of this engine act, or those of another engine on the same store.
 *
 * <p>Safe for use by many threads.
 */
public interface Leadership {
    /** The leadership of an engine whose store no other engine writes to. */
    Leadership ALONE = new Leadership() {
        @Override
        public boolean held() {
            return true;
        }

        @Override
        public Optional<Fence> fence() {
            return Optional.empty();
        }

        @Override
        public void lost(Fence fence) {}
    };

    /** Returns true if the services of this engine act. */
    boolean held();

    /**
     * Returns the fence of the services' writes; empty when they need none.
     *
     * @throws NotLeaderException when the services of this engine do not act
     */
    Optional<Fence> fence();

    /** Ends the leadership with a fence that does not hold any more. */
    void lost(Fence fence);

    /** Thrown to end the work of a service whose engine does not lead: another engine does that work. */
    final class NotLeaderException extends RuntimeException {
        /** Creates an exception. */
        public NotLeaderException() {
            super("this engine is not the leader", null, false, false);
        }
    }
}
