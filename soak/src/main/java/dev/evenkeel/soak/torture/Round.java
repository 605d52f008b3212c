package dev.evenkeel.soak.torture;

import static dev.evenkeel.soak.torture.Contents.MAPS;
import static dev.evenkeel.soak.torture.Contents.NAMESPACE;
import static dev.evenkeel.soak.torture.Contents.PREFIX;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.soak.torture.History.Change;
import dev.evenkeel.soak.torture.History.Got;
import dev.evenkeel.soak.torture.History.Listed;
import dev.evenkeel.soak.torture.History.Version;
import dev.evenkeel.soak.torture.History.Watched;
import dev.evenkeel.soak.torture.History.Write;
import dev.evenkeel.store.etcd.LocalEtcd;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A time in which clients use one or more servers of the same objects, while something is done to one of them.
 *
 * <p>It begins at a revision at which no write is under way, and ends with a write that all watches see. Between them the
 * clients use the server as fast as it answers; when it is gone they wait until it is there again. Watches begin at the
 * first revision of the round and resume at the last one that they saw.
 *
 * <p>Nothing waits without a limit: a round whose server does not return, whose clients do not end or whose watches do not
 * deliver has a problem that names them.
 */
final class Round {
    private static final String LAST = PREFIX + "last";
    private static final int KEYS = 40;

    private final Scene scene;
    private final Torture.Options options;
    private final Tally tally;
    private final History history;
    private final Random random;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private volatile Fault fault = Fault.KILL;
    private volatile boolean over;
    private volatile boolean abandoned;
    private volatile long last = Long.MAX_VALUE;
    private long end;
    private Map<String, Version> state = Map.of();

    Round(Scene scene, Torture.Options options, Tally tally, History history, Random random) {
        this.scene = scene;
        this.options = options;
        this.tally = tally;
        this.history = history;
        this.random = random;
    }

    /** Returns the problems; none when all is as it should be. */
    List<String> run(Fault fault) throws InterruptedException {
        this.fault = fault;
        try {
            play(fault);
            problems.addAll(HistoryCheck.problems(history));
        } catch (RuntimeException e) {
            problems.add(e instanceof IllegalStateException ? e.getMessage() : Arrays.toString(trace(e)));
        } finally {
            abandoned = true;
            over = true;
            if (!problems.isEmpty()) {
                scene.servers().forEach(Server::abandon);
            }
            threads.forEach(Thread::interrupt);
        }
        tally.acknowledged.addAndGet(history.acknowledged());
        List<String> all = new ArrayList<>(problems);
        if (!all.isEmpty()) {
            all.add("in a round with " + fault);
        }
        return all;
    }

    private static Object[] trace(RuntimeException e) {
        List<Object> trace = new ArrayList<>(List.of(e));
        trace.addAll(Arrays.asList(e.getStackTrace()).subList(0, Math.min(5, e.getStackTrace().length)));
        return trace.toArray();
    }

    /** Returns the history of the next round, which begins where this one ended. */
    History next() {
        return new History(end, state, history.unanswered());
    }

