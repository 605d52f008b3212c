package dev.evenkeel.testing.internal.convergence;

import java.util.function.Supplier;

/**
 * A system outside of the cluster, of one run.
 *
 * @param system the system, as controllers use it
 * @param state returns its relevant state
 */
public record ExternalSystem<E>(E system, Supplier<Object> state) {
    String text() {
        return String.valueOf(state.get());
    }
}
