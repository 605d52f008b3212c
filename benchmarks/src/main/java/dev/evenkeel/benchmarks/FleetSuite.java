package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.FleetModel.Fleet;
import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.store.etcd.LocalEtcd;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * API servers that share one etcd, each in a process of its own: a {@link FleetModel} gets its costs from one and two
 * servers, and its predictions are compared with what two and three servers need.
 */
final class FleetSuite {
    private static final int OBJECTS = 1_000;
    private static final int MANY_WATCHES = 100;
    private static final String MODEL = "the model";

    private final ReportSection section;
    private final String endpoint;
    private final ProcessHandle etcd;
    private final List<FleetServerProcess> servers = new ArrayList<>();

    private FleetSuite(ReportSection section, LocalEtcd etcd) {
        this.section = section;
        endpoint = etcd.endpoints()[0];
        this.etcd = ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("etcd"))
                .findFirst()
                .orElseThrow();
    }

    static void run(ReportSection section) throws Exception {
        if (!LocalEtcd.installed()) {
            section.elsewhere("servers on one etcd are not measured: it is not installed (Debian: etcd-server)");
            return;
        }
        var _ = StoreSuite.withDirectory(directory -> measured(section, directory));
    }

    private static boolean measured(ReportSection section, Path directory) throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start(directory, 1, "--quota-backend-bytes", "8000000000")) {
            FleetSuite suite = new FleetSuite(section, etcd);
            try {
                suite.measure();
            } finally {
                suite.servers.forEach(FleetServerProcess::close);
            }
        }
        return true;
    }

    private void measure() throws Exception {
        add();
        try (HttpConnection wire = new HttpConnection(servers.getFirst().port())) {
            for (int i = 0; i < OBJECTS; i++) {
                wire.call("POST", StoredObjects.COLLECTION, StoredObjects.configMap(i), 201);
            }
        }
        warmUp(servers.getFirst());
        double writes = section.quick() ? 200 : 300;
        int watches = section.quick() ? 60 : 120;
        FleetModel model = calibrate(writes, watches);
        for (int count = 2; count <= 3; count++) {
            warmUp(add());
            compare(model, new Fleet(count, writes, 0));
            compare(model, new Fleet(count, writes, watches));
            compare(model, new Fleet(count, writes / 2, watches));
        }
        for (int count : new int[] {1, 3, 10}) {
            section.ours(
                    String.format(
                            Locale.ROOT,
                            "fleet: %d servers of 4 processors, busy for 60 %%, %,d watches for each change",
                            count,
                            MANY_WATCHES),
                    Unit.PER_SECOND,
                    model.capacity(count, MANY_WATCHES, 4, 0.6));
        }
    }

    private FleetServerProcess add() throws IOException {
        FleetServerProcess server = new FleetServerProcess(endpoint);
        servers.add(server);
        return server;
    }

    /** Lets a server compile what it needs for requests and watches. */
    private void warmUp(FleetServerProcess server) throws Exception {
        try (WatchSwarm _ = new WatchSwarm(server.port(), StoredObjects.COLLECTION, 20)) {
            double _ = Load.perSecond(
                    server.port(),
                    FleetLoad.CLIENTS,
                    RunLength.FULL, // with less, the compiler of the server counts
                    (wire, client, count) ->
                            FleetLoad.update(wire, (count * FleetLoad.CLIENTS + client) % OBJECTS, count));
        }
    }

    /** Measures the unit costs: the first server is observed, a second one writes where the first should not. */
    private FleetModel calibrate(double writes, int watches) throws Exception {
        List<FleetServerProcess> one = List.of(servers.getFirst());
        FleetLoad.Observation idle = load(one, one, 0, 0, window());
        FleetLoad.Observation calm = load(one, one, 20, 0, window());
        FleetLoad.Observation alone = load(one, one, writes, 0, window());
        FleetServerProcess other = add();
        warmUp(other);
        FleetLoad.Observation changes = load(one, List.of(other), writes, 0, window());
        FleetLoad.Observation deliveries = load(one, List.of(other), writes, watches, window());
        servers.remove(other);
        other.close();
        double change = cost(changes.servers() - idle.servers(), writes);
        double etcdChange = Math.max(0, cost(changes.etcd() - alone.etcd(), writes));
        FleetModel.Server server = new FleetModel.Server(
                idle.servers(),
                cost(alone.servers() - idle.servers(), writes) - change,
                change,
                cost(deliveries.servers() - changes.servers(), writes * watches));
        FleetModel.Etcd shared =
                new FleetModel.Etcd(idle.etcd(), cost(alone.etcd() - idle.etcd(), writes) - etcdChange, etcdChange);
        section.ours("fleet: a server, each second without load", Unit.MILLISECONDS, server.idle());
        section.ours("fleet: a server, a write", Unit.MICROSECONDS, server.write());
        section.ours("fleet: a server, a change by any server", Unit.MICROSECONDS, server.change());
        section.ours("fleet: a server, a change sent to a watch", Unit.MICROSECONDS, server.delivery());
        section.ours("fleet: etcd, each second without load", Unit.MILLISECONDS, shared.idle());
        section.ours("fleet: etcd, a write", Unit.MICROSECONDS, shared.write());
        section.ours("fleet: etcd, a change sent to a server", Unit.MICROSECONDS, shared.change());
        section.ours("fleet: time of a write, 20 a second, p50", Unit.MILLISECONDS, calm.percentile(50));
        section.ours("fleet: time of a write, 20 a second, p99", Unit.MILLISECONDS, calm.percentile(99));
        return new FleetModel(server, shared, calm.percentile(99));
    }

    /** Returns the microseconds of each of so many, given milliseconds of all of them. */
    private static double cost(double millis, double count) {
        return millis / count * 1e3;
    }

    private void compare(FleetModel model, Fleet fleet) throws Exception {
        FleetLoad.Observation seen = load(servers, servers, fleet.writes(), fleet.watches(), window());
        String of = String.format(
                Locale.ROOT,
                ", %d servers, %.0f writes/s, %d watches",
                fleet.servers(),
                fleet.writes(),
                fleet.watches());
        section.both(
                "fleet: all servers, a second" + of, Unit.MILLISECONDS, seen.servers(), model.servers(fleet), MODEL);
        section.both("fleet: etcd, a second" + of, Unit.MILLISECONDS, seen.etcd(), model.etcd(fleet), MODEL);
        section.both(
                "fleet: time of a write, p99" + of,
                Unit.MILLISECONDS,
                seen.percentile(99),
                model.p99(fleet, Runtime.getRuntime().availableProcessors(), seen.clients()),
                MODEL);
    }

    private Duration window() {
        return seconds(section.quick() ? 4 : 20);
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }

    /** Observes servers, which have the watches, while clients of others write at a rate. */
    private FleetLoad.Observation load(
            List<FleetServerProcess> observed,
            List<FleetServerProcess> writers,
            double writes,
            int watches,
            Duration window)
            throws Exception {
        return new FleetLoad(observed, writers, etcd, OBJECTS, writes, watches).run(window);
    }
}
