package dev.evenkeel.benchmarks;

/** A server under measurement, on loopback without TLS. */
interface Subject extends AutoCloseable {
    /** Where it listens. */
    int port();

    /** Stores {@link Bodies#configMap objects} with the names of these numbers, by the shortest way there is. */
    void fill(int from, int to);

    @Override
    void close();

    /** Which servers there are. */
    interface Kind {
        String name();

        /** Starts one that is empty. */
        Subject start() throws Exception;
    }
}
