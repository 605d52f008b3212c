package dev.evenkeel.load.internal.run;

import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Pattern;
import dev.evenkeel.load.WorldState;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.random.RandomGenerator;

/** The operations of several cycles of a pattern. A cycle is begun when all operations of the one before were taken. */
final class Cycles implements Iterator<Operation> {
    private final Pattern pattern;
    private final WorldState state;
    private final RandomGenerator random;
    private Iterator<Operation> cycle = Collections.emptyIterator();
    private int cycles;
    private int begun;
    private long operations;

    Cycles(Pattern pattern, WorldState state, RandomGenerator random, int cycles, long operations) {
        this.pattern = pattern;
        this.state = state;
        this.random = random;
        this.cycles = cycles;
        this.operations = operations;
    }

    /** Returns the number of cycles whose operations were all taken. */
    int taken() {
        return begun - (cycle.hasNext() ? 1 : 0);
    }

    @Override
    public boolean hasNext() {
        while (operations > 0 && !cycle.hasNext() && cycles > 0) {
            cycles--;
            begun++;
            cycle = pattern.cycle(state, random);
            if (!cycle.hasNext()) {
                // it would never have any
                cycles = 0;
            }
        }
        return operations > 0 && cycle.hasNext();
    }

    @Override
    public Operation next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        operations--;
        return cycle.next();
    }
}
