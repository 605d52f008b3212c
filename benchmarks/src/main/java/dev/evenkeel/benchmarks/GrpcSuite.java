package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.grpc.GrpcServer;
import dev.evenkeel.protobuf.ProtobufType;
import dev.evenkeel.server.Server;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.LongSupplier;

/**
 * The gRPC resource service, compared with a bare echo of the same messages, which is the limit of gRPC in Java, and with the
 * Kubernetes API of the same engine.
 *
 * <p>All listen on loopback without TLS. Objects are {@link Tracks tracks}, with about 1 KB of data each.
 */
record GrpcSuite(ReportSection section) {
    private static final String ECHO = "gRPC echo";
    private static final String HTTP = "Kubernetes API";
    private static final int STORED = 1_000;
    private static final int LISTED = 10_000;
    private static final int WATCHES = 1_000;

    /** A client of one of the servers. */
    interface Client extends AutoCloseable {
        void read(int number) throws Exception;

        void write(int number, int version) throws Exception;

        /** Lists all tracks, and returns the size of the response in bytes. */
        long list() throws Exception;

        @Override
        void close() throws IOException;
    }

    /** The three servers, each with the same tracks. */
    private record Servers(Engine engine, GrpcServer grpc, Server http, EchoServer echo) implements AutoCloseable {
        static Servers start(int stored) throws Exception {
            Engine engine = Engine.builder()
                    .register(ProtobufType.of(Tracks.MESSAGE).build())
                    .build();
            GrpcServer grpc =
                    GrpcServer.builder(engine).authentication(false).tls(false).start();
            Server http =
                    Server.builder(engine).authentication(false).tls(false).start();
            try (GrpcClient client = new GrpcClient(grpc.port())) {
                for (int i = 0; i < stored; i++) {
                    client.write(i, 0);
                }
                EchoServer echo = new EchoServer(client.response(0), client.listResponse());
                return new Servers(engine, grpc, http, echo);
            }
        }

        Client ours() {
            return new GrpcClient(grpc.port());
        }

        Client bare() {
            return new GrpcClient(echo.port());
        }

        Client overHttp() throws Exception {
            return new HttpClient(new HttpConnection(http.url().getPort()));
        }

        @Override
        public void close() {
            grpc.close();
            http.close();
            echo.close();
            engine.close();
        }
    }

    /** A client of the Kubernetes API. */
    private record HttpClient(HttpConnection wire) implements Client {
        @Override
        public void read(int number) throws Exception {
            wire.call("GET", Tracks.path(number), StoredObjects.NONE, 200);
        }

        @Override
        public void write(int number, int version) throws Exception {
            wire.call("PATCH", Tracks.path(number), Tracks.patch(number, version), 200);
        }

        @Override
        public long list() throws Exception {
            wire.call("GET", Tracks.COLLECTION, StoredObjects.NONE, 200);
            return wire.bodyBytes();
        }

        @Override
        public void close() throws IOException {
            wire.close();
        }
    }

    @FunctionalInterface
    private interface Call {
        void send(Client client, int number, int count) throws Exception;
    }

    void run() throws Exception {
        try (Servers servers = Servers.start(STORED)) {
            for (Callable<Client> connect :
                    List.<Callable<Client>>of(servers::ours, servers::bare, servers::overHttp)) {
                warm(connect);
            }
            for (int clients : new int[] {1, 16}) {
                String with = clients == 1 ? ", 1 client" : ", " + clients + " clients";
                rates("read of 1 KB" + with, servers, clients, (client, number, count) -> client.read(number));
                rates("write of 1 KB" + with, servers, clients, (client, number, count) -> client.write(number, count));
            }
            deliveries(servers);
        }
        try (Servers servers = Servers.start(LISTED)) {
            both(
                    "list of " + LISTED,
                    Unit.MILLISECONDS,
                    servers,
                    connect -> 1_000
                            / rate(
                                    connect,
                                    1,
                                    (client, number, count) ->
                                            ReportSection.check(client.list() > LISTED * 900L, "a list is whole")));
        }
    }

    /** Triggers the compilation that the first workloads would otherwise wait for: that of gRPC takes thousands of calls. */
    private static void warm(Callable<Client> connect) throws Exception {
        Load.concurrently(Thread.ofPlatform(), 8, number -> {
            try (Client client = connect.call()) {
                for (int i = 0; i < 4_000; i++) {
                    client.read(i * 8 % STORED + number);
                    client.write(i * 8 % STORED + number, i);
                }
            }
        });
    }

    @FunctionalInterface
    private interface Workload {
        double measure(Callable<Client> connect) throws Exception;
    }

    private void rates(String workload, Servers servers, int clients, Call call) throws Exception {
        both(workload, Unit.PER_SECOND, servers, connect -> rate(connect, clients, call));
    }

    private void both(String workload, Unit unit, Servers servers, Workload measure) throws Exception {
        double ours = measure.measure(servers::ours);
        both(workload, unit, ours, measure.measure(servers::bare), ECHO);
        both(workload, unit, ours, measure.measure(servers::overHttp), HTTP);
    }

    private void both(String workload, Unit unit, double ours, double theirs, String peer) {
        section.both(workload + ": " + peer, unit, ours, theirs, peer);
    }

    /** Returns the calls per second of all clients together; no two of them have the same track. */
    private double rate(Callable<Client> connect, int clients, Call call) throws Exception {
        DoubleAdder sum = new DoubleAdder();
        Load.concurrently(Thread.ofPlatform(), clients, number -> {
            try (Client client = connect.call()) {
                int most = STORED / clients * clients;
                sum.add(Load.perSecond(
                        section.length(), count -> call.send(client, (count * clients + number) % most, count + 1)));
            }
        });
        return sum.sum();
    }

    private void deliveries(Servers servers) throws Exception {
        String workload = WATCHES + " watches of updates";
        double ours;
        try (GrpcSwarm swarm = new GrpcSwarm(servers.grpc().port(), WATCHES)) {
            ours = deliveries(servers.ours(), swarm::events);
        }
        try (GrpcSwarm swarm = new GrpcSwarm(servers.echo().port(), WATCHES)) {
            double bare = deliveries(servers.bare(), swarm::events);
            both(workload, Unit.DELIVERIES_PER_SECOND, ours, bare, ECHO);
        }
        try (WatchSwarm swarm = new WatchSwarm(servers.http().url().getPort(), Tracks.COLLECTION, WATCHES)) {
            FanOut.await(swarm::messages, (long) STORED * WATCHES);
            LongSupplier after = () -> swarm.messages() - (long) STORED * WATCHES;
            both(workload, Unit.DELIVERIES_PER_SECOND, ours, deliveries(servers.overHttp(), after), HTTP);
        }
    }

    private double deliveries(Client writer, LongSupplier events) throws Exception {
        try (writer) {
            return FanOut.perSecond(
                    section.length(), WATCHES, events, count -> writer.write(count % STORED, (int) System.nanoTime()));
        }
    }
}
