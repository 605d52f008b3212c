package dev.evenkeel.cli;

import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.soak.Soak;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenkeel soak}. */
@Command(
        name = "soak",
        description = {
            "Runs two managers against a server for a long time, and verifies the final state.",
            "",
            "The server is a process of its own, with a history of about " + Soak.HISTORY_SECONDS
                    + " seconds. Objects are"
                    + " created, updated and deleted continuously, each write through the client of one of the managers,"
                    + " followed by a check of that manager's cache. Connections are broken, networks cut for longer"
                    + " than the history, and the leader's lease taken away.",
            "",
            "It fails if a cache was older than an own write, if a key ran twice at once, if finally a cache differs"
                    + " from the server or an object from its desired state, or if memory grows by 0.5 %%"
                    + " a minute or more.",
            ""
        })
final class SoakCommand extends BaseCommand {
    @Option(
            names = "--objects",
            paramLabel = "N",
            defaultValue = "100000",
            description = "number of objects (default: ${DEFAULT-VALUE})")
    private int objects;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = Durations.class,
            description = "duration, such as 90s, 10m or 8h (default: ${DEFAULT-VALUE})")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            description = "writes per second (default: ${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--seed", paramLabel = "N", description = "seed of writes and faults (default: random)")
    private long seed = System.nanoTime() & 0xffff_ffffL;

    @Option(names = "--verbose", description = "log the effects of faults")
    private boolean verbose;

    @Override
    public Integer call() throws InterruptedException {
        require(objects >= 100 && rate >= 1, "--objects must be 100 or more, and --rate 1 or more");
        require(duration.isPositive(), "--duration must be positive, such as 90s");
        Terminal terminal = Terminal.of(line().getOut());
        terminal.line("soak of " + objects + " objects for " + Durations.text(duration) + " at " + rate
                + " writes a second, --seed " + seed);
        if (!verbose) {
            Logs.off();
        }
        try (Lifetime lifetime = new Lifetime()) {
            lifetime.endBySignal();
            Path kubeconfig = Files.createTempDirectory("evenkeel-soak").resolve("kubeconfig");
            lifetime.keep(() -> Files.deleteIfExists(kubeconfig.getParent()));
            Process server = server(kubeconfig);
            lifetime.keep(() -> end(server));
            String text = Files.readString(kubeconfig);
            Connection direct = Connection.fromKubeconfig(kubeconfig);
            int port = direct.server().getPort();
            List<String> wrong = new Soak(new Soak.Settings(objects, duration, rate, seed), terminal::line)
                    .run(direct, port, other -> through(kubeconfig, text, port, other));
            if (!wrong.isEmpty()) {
                wrong.forEach(line -> terminal.line(terminal.style(Terminal.Style.BAD, line)));
                throw new Failure("the soak failed: " + wrong.getFirst() + "; repeat it with --seed " + seed);
            }
            terminal.line(terminal.style(Terminal.Style.GOOD, "all caches equal the server; no stale reads"));
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a connection to the server by another port. */
    private static Connection through(Path kubeconfig, String text, int port, int other) {
        Path file = kubeconfig.resolveSibling("kubeconfig-" + other);
        try {
            Files.writeString(file, text.replace(":" + port, ":" + other));
            try {
                return Connection.fromKubeconfig(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process server(Path kubeconfig) throws IOException {
        Process server = new ProcessBuilder(ServerCommand.process(
                        List.of("-XX:+UseParallelGC", "-Xmx" + (512 + objects / 100) + "m"),
                        "--plain-http",
                        "--history",
                        Integer.toString(Soak.HISTORY_SECONDS * rate),
                        "--kubeconfig",
                        kubeconfig.toString()))
                .redirectError(verbose ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.DISCARD)
                .start();
        // the server prints its address when it listens
        String address = server.inputReader(StandardCharsets.UTF_8).readLine();
        Failure.unless(address != null, "the server did not start");
        return server;
    }

    private static void end(Process server) throws InterruptedException {
        server.destroy();
        if (!server.waitFor(20, TimeUnit.SECONDS)) {
            server.destroyForcibly();
        }
    }
}
