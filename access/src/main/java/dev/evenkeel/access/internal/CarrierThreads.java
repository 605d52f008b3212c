package dev.evenkeel.access.internal;

/**
 * The number of carrier threads, which run virtual threads: of a server it should be larger than the number of processors.
 *
 * <p>Virtual threads do not take turns, but the operating system lets carrier threads take turns. With one for each of two
 * processors, two TLS handshakes or two bodies that are decrypted keep all other requests waiting.
 */
public final class CarrierThreads {
    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";
    private static final int LEAST = 16;

    private CarrierThreads() {}

    /**
     * Sets the number, unless the user has set it. For programs: it has an effect only before the first virtual thread of
     * the process.
     */
    public static void provide() {
        int usual = Math.max(LEAST, 2 * Runtime.getRuntime().availableProcessors());
        System.getProperties().putIfAbsent(PARALLELISM, Integer.toString(usual));
    }
}
