package dev.evenkeel.soak.torture;

import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.soak.torture.History.Version;
import dev.evenkeel.store.etcd.LocalEtcd;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/**
 * {@linkplain Round Rounds} of writing, reading and watching, in each of which something is done to a server, or to etcd. After each
 * round all that clients saw is checked by {@link HistoryCheck}.
 */
public final class Torture {
    /**
     * The size of a run.
     *
     * @param kills end after so many
     * @param duration end after this time, if it comes first
     * @param writers number of clients that write
     * @param patience a round fails when a part of it takes longer: when the server does not accept a write again, a
     *     request is not answered, or a watch does not deliver
     * @param seed of the choices; the order of requests differs from run to run
     */
    public record Options(int kills, Duration duration, int writers, Duration patience, long seed) {}

    /**
     * The outcome of a run.
     *
     * @param kills how often the server was killed
     * @param acknowledged the number of acknowledged writes
     * @param resumed how often a watch resumed
     * @param expired how often it could not, and listed again
     * @param problems what was wrong; empty when nothing was
     */
    public record Outcome(int kills, long acknowledged, long resumed, long expired, List<String> problems) {}

    /**
     * The place of the objects, and the servers of them.
     *
     * @param commands of one server each, which keeps its kubeconfig in {@code kubeconfig-0} and so on of the directory of the
     *     run, its files if it has any in {@code data}, and prints {@code serving on} when it is ready
     * @param etcd the members of etcd, if the objects are there
     */
    public record Setting(List<List<String>> commands, Optional<LocalEtcd> etcd) {}

    private final Setting setting;
    private final Path directory;
    private final Options options;
    private final Consumer<String> progress;
    private final Random random;

    /**
     * Creates a run.
     *
     * @param directory an empty directory; what is wrong is left behind here: the history of the round in
     *     {@code history.txt}, the files of the server in {@code server}
     * @param progress receives a line for each round
     */
    public Torture(Setting setting, Path directory, Options options, Consumer<String> progress) {
        this.setting = setting;
        this.directory = directory;
        this.options = options;
        this.progress = progress;
        random = new Random(options.seed());
    }

    /** Runs until something is wrong, or the limits of the options are reached. */
    public Outcome run() throws InterruptedException {
        try (SmallDisk disk = SmallDisk.mount(directory.resolve("data"))) {
            List<Victim> victims = new ArrayList<>();
            try {
                for (int i = 0; i < setting.commands().size(); i++) {
                    victims.add(Victim.start(setting.commands().get(i), directory.resolve("kubeconfig-" + i)));
                }
                List<Server> servers = victims.stream()
                        .map(victim -> new Server(victim, options.patience().dividedBy(3)))
                        .toList();
                return run(new Scene(servers, directory.resolve("data"), setting.etcd(), possible(disk)));
            } finally {
                victims.forEach(Victim::close); // before their disk
            }
        }
    }

    private List<Fault> possible(SmallDisk disk) {
        if (setting.etcd().isPresent()) {
            return List.of(Fault.KILL, Fault.STOP, Fault.KILL_MEMBER, Fault.STOP_MEMBER);
        }
        return disk.small()
                ? List.of(Fault.KILL, Fault.POWER_LOSS, Fault.STOP, Fault.FULL_DISK)
                : List.of(Fault.KILL, Fault.POWER_LOSS, Fault.STOP);
    }

    private Outcome run(Scene scene) throws InterruptedException {
        long deadline = System.nanoTime() + options.duration().toNanos();
        Tally tally = new Tally();
        List<String> problems = List.of();
        History history = begin(scene.servers().getFirst().victim());
        for (int round = 1; tally.kills.get() < options.kills() && System.nanoTime() < deadline; round++) {
            Fault fault = Fault.choose(random, scene.possible());
            Round current = new Round(scene, options, tally, history, random);
            problems = current.run(fault);
            if (!problems.isEmpty()) {
                for (Server server : scene.servers()) {
                    server.victim().kill();
                }
                leave(history, problems);
                break;
            }
            history = current.next();
            progress.accept(String.format(
                    "round %d, %s: %d kills, %,d acknowledged writes, %,d watches resumed",
                    round, fault, tally.kills.get(), tally.acknowledged.get(), tally.resumed.get()));
        }
        return new Outcome(
                tally.kills.get(), tally.acknowledged.get(), tally.resumed.get(), tally.expired.get(), problems);
    }

    private static History begin(Victim victim) {
        try (KubernetesClient client = KubernetesClient.connect(victim.connection())) {
            Listing<ConfigMap> start = client.list(Contents.MAPS, ListOptions.in(Contents.NAMESPACE));
            Map<String, Version> state = Contents.versions(start);
            return new History(Long.parseLong(start.resourceVersion()), state);
        }
    }

    private void leave(History history, List<String> problems) {
        List<String> lines = new ArrayList<>(problems);
        lines.add("seed " + options.seed());
        lines.addAll(history.lines());
        try {
            Files.write(directory.resolve("history.txt"), lines);
            Path copy = Files.createDirectories(directory.resolve("server"));
            try (var files = Files.list(directory.resolve("data"))) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
