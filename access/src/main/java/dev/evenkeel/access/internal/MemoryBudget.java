package dev.evenkeel.access.internal;

import java.util.HashMap;
import java.util.Map;

/**
 * The memory for the messages of all requests that are being processed.
 *
 * <p><b>Problem.</b> Each message is small compared with the heap; many at once are not, as an object takes more than ten times as
 * much while it is processed. So bytes are taken from the budget before they are kept, and returned after the answer. A request
 * for which nothing is left is refused in a way that lets clients repeat it.
 *
 * <p>One user gets at most half of the budget, so that others can be served meanwhile. Safe for all threads.
 */
public final class MemoryBudget {
    private final long capacity;
    private final Map<String, Long> users = new HashMap<>();
    private long used;

    /** @param capacity the number of bytes */
    MemoryBudget(long capacity) {
        this.capacity = capacity;
    }

    /** Returns a budget of a part of the heap of this process, at least two of the largest messages. */
    public static MemoryBudget ofHeap(int part, int maxMessageBytes) {
        return of(Runtime.getRuntime().maxMemory(), part, maxMessageBytes);
    }

    static MemoryBudget of(long maxHeap, int part, int maxMessageBytes) {
        return new MemoryBudget(Math.max(maxHeap / part, 2L * maxMessageBytes));
    }

    /** Takes bytes for a user; returns false if too few are left. */
    public synchronized boolean take(String user, long bytes) {
        long own = users.getOrDefault(user, 0L) + bytes;
        if (used + bytes > capacity || own > capacity / 2) {
            return false;
        }
        used += bytes;
        users.put(user, own);
        return true;
    }

    /** Returns bytes that were taken for a user. */
    public synchronized void giveBack(String user, long bytes) {
        used -= bytes;
        users.computeIfPresent(user, (name, own) -> own == bytes ? null : own - bytes);
    }

    synchronized long used() {
        return used;
    }
}
