package dev.evenkeel.server.internal.jetty;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.server.internal.http.Failures;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory for the bodies of all requests that are being processed.
 *
 * <p><b>Problem.</b> Each body is small compared with the heap; many at once are not, as an object takes more than ten times as much
 * while it is processed. So bytes are taken from the budget as they arrive, before they are kept, and returned after
 * the answer. A request for which nothing is left is answered with 429, which clients repeat.
 *
 * <p>One user gets at most half of the budget, so that others can be served meanwhile. Safe for all threads.
 */
public final class BodyBudget {
    private final long capacity;
    private final Map<String, Long> users = new HashMap<>();
    private long used;

    /** @param capacity the number of bytes */
    BodyBudget(long capacity) {
        this.capacity = capacity;
    }

    /** Returns the budget of a server with a maximum size of bodies: a small part of the heap. */
    public static BodyBudget of(long maxHeap, int maxBodyBytes) {
        return new BodyBudget(Math.max(maxHeap / 64, 2L * maxBodyBytes));
    }

    /**
     * Takes bytes for a user.
     *
     * @throws ApiException with 429 if too few are left
     */
    synchronized void take(String user, long bytes) {
        long own = users.getOrDefault(user, 0L) + bytes;
        if (used + bytes > capacity || own > capacity / 2) {
            throw Failures.tooManyRequests();
        }
        used += bytes;
        users.put(user, own);
    }

    /** Returns bytes that were taken for a user. */
    synchronized void giveBack(String user, long bytes) {
        used -= bytes;
        users.computeIfPresent(user, (name, own) -> own == bytes ? null : own - bytes);
    }

    synchronized long used() {
        return used;
    }
}
