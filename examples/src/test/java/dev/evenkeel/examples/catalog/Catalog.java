package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Client;

/** The bodies of tests need this of a catalogue, wherever it runs: in process or behind a server. */
interface Catalog {
    /** Returns a client of the partition of the catalogue. */
    Client client();

    /** Returns a client of the system partition, where genres are written. */
    Client system();

    /** Returns when a verification does not fail any more; after some time it fails the test. */
    void eventually(Runnable verification);
}
