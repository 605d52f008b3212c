package dev.evenkeel.controller.simulation;

import java.util.Optional;
import java.util.function.Function;

/** Something that must hold. */
public interface Invariant {
    /** When it must. */
    enum Moment {
        /** After each step. */
        ALWAYS,
        /** When all has converged. */
        AT_THE_END
    }

    /** For people. */
    String name();

    /** When it must hold. */
    Moment moment();

    /** What is seen that must not be; empty when nothing is. Looks only: it must change nothing. */
    Optional<String> check(SimulationView view);

    /** One that must hold after each step. */
    static Invariant always(String name, Function<SimulationView, Optional<String>> check) {
        return new Checked(name, Moment.ALWAYS, check);
    }

    /** One that must hold when all has converged. */
    static Invariant atTheEnd(String name, Function<SimulationView, Optional<String>> check) {
        return new Checked(name, Moment.AT_THE_END, check);
    }

    /** A function with a name. */
    record Checked(String name, Moment moment, Function<SimulationView, Optional<String>> function)
            implements Invariant {
        @Override
        public Optional<String> check(SimulationView view) {
            return function.apply(view);
        }
    }
}
