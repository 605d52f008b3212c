package dev.evenkeel.soak.torture;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.kubernetes.RetryPolicy;
import dev.evenkeel.soak.torture.History.Change;
import dev.evenkeel.soak.torture.History.Got;
import dev.evenkeel.soak.torture.History.Listed;
import dev.evenkeel.soak.torture.History.Version;
import dev.evenkeel.soak.torture.History.Watched;
import dev.evenkeel.soak.torture.History.Write;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
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
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Rounds of writing, reading and watching, in each of which something is done to the server. After each round all that
 * clients saw is checked by {@link HistoryCheck}.
 *
 * <p>A round begins at a revision at which no write is under way, and ends with a write that all watches see. Between them
 * the clients use the server as fast as it answers; when it is gone they wait until it is there again. Watches begin at the
 * first revision of the round and resume at the last one that they saw.
 */
public final class Torture {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final String NAMESPACE = "default";
    private static final String PREFIX = "torture-";
    private static final String LAST = PREFIX + "last";
    private static final int KEYS = 40;

    /** Something that is done to the server. */
    private enum Fault {
        KILL,
        POWER_LOSS,
        STOP,
        FULL_DISK
    }

    /**
     * The size of a run.
     *
     * @param kills end after so many
     * @param duration end after this time, if it comes first
     * @param writers number of clients that write
     * @param seed of the choices; the order of requests differs from run to run
     */
    public record Options(int kills, Duration duration, int writers, long seed) {}

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

    private final List<String> command;
    private final Path directory;
    private final Options options;
    private final Consumer<String> progress;
    private final Random random;
    private final AtomicLong values = new AtomicLong();
    private final AtomicLong resumed = new AtomicLong();
    private final AtomicLong expired = new AtomicLong();

    /**
     * Creates a run.
     *
     * @param command starts a server that keeps its objects in {@code data} and its kubeconfig in {@code kubeconfig} of the
     *     directory, and prints {@code serving on} when it is ready
     * @param directory an empty directory; what is wrong is left behind here
     * @param progress receives a line for each round
     */
    public Torture(List<String> command, Path directory, Options options, Consumer<String> progress) {
        this.command = command;
        this.directory = directory;
        this.options = options;
        this.progress = progress;
        random = new Random(options.seed());
    }

    /** Runs until something is wrong, or the limits of the options are reached. */
    public Outcome run() throws InterruptedException {
        long deadline = System.nanoTime() + options.duration().toNanos();
        int kills = 0;
        long acknowledged = 0;
        List<String> problems = List.of();
        try (SmallDisk disk = SmallDisk.mount(directory.resolve("data"));
                Victim victim = Victim.start(command, directory.resolve("kubeconfig"))) {
            Map<String, Version> state = new TreeMap<>();
            long revision;
            try (KubernetesClient client = client(victim)) {
                Listing<ConfigMap> start = client.list(MAPS, ListOptions.in(NAMESPACE));
                revision = Long.parseLong(start.resourceVersion());
                state.putAll(contents(start));
            }
            for (int round = 1; kills < options.kills() && System.nanoTime() < deadline; round++) {
                Fault fault = Fault.values()[random.nextInt(disk.small() ? 4 : 3)];
                Round current = new Round(victim, new History(revision, state));
                try {
                    current.run(fault);
                    problems = HistoryCheck.problems(current.history);
                } catch (IllegalStateException e) {
                    problems = List.of(String.valueOf(e.getMessage()));
                }
                kills += fault == Fault.KILL || fault == Fault.POWER_LOSS ? 1 : 0;
                acknowledged += current.history.acknowledged();
                if (!problems.isEmpty()) {
                    leave(current.history, problems);
                    break;
                }
                revision = current.end;
                state = current.state;
                progress.accept(String.format(
                        "round %d, %s: %d kills, %,d acknowledged writes, %,d watches resumed",
                        round,
                        fault.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '),
                        kills,
                        acknowledged,
                        resumed.get()));
            }
        }
        return new Outcome(kills, acknowledged, resumed.get(), expired.get(), problems);
    }

