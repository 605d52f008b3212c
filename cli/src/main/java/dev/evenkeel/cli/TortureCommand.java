package dev.evenkeel.cli;

import dev.evenkeel.soak.torture.Torture;
import dev.evenkeel.store.etcd.LocalEtcd;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenkeel torture}. */
@Command(
        name = "torture",
        description = {
            "Kills a server under load, again and again, and checks that no acknowledged write is lost.",
            "",
            "The server is a process of its own, with a store in files. Clients write, list and watch over HTTP as fast as it"
                    + " answers. In each round the server is killed; or killed, and its files changed as a loss of power"
                    + " may leave them; or stopped for a second; or, where a small file system can be mounted, its disk is"
                    + " full for a moment. With --store etcd two servers share an etcd of three members, which is started"
                    + " for this; a server or a member is killed or stopped. Then everything that the clients saw is checked: writes, that each won alone and"
                    + " is there; reads, that each shows a state that existed at the time; watches, that each resumed"
                    + " where it was interrupted, without a gap or a duplicate.",
            "",
            "It fails when anything is wrong, and leaves the history of the round and the files of the server behind.",
            ""
        })
final class TortureCommand extends BaseCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Option(
            names = "--store",
            paramLabel = "STORE",
            defaultValue = "sqlite",
            description = "the store: sqlite or etcd (default: ${DEFAULT-VALUE})")
    private String store = "";

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "1000",
            description = "end after this number of kills (default: ${DEFAULT-VALUE})")
    private int kills;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "60",
            description = "end after this time, if it comes first (default: ${DEFAULT-VALUE})")
    private int minutes;

    @Option(
            names = "--writers",
            paramLabel = "N",
            defaultValue = "16",
            description = "number of clients that write (default: ${DEFAULT-VALUE})")
    private int writers;

    @Option(names = "--seed", paramLabel = "N", description = "seed of the choices (default: random)")
    private long seed = System.nanoTime() & 0xffff_ffffL;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description =
                    "an empty directory for all files (default: a temporary one, deleted unless something is wrong)")
    private @Nullable Path directory;

    @Override
    public Integer call() throws IOException, InterruptedException {
        require(store.equals("sqlite") || store.equals("etcd"), "--store must be sqlite or etcd: " + store);
        require(
                store.equals("sqlite") || LocalEtcd.installed(),
                "--store etcd needs the program etcd: install it, on Debian by `apt-get install etcd-server`");
        require(kills > 0 && minutes > 0 && writers > 0, "--kills, --minutes and --writers must be 1 or more");
        Path files = directory == null ? Files.createTempDirectory("torture") : Files.createDirectories(directory);
        PrintWriter out = line().getOut();
        out.println("seed " + seed + ", files in " + files);
        Torture.Options options = new Torture.Options(kills, Duration.ofMinutes(minutes), writers, PATIENCE, seed);
        Torture.Outcome outcome = run(files, options, text -> {
            out.println(text);
            out.flush();
        });
        outcome.problems().stream().limit(20).forEach(problem -> out.println("wrong: " + problem));
        out.printf(
                "%d kills, %,d acknowledged writes, %d lost, %,d watches resumed, %,d with 410%n",
                outcome.kills(),
                outcome.acknowledged(),
                outcome.problems().stream()
                        .filter(problem -> problem.startsWith("lost"))
                        .count(),
                outcome.resumed(),
                outcome.expired());
        if (!outcome.problems().isEmpty()) {
            out.println("the history is in " + files.resolve("history.txt"));
        } else if (directory == null) {
            delete(files);
        }
        out.flush();
        return outcome.problems().isEmpty() ? 0 : 1;
    }

    private Torture.Outcome run(Path files, Torture.Options options, Consumer<String> progress)
            throws InterruptedException {
        if (store.equals("sqlite")) {
            List<String> server =
                    server(files, 0, "--data", files.resolve("data").toString());
            Torture.Setting setting = new Torture.Setting(List.of(server), Optional.empty());
            return run(new Torture(setting, files, options, progress));
        }
        // snapshots, which members send to those that were down, as often as these rounds are short
        try (LocalEtcd etcd = LocalEtcd.start(files, 3, "--snapshot-count", "1000")) {
            String endpoints = String.join(",", etcd.endpoints());
            List<List<String>> servers = IntStream.range(0, 2)
                    .mapToObj(i -> server(files, i, "--etcd", endpoints))
                    .toList();
            return run(new Torture(new Torture.Setting(servers, Optional.of(etcd)), files, options, progress));
        }
    }

    /** Ends the server and its disk also on a signal. */
    private static Torture.Outcome run(Torture torture) throws InterruptedException {
        Thread runner = Thread.currentThread();
        CountDownLatch done = new CountDownLatch(1);
        try (Lifetime lifetime = new Lifetime()) {
            lifetime.keep(() -> {
                if (done.getCount() > 0) {
                    runner.interrupt();
                    done.await(10, TimeUnit.SECONDS);
                }
            });
            lifetime.endBySignal();
            try {
                return torture.run();
            } finally {
                done.countDown();
            }
        }
    }

    private static List<String> server(Path files, int number, String where, String there) {
        List<String> options = new ArrayList<>(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.equals("-XX:+UseCompactObjectHeaders") || option.startsWith("-XX:AOTCache="))
                .forEach(options::add); // the start-up cache
        return ServerCommand.process(
                options,
                "--insecure",
                "--history",
                "20000", // which fits on the small disk
                where,
                there,
                "--kubeconfig",
                files.resolve("kubeconfig-" + number).toString());
    }

    private static void delete(Path directory) throws IOException {
        try (var all = Files.walk(directory)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
