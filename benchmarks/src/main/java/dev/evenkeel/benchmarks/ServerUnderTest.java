package dev.evenkeel.benchmarks;

/** A server under measurement, on loopback without TLS. */
interface ServerUnderTest extends AutoCloseable {
    int port();

    /** Stores {@link StoredObjects#configMap objects} with the names of these numbers, in the fastest possible way. */
    void fill(int from, int to);

    @Override
    void close();
}