    private void leave(History history, List<String> problems) {
        List<String> lines = new ArrayList<>(problems);
        lines.add("seed " + options.seed());
        lines.addAll(history.lines());
        try {
            Files.write(directory.resolve("history.txt"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KubernetesClient client(Victim victim) {
        return KubernetesClient.builder(victim.connection())
                .retry(RetryPolicy.NONE)
                .requestTimeout(Duration.ofSeconds(20))
                .build();
    }

    private static Map<String, Version> contents(Listing<ConfigMap> listing) {
        Map<String, Version> contents = new TreeMap<>();
        for (ConfigMap map : listing.items()) {
            if (map.getMetadata().getName().startsWith(PREFIX)) {
                contents.put(map.getMetadata().getName(), version(map));
            }
        }
        return contents;
    }

    private static Version version(ConfigMap map) {
        return new Version(Long.parseLong(map.getMetadata().getResourceVersion()), value(map));
    }

    private static String value(ConfigMap map) {
        return String.valueOf(map.getData().get("value"));
    }

    private static ConfigMap map(String name, String value, long expected) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .withResourceVersion(expected == 0 ? null : Long.toString(expected))
                .endMetadata()
                .withData(Map.of("value", value, "fill", "x".repeat(100 + (int) (expected * 31 % 1_500))))
                .build();
    }

    /** One round. */
    private final class Round {
        private final Victim victim;
        private final History history;
        private final Gate gate = new Gate();
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile KubernetesClient client;
        private volatile long last = Long.MAX_VALUE;
        private long end;
        private Map<String, Version> state = Map.of();

        Round(Victim victim, History history) {
            this.victim = victim;
            this.history = history;
            client = client(victim);
        }

        void run(Fault fault) throws InterruptedException {
            List<Thread> users = new ArrayList<>();
            for (int i = 0; i < options.writers(); i++) {
                Random own = new Random(random.nextLong());
                users.add(start(() -> use(() -> write(own))));
            }
            users.add(start(() -> use(this::list)));
            users.add(start(() -> use(this::list)));
            List<Thread> watchers = List.of(start(this::watch), start(this::watch), start(this::watch));
            Thread.sleep(100 + random.nextInt(900));
            strike(fault);
            Thread.sleep(100 + random.nextInt(200));
            over.set(true);
            for (Thread user : users) {
                user.join();
            }
            finish();
            for (Thread watcher : watchers) {
                while (!watcher.join(Duration.ofMillis(20))) {
                    tick();
                }
            }
            client.close();
        }

        private Thread start(Runnable work) {
            return Thread.startVirtualThread(work);
        }

        private void strike(Fault fault) throws InterruptedException {
            if (fault == Fault.FULL_DISK) {
                Path ballast = SmallDisk.fill(directory.resolve("data"));
                Thread.sleep(200 + random.nextInt(500));
                SmallDisk.empty(ballast);
                return;
            }
            if (fault == Fault.STOP) {
                victim.signal("STOP");
                Thread.sleep(200 + random.nextInt(1_000));
                victim.signal("CONT");
                return;
            }
            gate.close();
            victim.kill();
            gate.awaitEmpty();
            if (fault == Fault.POWER_LOSS) {
                new PowerLoss(directory.resolve("data")).strike(seen(), random);
            }
            client.close();
            victim.restart();
            client = client(victim);
            gate.open();
        }

        private final AtomicLong watched = new AtomicLong();

        private long seen() {
            return Math.max(history.seen(), watched.get());
        }

        /** Uses the server again and again, while the gate is open. */
        private void use(Runnable operation) {
            while (!over.get()) {
                gate.enter();
                try {
                    operation.run();
                } catch (RuntimeException e) {
                    pause(); // gone, too busy, or an answer that was cut off
                } finally {
                    gate.leave();
                }
            }
        }

        private void pause() {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void write(Random own) {
            String name = PREFIX + own.nextInt(KEYS);
            KubernetesClient client = this.client;
            long begin = System.nanoTime();
            Optional<ConfigMap> found = client.find(MAPS, ObjectKey.of(NAMESPACE, name));
            Version version = found.map(Torture::version).orElse(new Version(0, ""));
            history.add(new Got(begin, System.nanoTime(), name, version));
            boolean delete = version.revision() > 0 && own.nextInt(5) == 0;
            String value = delete ? "" : "v" + values.incrementAndGet();
            long revision = History.UNKNOWN;
            long before = System.nanoTime();
            boolean refused = false;
            try {
                if (delete) {
                    client.delete(
                            MAPS,
                            ObjectKey.of(NAMESPACE, name),
                            DeleteOptions.DEFAULT.resourceVersion(Long.toString(version.revision())));
                    revision = History.NOT_TOLD;
                } else {
                    ConfigMap wanted = map(name, value, version.revision());
                    ConfigMap made = version.revision() == 0
                            ? client.create(MAPS, wanted, WriteOptions.DEFAULT)
                            : client.update(MAPS, wanted, WriteOptions.DEFAULT);
                    revision = version(made).revision();
                }
            } catch (ConflictException | AlreadyExistsException | NotFoundException e) {
                refused = true; // another one won
            } finally {
                if (!refused) {
                    record(before, name, version.revision(), value, revision);
                }
            }
        }

        private void record(long begin, String name, long expected, String value, long revision) {
            history.add(new Write(begin, System.nanoTime(), name, expected, value, revision));
        }

        private void list() {
            KubernetesClient client = this.client;
            long begin = System.nanoTime();
            Listing<ConfigMap> listing = client.list(MAPS, ListOptions.in(NAMESPACE));
            history.add(
                    new Listed(begin, System.nanoTime(), Long.parseLong(listing.resourceVersion()), contents(listing)));
        }

        /** Watches from the first revision of the round to its last, across all that happens. */
        private void watch() {
            List<Change> changes = new ArrayList<>();
            long after = history.base();
            long at = after;
            boolean first = true;
            while (at < last) {
                gate.enter();
                try {
                    Watch<ConfigMap> watch =
                            client.watch(MAPS, ListOptions.in(NAMESPACE).resourceVersion(Long.toString(at)));
                    if (!first) {
                        resumed.incrementAndGet();
                    }
                    first = false;
                    at = follow(watch, at, changes);
                } catch (ExpiredException e) {
                    expired.incrementAndGet();
                    history.add(new Watched(after, at, changes));
                    changes = new ArrayList<>();
                    after = Long.parseLong(
                            client.list(MAPS, ListOptions.in(NAMESPACE)).resourceVersion());
                    at = after;
                } catch (RuntimeException e) {
                    pause();
                } finally {
                    gate.leave();
                }
            }
            history.add(new Watched(after, last, changes));
        }

        private long follow(Watch<ConfigMap> watch, long from, List<Change> changes) {
            long at = from;
            try (watch) {
                while (at < last) {
                    Optional<Watch.Event<ConfigMap>> next = watch.next();
                    if (next.isEmpty()) {
                        break;
                    }
                    Watch.Event<ConfigMap> event = next.get();
                    long revision = Long.parseLong(event.resourceVersion());
                    at = Math.max(at, revision);
                    watched.accumulateAndGet(revision, Math::max);
                    String name = event.type() == Watch.Type.BOOKMARK
                            ? ""
                            : event.object().getMetadata().getName();
                    if (name.startsWith(PREFIX)) {
                        boolean gone = event.type() == Watch.Type.DELETED;
                        String value = gone ? "" : value(event.object());
                        changes.add(new Change(name, new Version(revision, value)));
                    }
                }
            } catch (ExpiredException e) {
                throw e;
            } catch (RuntimeException e) {
                // broken: resume
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return at;
        }

        /** Writes something, which wakes watches that saw the last write before they knew that it was the last. */
        private void tick() {
            try {
                ConfigMap tick = map("tick-" + values.incrementAndGet(), "tick", 0);
                client.create(MAPS, tick, WriteOptions.DEFAULT);
                client.delete(MAPS, ObjectKey.of(tick), DeleteOptions.DEFAULT);
            } catch (RuntimeException e) {
                pause();
            }
        }

        /** Writes what all watches wait for, and reads the state for the next round. */
        private void finish() throws InterruptedException {
            while (true) {
                try {
                    Optional<ConfigMap> found = client.find(MAPS, ObjectKey.of(NAMESPACE, LAST));
                    long expected = found.map(map -> version(map).revision()).orElse(0L);
                    String value = "v" + values.incrementAndGet();
                    long begin = System.nanoTime();
                    long revision = History.UNKNOWN;
                    try {
                        ConfigMap wanted = map(LAST, value, expected);
                        revision = version(
                                        expected == 0
                                                ? client.create(MAPS, wanted, WriteOptions.DEFAULT)
                                                : client.update(MAPS, wanted, WriteOptions.DEFAULT))
                                .revision();
                    } finally {
                        record(begin, LAST, expected, value, revision);
                    }
                    last = revision;
                    Listing<ConfigMap> listing = client.list(MAPS, ListOptions.in(NAMESPACE));
                    state = contents(listing);
                    end = Long.parseLong(listing.resourceVersion());
                    return;
                } catch (UncheckedIOException | ApiException e) {
                    Thread.sleep(50);
                }
            }
        }
    }

    /** Lets operations begin while it is open, and knows when none is under way. */
    private static final class Gate {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private boolean open = true;
        private int inside;

        void enter() {
            lock.lock();
            try {
                while (!open) {
                    changed.awaitUninterruptibly();
                }
                inside++;
            } finally {
                lock.unlock();
            }
        }

        void leave() {
            change(() -> inside--);
        }

        void close() {
            change(() -> open = false);
        }

        void open() {
            change(() -> open = true);
        }

        private void change(Runnable change) {
            lock.lock();
            try {
                change.run();
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void awaitEmpty() {
            lock.lock();
            try {
                while (inside > 0) {
                    changed.awaitUninterruptibly();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
