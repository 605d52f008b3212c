package dev.evenkeel.soak.torture;

import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Something that is done to a server, or to etcd, in a round. */
enum Fault {
    /** SIGKILL. */
    KILL(3),
    /** SIGKILL, and the files become what a loss of power may leave of them. */
    POWER_LOSS(3),
    /** SIGSTOP, and SIGCONT later. */
    STOP(1),
    /** No space is left on the device, for a moment; requires a {@link SmallDisk}. */
    FULL_DISK(1),
    /** SIGKILL of a member of etcd. */
    KILL_MEMBER(3),
    /** SIGSTOP of a member of etcd, and SIGCONT later. */
    STOP_MEMBER(1);

    /** The relative frequency. */
    private final int weight;

    Fault(int weight) {
        this.weight = weight;
    }

    static Fault choose(Random random, List<Fault> possible) {
        int choice =
                random.nextInt(possible.stream().mapToInt(fault -> fault.weight).sum());
        for (Fault fault : possible) {
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
