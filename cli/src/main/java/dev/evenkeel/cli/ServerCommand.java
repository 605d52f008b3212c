package dev.evenkeel.cli;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.HttpAdmissionCaller;
import dev.evenkeel.engine.store.MemoryStore;
import dev.evenkeel.server.Server;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenkeel server}. */
@Command(
        name = "server",
        description = {
            "Serves an engine in memory until SIGTERM or Ctrl-C.",
            "It is ready when the kubeconfig exists, which contains its address, certificate and a random token."
        })
final class ServerCommand extends BaseCommand {
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

    @Override
    public Integer call() throws InterruptedException {
        require(history >= 0, "--history must be 0 or more: " + history);
        PrintWriter out = line().getOut();
        try (Lifetime lifetime = new Lifetime()) {
            KubeconfigFile file = lifetime.keep(KubeconfigFile.claim(kubeconfig));
            Engine engine = lifetime.keep(Engine.builder()
                    .webhooks(HttpAdmissionCaller.loopback())
                    .window(new MemoryStore.Window(history, MemoryStore.Window.DEFAULT.age()))
                    .build());
            Server server = lifetime.keep(Server.builder(engine)
                    .host(bind)
                    .port(port)
                    .authentication(!insecure)
                    .tls(!insecure && !plainHttp)
                    .start());
            file.write(server.kubeconfig());
            lifetime.endBySignal();
            out.println("serving on " + server.url() + ", kubeconfig in " + file.path());
            out.flush();
            lifetime.awaitSignal();
        }
        return 0;
    }
}
