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
    private static final int CALM = 50;
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
        double writes = section.quick() ? 200 : 300;
        int watches = section.quick() ? 60 : 120;
        warmUp();
        FleetLoad.Observation calm = load(new Fleet(1, CALM, 0));
        List<Fleet> loads = List.of(
                new Fleet(1, writes / 3, 0),
                new Fleet(1, writes / 3, watches),
                new Fleet(1, writes, 0),
                new Fleet(1, writes, watches),
                new Fleet(2, writes, 0),
                new Fleet(2, writes, watches));
        List<FleetModel.Sample> samples = new ArrayList<>();
        for (Fleet fleet : loads) {
            FleetLoad.Observation seen = load(fleet);
            samples.add(new FleetModel.Sample(fleet, seen.servers(), seen.etcd()));
        }
        FleetModel model = FleetModel.of(samples, calm.percentile(99));
        show(model, calm);
        compare(model, new Fleet(2, writes / 2, 0));
        compare(model, new Fleet(2, writes / 2, watches));
        compare(model, new Fleet(3, writes, 0));
        compare(model, new Fleet(3, writes, watches));
        compare(model, new Fleet(3, writes / 2, watches));
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

    private void add() throws IOException {
        servers.add(new FleetServerProcess(endpoint));
    }

    /** Lets the newest server compile what it needs for requests and watches. */
    private void warmUp() throws Exception {
        int port = servers.getLast().port();
        try (WatchSwarm _ = new WatchSwarm(port, StoredObjects.COLLECTION, 20)) {
            for (int i = 0; i < (section.quick() ? 1 : 3); i++) {
                double _ = Load.perSecond(
                        port,
                        FleetLoad.CLIENTS,
                        RunLength.FULL, // with less, the compiler of the server counts
                        (wire, client, count) ->
                                FleetLoad.update(wire, (count * FleetLoad.CLIENTS + client) % OBJECTS, count));
            }
        }
    }

    private void show(FleetModel model, FleetLoad.Observation calm) {
        FleetModel.Server server = model.server();
        FleetModel.Etcd shared = model.etcd();
        section.ours("fleet: a server, each second with load", Unit.MILLISECONDS, server.base());
        section.ours("fleet: a server, a write", Unit.MICROSECONDS, server.write());
        section.ours("fleet: a server, a change by any server", Unit.MICROSECONDS, server.change());
        section.ours("fleet: a server, a change sent to a watch", Unit.MICROSECONDS, server.delivery());
        section.ours("fleet: etcd, each second with load", Unit.MILLISECONDS, shared.base());
        section.ours("fleet: etcd, a write", Unit.MICROSECONDS, shared.write());
        section.ours("fleet: etcd, a change sent to a server", Unit.MICROSECONDS, shared.change());
        String of = String.format(Locale.ROOT, "fleet: time of a write, %d a second, p", CALM);
        section.ours(of + 50, Unit.MILLISECONDS, calm.percentile(50));
        section.ours(of + 99, Unit.MILLISECONDS, calm.percentile(99));
    }

    private void compare(FleetModel model, Fleet fleet) throws Exception {
        FleetLoad.Observation seen = load(fleet);
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

    /** Observes a fleet, and starts the servers that it needs. */
    private FleetLoad.Observation load(Fleet fleet) throws Exception {
        while (servers.size() < fleet.servers()) {
            add();
            warmUp();
        }
        return new FleetLoad(servers, etcd, OBJECTS, fleet.writes(), fleet.watches())
                .run(Duration.ofSeconds(section.quick() ? 4 : 20));
    }
}
