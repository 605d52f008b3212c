package dev.evenkeel.soak.torture;

import java.util.Locale;
import java.util.Random;

/** Something that is done to the server in a round. */
enum Fault {
    /** SIGKILL. */
    KILL(3),
    /** SIGKILL, and the files become what a loss of power may leave of them. */
    POWER_LOSS(3),
    /** SIGSTOP, and SIGCONT later. */
    STOP(1),
    /** No space is left on the device, for a moment; requires a {@link SmallDisk}. */
    FULL_DISK(1);

    /** The relative frequency. */
    private final int weight;

    Fault(int weight) {
        this.weight = weight;
    }

    static Fault choose(Random random, boolean smallDisk) {
        int choice = random.nextInt(smallDisk ? 8 : 7);
        for (Fault fault : values()) {
            choice -= fault.weight;
            if (choice < 0) {
                return fault;
            }
        }
        throw new AssertionError(choice);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
