package dev.evenkeel.soak.torture;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The counters of all rounds. */
final class Tally {
    /** The number of kills of the server. */
    final AtomicInteger kills = new AtomicInteger();

    /** The number of acknowledged writes. */
    final AtomicLong acknowledged = new AtomicLong();

    /** The number of watches that resumed. */
    final AtomicLong resumed = new AtomicLong();

    /** The number of watches that could not resume, and listed again. */
    final AtomicLong expired = new AtomicLong();

    /** The number of values that were written, which makes each of them unique. */
    final AtomicLong values = new AtomicLong();
}
