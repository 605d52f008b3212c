package dev.evenkeel.soak.torture;

import dev.evenkeel.store.etcd.LocalEtcd;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * All processes of a run.
 *
 * @param servers serve the same objects; several only on etcd
 * @param data the directory with the files of the server; unused on etcd
 * @param etcd the members of etcd, if the objects are there
 * @param possible the faults that can be caused
 */
record Scene(List<Server> servers, Path data, Optional<LocalEtcd> etcd, List<Fault> possible) {
    /** Returns some server. */
    Server any(Random random) {
        return servers.get(random.nextInt(servers.size()));
    }

    /** Fails when a server has ended by itself. */
    void requireAlive() {
        servers.forEach(server -> server.victim().requireAlive());
    }
}
