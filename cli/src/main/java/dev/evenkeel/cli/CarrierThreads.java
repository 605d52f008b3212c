package dev.evenkeel.cli;

/**
 * The number of carrier threads, which run virtual threads: of a server it should be larger than the number of processors.
 *
 * <p>Virtual threads do not take turns, but the operating system lets carrier threads take turns. With one for each of two
 * processors, two TLS handshakes or two bodies that are decrypted keep all other requests waiting.
 */
final class CarrierThreads {
    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";
    private static final int LEAST = 16;

    private CarrierThreads() {}

    /**
     * Sets the number, unless the user has set it. It has an effect only before the first virtual thread of the process.
     */
    static void provide() {
        int usual = Math.max(LEAST, 2 * Runtime.getRuntime().availableProcessors());
        System.getProperties().putIfAbsent(PARALLELISM, Integer.toString(usual));
    }
}
