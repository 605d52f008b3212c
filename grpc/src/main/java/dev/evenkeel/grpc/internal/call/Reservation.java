package dev.evenkeel.grpc.internal.call;

import dev.evenkeel.access.internal.MemoryBudget;
import java.util.function.Supplier;

/**
 * The bytes that a call has taken from a budget. The first {@value #FREE} are not counted: calls are limited in number, and
 * so the senders of small ones need not be found out. Safe for all threads.
 */
final class Reservation {
    private static final int FREE = 16 * 1024;

    private final MemoryBudget budget;
    private final Supplier<String> findSender;
    private String sender = "";
    private long bytes;
    private long taken;

    Reservation(MemoryBudget budget, Supplier<String> findSender) {
        this.budget = budget;
        this.findSender = findSender;
    }

    /** Takes more bytes; returns false if too few are left. */
    synchronized boolean take(long more) {
        long counted = Math.max(0, bytes + more - FREE) - taken;
        if (counted > 0) {
            if (sender.isEmpty()) {
                sender = findSender.get();
            }
            if (!budget.take(sender, counted)) {
                return false;
            }
            taken += counted;
        }
        bytes += more;
        return true;
    }

    /** Returns all bytes to the budget. */
    synchronized void giveBack() {
        if (taken > 0) {
            budget.giveBack(sender, taken);
        }
        bytes = 0;
        taken = 0;
    }
}