    private void play(Fault fault) throws InterruptedException {
        List<Thread> users = new ArrayList<>();
        for (int i = 1; i <= options.writers(); i++) {
            Random own = new Random(random.nextLong());
            users.add(start("writer " + i, () -> use(own, client -> write(client, own))));
        }
        for (int i = 1; i <= 2; i++) {
            Random own = new Random(random.nextLong());
            users.add(start("reader " + i, () -> use(own, this::list)));
        }
        List<Thread> watching = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            Watcher watcher = new Watcher(new Random(random.nextLong()));
            watching.add(start("watch " + i, watcher::run));
        }
        Thread.sleep(100 + random.nextInt(900));
        strike(fault);
        Thread.sleep(100 + random.nextInt(200));
        over = true;
        await("clients have waited for answers", users, () -> {});
        finish();
        if (!problems.isEmpty()) {
            return;
        }
        await("watches did not deliver up to revision " + last, watching, this::tick);
    }

    private Thread start(String name, Runnable work) {
        Thread thread = Thread.ofVirtual().name(name).start(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                if (!abandoned) {
                    problems.add(name + " ended with " + e + " " + Arrays.toString(e.getStackTrace()));
                }
            }
        });
        threads.add(thread);
        return thread;
    }

    /** Waits for the end of threads, for the time of the options at most. */
    private void await(String hanging, List<Thread> awaited, Runnable meanwhile) throws InterruptedException {
        long deadline = System.nanoTime() + options.patience().toNanos();
        for (Thread thread : awaited) {
            while (!thread.join(Duration.ofMillis(20))) {
                scene.requireAlive();
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            hanging + " for " + patience() + ": " + String.join(", ", names(awaited)));
                }
                meanwhile.run();
            }
        }
    }

    /** Returns the limit of a wait, such as {@code 1m} or {@code 0.5s}. */
    private String patience() {
        return options.patience().toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static List<String> names(List<Thread> threads) {
        return threads.stream()
                .filter(Thread::isAlive)
                .map(thread -> thread.getName() + " in "
                        + Arrays.stream(thread.getStackTrace())
                                .filter(frame -> frame.getClassName().startsWith("dev.evenkeel."))
                                .map(StackTraceElement::getMethodName)
                                .findFirst()
                                .orElse("no method"))
                .toList();
    }

    private void strike(Fault fault) throws InterruptedException {
        Server server = scene.any(random);
        switch (fault) {
            case STOP -> {
                server.victim().signal("STOP");
                Thread.sleep(200 + random.nextInt(1_000));
                server.victim().signal("CONT");
            }
            case FULL_DISK -> {
                Path ballast = SmallDisk.fill(scene.data());
                Thread.sleep(200 + random.nextInt(500));
                SmallDisk.empty(ballast);
            }
            case KILL, POWER_LOSS -> kill(server, fault);
            case KILL_MEMBER -> {
                LocalEtcd etcd = scene.etcd().orElseThrow();
                int member = random.nextInt(etcd.endpoints().length);
                etcd.kill(member);
                tally.kills.incrementAndGet();
                Thread.sleep(random.nextInt(1_000));
                etcd.restart(member);
                etcd.await(member, options.patience());
            }
            case STOP_MEMBER -> {
                LocalEtcd etcd = scene.etcd().orElseThrow();
                int member = random.nextInt(etcd.endpoints().length);
                etcd.stop(member);
                Thread.sleep(200 + random.nextInt(3_000));
                etcd.resume(member);
                etcd.await(member, options.patience());
            }
        }
    }

    private void kill(Server server, Fault fault) throws InterruptedException {
        Victim victim = server.victim();
        server.gate().close();
        victim.kill();
        killed(server, fault);
        while (random.nextBoolean()) { // also while it reads its files
            victim.killWhileStarting(Duration.ofMillis(random.nextInt(1_500)));
            killed(server, fault);
        }
        victim.restart();
        server.reconnect();
        server.gate().open();
    }

    private void killed(Server server, Fault fault) throws InterruptedException {
        tally.kills.incrementAndGet();
        List<String> inside = server.gate().awaitEmpty(options.patience());
        if (!inside.isEmpty()) {
            throw new IllegalStateException("clients did not notice for " + patience() + " that the server was killed: "
                    + String.join(", ", inside));
        }
        if (fault == Fault.POWER_LOSS) {
            new PowerLoss(scene.data()).strike(history.known(), random);
        }
    }

    /** Uses the servers again and again, each while its gate is open. */
    private void use(Random own, Consumer<KubernetesClient> operation) {
        while (!over) {
            Server server = scene.any(own);
            server.gate().enter();
            try {
                operation.accept(server.client());
            } catch (ApiException e) {
                judge(e);
                pause(); // too busy, its disk is full, or etcd is not reached
            } catch (UncheckedIOException e) {
                pause(); // gone, or an answer that was cut off
            } finally {
                server.gate().leave();
            }
        }
    }

    private void judge(ApiException e) {
        if (e.code() == 500 && !abandoned) {
            problems.add("the server failed: " + e.getMessage());
        }
    }

    private void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads, which must work also while the disk is full. */
    private <T> T read(Supplier<T> operation) {
        try {
            return operation.get();
        } catch (ApiException | UncheckedIOException e) {
            if (fault == Fault.FULL_DISK && !abandoned) {
                problems.add("a read failed: " + e);
            }
            throw e;
        }
    }

    private void write(KubernetesClient client, Random own) {
        String name = PREFIX + own.nextInt(KEYS);
        long begin = System.nanoTime();
        Optional<ConfigMap> found = read(() -> client.find(MAPS, ObjectKey.of(NAMESPACE, name)));
        Version version = found.map(Contents::version).orElse(new Version(0, ""));
        history.add(new Got(begin, System.nanoTime(), name, version));
        boolean delete = version.revision() > 0 && own.nextInt(5) == 0;
        String value = delete ? "" : "v" + tally.values.incrementAndGet();
        long revision = History.UNKNOWN;
        long before = System.nanoTime();
        try {
            if (delete) {
                client.delete(
                        MAPS,
                        ObjectKey.of(NAMESPACE, name),
                        DeleteOptions.DEFAULT.resourceVersion(Long.toString(version.revision())));
                revision = History.NOT_TOLD;
            } else {
                revision = put(client, name, value, version.revision());
            }
        } catch (ConflictException | AlreadyExistsException | NotFoundException e) {
            revision = History.REFUSED; // another one won
        } finally {
            history.add(new Write(before, System.nanoTime(), name, version.revision(), value, revision));
        }
    }

    /** Writes a key that is at a revision; returns the next one. */
    private static long put(KubernetesClient client, String name, String value, long expected) {
        ConfigMap wanted = Contents.map(name, value, expected);
        ConfigMap made = expected == 0
                ? client.create(MAPS, wanted, WriteOptions.DEFAULT)
                : client.update(MAPS, wanted, WriteOptions.DEFAULT);
        return Contents.version(made).revision();
    }

    private Listing<ConfigMap> list(KubernetesClient client) {
        long begin = System.nanoTime();
        Listing<ConfigMap> listing = read(() -> client.list(MAPS, ListOptions.in(NAMESPACE)));
        long revision = Long.parseLong(listing.resourceVersion());
        history.add(new Listed(begin, System.nanoTime(), revision, Contents.versions(listing)));
        return listing;
    }

    /** Watches from the first revision of the round to its last, across all that happens. */
    private final class Watcher {
        private final Random own;
        private long after = history.base();
        private long at = after;
        private boolean expired;
        private List<Change> changes = new ArrayList<>();

        /** @param own chooses the server, whenever it begins to watch */
        Watcher(Random own) {
            this.own = own;
        }

        void run() {
            boolean first = true;
            while (at < last && !abandoned) {
                Server server = scene.any(own);
                server.gate().enter();
                try {
                    KubernetesClient client = server.client();
                    if (expired) {
                        listAgain(client);
                    }
                    Watch<ConfigMap> watch =
                            client.watch(MAPS, ListOptions.in(NAMESPACE).resourceVersion(Long.toString(at)));
                    if (!first) {
                        tally.resumed.incrementAndGet();
                    }
                    first = false;
                    follow(watch);
                } catch (ExpiredException e) {
                    tally.expired.incrementAndGet();
                    expired = true;
                } catch (ApiException | UncheckedIOException e) {
                    pause(); // broken: resume
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                } finally {
                    server.gate().leave();
                }
            }
            history.add(new Watched(after, Math.min(at, last), changes));
        }

        private void listAgain(KubernetesClient client) {
            long next = Long.parseLong(list(client).resourceVersion());
            history.add(new Watched(after, at, changes));
            changes = new ArrayList<>();
            after = next;
            at = next;
            expired = false;
        }

        private void follow(Watch<ConfigMap> watch) throws InterruptedException {
            try (watch) {
                while (at < last) {
                    Optional<Watch.Event<ConfigMap>> next = watch.next();
                    if (next.isEmpty()) {
                        break;
                    }
                    take(next.get());
                }
            }
        }

        private void take(Watch.Event<ConfigMap> event) {
            long revision = Long.parseLong(event.resourceVersion());
            boolean bookmark = event.type() == Watch.Type.BOOKMARK;
            if (revision < at || (revision == at && !bookmark)) {
                problems.add(Thread.currentThread().getName() + " delivered " + event.type() + " at revision "
                        + revision + " after revision " + at);
            }
            at = Math.max(at, revision);
            history.saw(revision);
            String name = bookmark ? "" : event.object().getMetadata().getName();
            if (name.startsWith(PREFIX)) {
                String value = event.type() == Watch.Type.DELETED ? "" : Contents.value(event.object());
                changes.add(new Change(name, new Version(revision, value)));
            }
        }
    }

    /** Writes something, which wakes watches that saw the last write before they knew that it was the last. */
    private void tick() {
        KubernetesClient client = scene.any(random).client();
        try {
            ConfigMap tick = Contents.map("tick-" + tally.values.incrementAndGet(), "tick", 0);
            client.create(MAPS, tick, WriteOptions.DEFAULT);
            client.delete(MAPS, ObjectKey.of(tick), DeleteOptions.DEFAULT);
        } catch (ApiException | UncheckedIOException e) {
            pause();
        }
    }

    /** Writes what all watches wait for, and reads the state for the next round. */
    private void finish() throws InterruptedException {
        long deadline = System.nanoTime() + options.patience().toNanos();
        while (problems.isEmpty()) {
            KubernetesClient client = scene.any(random).client();
            try {
                Optional<ConfigMap> found = client.find(MAPS, ObjectKey.of(NAMESPACE, LAST));
                long expected =
                        found.map(map -> Contents.version(map).revision()).orElse(0L);
                String value = "v" + tally.values.incrementAndGet();
                long begin = System.nanoTime();
                long revision = History.UNKNOWN;
                try {
                    revision = put(client, LAST, value, expected);
                } finally {
                    history.add(new Write(begin, System.nanoTime(), LAST, expected, value, revision));
                }
                Listing<ConfigMap> listing = list(client);
                state = Contents.versions(listing);
                end = Long.parseLong(listing.resourceVersion());
                last = revision;
                return;
            } catch (ApiException | UncheckedIOException e) {
                if (e instanceof ApiException answer) {
                    judge(answer);
                }
                scene.requireAlive();
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            "the server did not accept a write for " + patience() + ": " + e.getMessage(), e);
                }
                Thread.sleep(50);
            }
        }
    }
}
