package dev.evenkeel.controller.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A process from one start to its end. */
final class Incarnation {
    final SimulatedProcess process;
    final int number;
    final SplittableRandom random;
    final List<FaultyWatch<?>> watches = new ArrayList<>();

    @Nullable
    AutoCloseable running;

    private boolean dead;

    Incarnation(SimulatedProcess process, int number, SplittableRandom random) {
        this.process = process;
        this.number = number;
        this.random = random;
    }

    boolean dead() {
        return dead;
    }

    /** Ends it, and what it has open. */
    void die() {
        dead = true;
        List.copyOf(watches).forEach(FaultyWatch::close);
    }

    void requireAlive() {
        if (dead) {
            throw new Crashed(toString());
        }
    }

    @Override
    public String toString() {
        return process.name() + "#" + number;
    }
}
