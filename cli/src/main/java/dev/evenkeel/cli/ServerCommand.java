package dev.evenkeel.cli;

import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.HttpAdmissionCaller;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import dev.evenkeel.grpc.GrpcServer;
import dev.evenkeel.server.Server;
import dev.evenkeel.store.sqlite.Durability;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkeel server}. */
@Command(
        name = "server",
        description = {
            "Serves an engine until SIGTERM or Ctrl-C. Its objects are lost then, unless --data or --etcd says where to",
            "keep them. Servers with the same etcd serve the same objects.",
            "It is ready when the kubeconfig exists, which contains its address, certificate and a random token."
        })
final class ServerCommand extends BaseCommand {
    private static final Duration TYPES_INTERVAL = Duration.ofSeconds(1);

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "address to listen on (default: ${DEFAULT-VALUE}, this machine only)")
    private String bind = "";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "6443",
            description = "port to listen on; 0 selects a free one (default: ${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--grpc-port",
            paramLabel = "N",
            description = "serve the resource service over gRPC, too, on this port; 0 selects a free one")
    private @Nullable Integer grpcPort;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "evenkeel.kubeconfig",
            description = "kubeconfig to write; removed on exit (default: ${DEFAULT-VALUE})")
    private Path kubeconfig = Path.of("");

    @Option(names = "--plain-http", description = "disable TLS; only on loopback")
    private boolean plainHttp;

    @Option(names = "--insecure", description = "disable TLS and authentication; only on loopback")
    private boolean insecure;

    @Option(
            names = "--history",
            paramLabel = "N",
            defaultValue = "100000",
            description = "number of changes retained for resumed watches (default: ${DEFAULT-VALUE})")
    private int history;

    @Mixin
    private StoreOptions objects = new StoreOptions();

    @Option(
            names = "--durability",
            paramLabel = "LEVEL",
            defaultValue = "sync",
            description =
                    "what an acknowledged write to --data survives: sync, a loss of power; flush, the end of the process"
                            + " (default: ${DEFAULT-VALUE})")
    private Durability durability = Durability.SYNC;

    @Option(
            names = "--types",
            paramLabel = "FILE",
            description = {
                "descriptor set with types to serve, as protoc --include_imports --include_source_info",
                "--descriptor_set_out=FILE writes; repeatable; read again when it changes"
            })
    private List<Path> types = List.of();

    @Option(
            names = "--api-services-anywhere",
            description = "forward requests to servers of API services on other machines, too")
    private boolean apiServicesAnywhere;

    @Option(
            names = "--proxy-client-cert-file",
            paramLabel = "FILE",
            description = "certificate by which this server authenticates itself to servers of API services, in PEM")
    private @Nullable Path proxyCertificate;

    @Option(names = "--proxy-client-key-file", paramLabel = "FILE", description = "its key, in PEM")
    private @Nullable Path proxyKey;

    @Mixin
    private AccessOptions access = new AccessOptions();

    @Mixin
    private AdmissionOptions admission = new AdmissionOptions();

    @Mixin
    private AuditOptions audit = new AuditOptions();

    /** Returns the command line of a server on a free port in a process of its own, with the class path of this one. */
    static List<String> process(List<String> jvmOptions, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Evenkeel.class.getName()));
        command.addAll(List.of("server", "--port", "0"));
        command.addAll(List.of(arguments));
        return command;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        CarrierThreads.provide();
        require(
                (proxyCertificate == null) == (proxyKey == null),
                "--proxy-client-cert-file and --proxy-client-key-file need each other");
        require(history >= 0, "--history must be 0 or more: " + history);
        MemoryStore.Window window = new MemoryStore.Window(history, MemoryStore.Window.DEFAULT.age());
        Optional<Store.Factory> store = objects.find(window, durability);
        PrintWriter out = line().getOut();
        try (Lifetime lifetime = new Lifetime()) {
            KubeconfigFile file = lifetime.keep(KubeconfigFile.claim(kubeconfig));
            Engine.Builder builder =
                    Engine.builder().webhooks(HttpAdmissionCaller.loopback()).window(window);
            store.ifPresent(builder::store);
            if (!types.isEmpty()) {
                builder.register(
                        lifetime.keep(new TypeFiles(types, TYPES_INTERVAL, out)).source());
            }
            Engine engine = lifetime.keep(admission
                    .configure(builder)
                    .authorization(access.authorization())
                    .build());
            Server.Builder settings = Server.builder(engine)
                    .host(bind)
                    .port(port)
                    .apiServicesAnywhere(apiServicesAnywhere)
                    .authentication(!insecure)
                    .tls(!insecure && !plainHttp);
            if (proxyCertificate != null && proxyKey != null) {
                settings.proxyClientCertificate(
                        ServerCertificate.of(Files.readString(proxyCertificate), Files.readString(proxyKey)));
            }
            Server server =
                    lifetime.keep(access.configure(audit.configure(settings)).start());
            Optional<GrpcServer> grpc = grpc(engine, server).map(lifetime::keep);
            lifetime.endBySignal();
            file.write(server.kubeconfig());
            out.println("serving on " + server.url() + ", kubeconfig in " + file.path());
            grpc.ifPresent(service ->
                    out.println("gRPC on " + service.target() + ", with the certificate and token of the kubeconfig"));
            out.println(
                    store.isEmpty()
                            ? "objects are in memory, and lost when this ends: --data DIR or --etcd URL keeps them"
                            : "objects are in " + objects + ", at revision "
                                    + engine.store().revision());
            out.flush();
            lifetime.awaitSignal();
        }
        return 0;
    }

    /** Starts the gRPC server, with the certificate and the users of the other one. */
    private Optional<GrpcServer> grpc(Engine engine, Server server) {
        if (grpcPort == null) {
            return Optional.empty();
        }
        GrpcServer.Builder settings = GrpcServer.builder(engine)
                .metrics(server.metrics())
                .host(bind)
                .port(grpcPort)
                .authentication(!insecure)
                .tls(!insecure && !plainHttp);
        if (!server.token().isEmpty()) {
            settings.token(server.token(), User.ADMIN);
        }
        server.certificate().ifPresent(settings::certificate);
        return Optional.of(access.configure(settings).start());
    }
}
