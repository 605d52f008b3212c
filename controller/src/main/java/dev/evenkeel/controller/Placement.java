package dev.evenkeel.controller;

/** The processes in which a controller is active, when several run it. */
public sealed interface Placement {
    /** The number of slots of {@link #sharded()}. */
    int SLOTS = 32;

    /** One process: the holder of the controller's lease. The other processes keep their caches warm. */
    record Leader() implements Placement {}

    /** Every process, for all keys. For controllers of process-local state; two of them would conflict over objects. */
    record EveryServer() implements Placement {}

    /**
     * Every process, each for a share of the keys: keys are spread over slots, and each slot is held by one live
     * process.
     *
     * @param slots number of slots; the same in all processes, and much larger than the number of processes
     */
    record Sharded(int slots) implements Placement {
        /** Refuses an invalid number of slots. */
        public Sharded {
            if (slots < 1 || slots > 1024) {
                throw new IllegalArgumentException("slots must be from 1 to 1024: " + slots);
            }
        }
    }

    /** Returns the placement on the process that holds the controller's lease. */
    static Placement leader() {
        return new Leader();
    }

    /** Returns the placement on every process, for all keys. */
    static Placement everyServer() {
        return new EveryServer();
    }

    /** Returns the placement on every process, each for a share of the keys, over {@value #SLOTS} slots. */
    static Placement sharded() {
        return new Sharded(SLOTS);
    }

    /** Returns the placement on every process, each for a share of the keys, over this many slots. */
    static Placement sharded(int slots) {
        return new Sharded(slots);
    }
}
