package dev.evenkeel.server;

import java.time.Duration;

/**
 * How much one client may ask of the server. All limits are on by default.
 *
 * @param maxBodyBytes size of a request body; more is answered with 413
 * @param maxHeaderBytes size of all request headers together; more is answered with 431
 * @param maxUrlBytes length of path and query; more is answered with 414
 * @param maxInFlight how many requests are worked on at once, watches aside; more are answered with 429
 * @param maxWatches how many watches are open at once; more are answered with 429
 * @param bodyTimeout how long a client may take to send its body
 * @param idleTimeout how long a connection may be silent between requests, or stall within one
 * @param writeTimeout how long a watch may fail to take what is sent to it before it is cut off
 * @param watchTimeout how long a watch lasts when the client does not say: between this and twice this
 * @param bookmarkInterval how often a watch that wants bookmarks gets one
 * @param stopTimeout how long {@link Server#close} waits for requests in flight
 */
public record ServerLimits(
        int maxBodyBytes,
        int maxHeaderBytes,
        int maxUrlBytes,
        int maxInFlight,
        int maxWatches,
        Duration bodyTimeout,
        Duration idleTimeout,
        Duration writeTimeout,
        Duration watchTimeout,
        Duration bookmarkInterval,
        Duration stopTimeout) {
    /** 3 MiB bodies, 32 KiB headers, 8 KiB URLs, 600 requests, 20,000 watches; watches of 30 to 60 minutes. */
    public static final ServerLimits DEFAULT = new ServerLimits(
            3 * 1024 * 1024,
            32 * 1024,
            8 * 1024,
            600,
            20_000,
            Duration.ofSeconds(34),
            Duration.ofSeconds(90),
            Duration.ofSeconds(30),
            Duration.ofMinutes(30),
            Duration.ofMinutes(1),
            Duration.ofSeconds(10));

    /** The same with this body size. */
    public ServerLimits withMaxBodyBytes(int value) {
        return new ServerLimits(
                value,
                maxHeaderBytes,
                maxUrlBytes,
                maxInFlight,
                maxWatches,
                bodyTimeout,
                idleTimeout,
                writeTimeout,
                watchTimeout,
                bookmarkInterval,
                stopTimeout);
    }

    /** The same with these bounds on what is worked on at once. */
    public ServerLimits withConcurrency(int requests, int watches) {
        return new ServerLimits(
                maxBodyBytes,
                maxHeaderBytes,
                maxUrlBytes,
                requests,
                watches,
                bodyTimeout,
                idleTimeout,
                writeTimeout,
                watchTimeout,
                bookmarkInterval,
                stopTimeout);
    }

    /** The same with these timeouts of connections. */
    public ServerLimits withTimeouts(Duration body, Duration idle, Duration write, Duration stop) {
        return new ServerLimits(
                maxBodyBytes,
                maxHeaderBytes,
                maxUrlBytes,
                maxInFlight,
                maxWatches,
                body,
                idle,
                write,
                watchTimeout,
                bookmarkInterval,
                stop);
    }

    /** The same with these rhythms of watches. */
    public ServerLimits withWatches(Duration timeout, Duration bookmarks) {
        return new ServerLimits(
                maxBodyBytes,
                maxHeaderBytes,
                maxUrlBytes,
                maxInFlight,
                maxWatches,
                bodyTimeout,
                idleTimeout,
                writeTimeout,
                timeout,
                bookmarks,
                stopTimeout);
    }
}
