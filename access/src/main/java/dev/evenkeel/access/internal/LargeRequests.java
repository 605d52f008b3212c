package dev.evenkeel.access.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Processes large requests on platform threads, a few of each user at once.
 *
 * <p><b>Problem.</b> Each request has a virtual thread, and virtual threads do not take turns: one that parses a megabyte
 * occupies one of the few carrier threads until it blocks. A few such requests keep all others waiting for seconds. The
 * operating system lets platform threads take turns.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A virtual thread processes requests of less than {@value #LARGE} bytes only; it waits while a platform thread
 *       processes a larger one.
 *   <li>Of each user, at most twice as many as there are processors, and at least four, are processed at once; others wait.
 * </ol>
 *
 * <p>The limit is one of each user, not one of all: a request may wait for a webhook, and the webhook for a request of its
 * own to the same server. Requests on platform threads are processed where they are.
 *
 * <p><b>Cost.</b> Some microseconds for a large request. Threads end when they are idle, so that nothing has to be closed.
 */
public final class LargeRequests {
    /** The bytes of a request from which on it is large: those that are parsed in a fraction of a millisecond. */
    static final int LARGE = 16 * 1024;

    private static final int LEAST_LIMIT = 4;

    private final int limit;
    private final ExecutorService threads;
    private final Map<String, Usage> users = new HashMap<>();

    /** The requests of a user. */
    private static final class Usage {
        private final Semaphore permits;
        private int requests;

        Usage(int limit) {
            permits = new Semaphore(limit, true);
        }
    }

    private LargeRequests(String name, int limit) {
        this.limit = limit;
        threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                5,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name(name + "-", 0).factory());
    }

    /** Returns the large requests of a server, the threads of which have names that begin with a name. */
    public static LargeRequests of(String name) {
        return new LargeRequests(
                name, Math.max(LEAST_LIMIT, 2 * Runtime.getRuntime().availableProcessors()));
    }

    /**
     * Processes a request, and waits for its result.
     *
     * @param user who has sent it
     * @param bytes the size of the request, or the one that its answer may have
     */
    public <T> T process(String user, long bytes, Supplier<T> request) {
        if (bytes < LARGE || !Thread.currentThread().isVirtual()) {
            return request.get();
        }
        Usage usage = enter(user);
        usage.permits.acquireUninterruptibly();
        try {
            return await(threads.submit(request::get));
        } finally {
            usage.permits.release();
            leave(user, usage);
        }
    }

    private synchronized Usage enter(String user) {
        Usage usage = users.computeIfAbsent(user, name -> new Usage(limit));
        usage.requests++;
        return usage;
    }

    private synchronized void leave(String user, Usage usage) {
        if (--usage.requests == 0) {
            users.remove(user);
        }
    }

    private static <T> T await(Future<T> result) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw failure(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException failure(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(cause);
    }
}
