package dev.evenkeel.soak.torture;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What is counted over all rounds. */
final class Tally {
    /** How often a server was killed. */
    final AtomicInteger kills = new AtomicInteger();

    /** The number of acknowledged writes. */
    final AtomicLong acknowledged = new AtomicLong();

    /** How often a watch resumed. */
    final AtomicLong resumed = new AtomicLong();

    /** How often a watch could not resume, and listed again. */
    final AtomicLong expired = new AtomicLong();

    /** The number of values that were written, which makes each of them unique. */
    final AtomicLong values = new AtomicLong();
}
