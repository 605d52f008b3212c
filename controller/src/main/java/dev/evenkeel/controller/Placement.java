package dev.evenkeel.controller;

/** Where a controller works, when several processes run it. */
public sealed interface Placement {
    /** Slots of {@link #sharded()}. */
    int SLOTS = 32;

    /** In one process: that which holds the controller's lease. The others keep their caches and queues warm. */
    record Leader() implements Placement {}

    /** In each process, for all keys. Fit for what belongs to the process itself; two of them would fight over objects. */
    record EveryServer() implements Placement {}

    /**
     * In all of them, each key in one: keys are spread over slots, and each slot is held by one live process.
     *
     * @param slots how many; the same in all processes, and a good deal more than there will be processes
     */
    record Sharded(int slots) implements Placement {
        /** Refuses numbers that make no sense. */
        public Sharded {
            if (slots < 1 || slots > 1024) {
                throw new IllegalArgumentException("slots must be from 1 to 1024, and are " + slots);
            }
        }
    }

    /** In the process that holds the controller's lease. */
    static Placement leader() {
        return new Leader();
    }

    /** In each process, for all keys. */
    static Placement everyServer() {
        return new EveryServer();
    }

    /** In all processes, each key in one, over {@value #SLOTS} slots. */
    static Placement sharded() {
        return new Sharded(SLOTS);
    }

    /** In all processes, each key in one, over this many slots. */
    static Placement sharded(int slots) {
        return new Sharded(slots);
    }
}
