package dev.evenkeel.check.internal.run;

import dev.evenkeel.check.ControllerCheck.SetupException;
import dev.evenkeel.check.internal.api.ApiTap;
import dev.evenkeel.check.internal.api.OpenWatch;
import dev.evenkeel.check.internal.api.TappedApi;
import dev.evenkeel.check.internal.run.RunLog.Lane;
import dev.evenkeel.check.internal.run.RunOutcome.Problem;
import dev.evenkeel.check.internal.script.Invariant;
import dev.evenkeel.check.internal.script.UserAction;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.server.Server;
import dev.evenkeel.server.internal.http.Kubeconfig;
import dev.evenkeel.server.internal.resource.ApiCall;
import dev.evenkeel.simulation.internal.request.FaultSchedule;
import dev.evenkeel.simulation.internal.request.PlacedFault;
import dev.evenkeel.simulation.internal.request.PlacedFault.Crash;
import dev.evenkeel.simulation.internal.request.PlacedFault.CutWatches;
import dev.evenkeel.simulation.internal.request.PlacedFault.Hold;
import dev.evenkeel.simulation.internal.request.PlacedFault.LoseAnswer;
import dev.evenkeel.simulation.internal.request.PlacedFault.Pause;
import dev.evenkeel.simulation.internal.request.PlacedFault.Refuse;
import dev.evenkeel.simulation.internal.request.PlacedFault.RestartBehind;
import dev.evenkeel.simulation.internal.request.PlacedFault.Side;
import dev.evenkeel.simulation.internal.request.RequestPlace;
import dev.evenkeel.simulation.internal.request.RequestPlace.ApiRequest;
import dev.evenkeel.simulation.internal.request.RequestPlace.UserStep;
import dev.evenkeel.simulation.internal.request.SchedulePlanner.Visit;
import dev.evenkeel.testing.internal.convergence.ClusterState;
import dev.evenkeel.testing.internal.convergence.ObservedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * One run: a fork of the prepared cluster, its API server, the processes of the controller, the steps of the user, and the
 * faults of a schedule.
 *
 * <p><b>Problem.</b> A process does not report that it has finished. It is at rest when all these hold for a moment: it has
 * made a request since its start, no request of it is being answered, it has sent none but those for leases and events, and it
 * uses no processor. A delayed retry is not seen by that: so a state that is not the one of the run
 * without faults is given more time, and only counts when the process has been silent for as long as a retry may take.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A fault strikes once.
 *   <li>A killed process does nothing after its kill: requests with the token of an earlier start are cut.
 *   <li>A process that was killed or stopped holds no lease, as if the time of its leases had passed.
 *   <li>Watches that are held are released when everything else is at rest, and the state is compared only after that.
 * </ol>
 *
 * <p><b>Concurrency.</b> All state is guarded by this object. Kills wait for the end of the process under the lock, which no
 * process needs to end.
 */
public final class ControllerRun implements ApiTap {
    private static final Duration SILENCE = Duration.ofMillis(150);
    private static final long POLL_MILLIS = 20;
    private static final long LOAD_NANOS = 100_000_000;
    private static final double IDLE = 0.05;
    private static final int ASLEEP = 3;
    private static final int MOST_STARTS = 12;
    private static final int MOST_EXITS = 4;
    private static final Duration RECENT = Duration.ofSeconds(5);

    private final RunSettings settings;
    private final FaultSchedule schedule;
    private final Optional<RunOutcome> calm;
    private final RunLog log = new RunLog();
    private final Engine engine;
    private final ClusterAccess cluster;
    private final Map<String, int[]> tokens = new HashMap<>();
    private final List<Replica> replicas = new ArrayList<>();

    private final Map<String, Integer> counts = new HashMap<>();
    private final IdentityHashMap<ApiCall, RequestPlace> places = new IdentityHashMap<>();
    private final Set<PlacedFault> struck = new LinkedHashSet<>();
    private final List<Visit> visits = new ArrayList<>();
    private final Set<String> watched = new TreeSet<>();
    private final Set<String> unserved = new TreeSet<>();
    private final HeldWatches watches;
    private final List<ClusterState> states = new ArrayList<>();
    /** The names that the server generated, and what stands for them in comparisons. */
    private final Map<String, String> generated = new TreeMap<>();

    private Optional<Problem> problem = Optional.empty();
    private final Set<ApiCall> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private int exits;
    private long lastWork = System.nanoTime();
    private int changesSeen;

    private ControllerRun(RunSettings settings, FaultSchedule schedule, Optional<RunOutcome> calm) {
        this.settings = settings;
        this.schedule = schedule;
        this.calm = calm;
        engine = settings.cluster().fork();
        cluster = new ClusterAccess(engine);
        watches = new HeldWatches(cluster.observed(), log);
    }

    /**
     * Makes a run.
     *
     * @param calm the run without faults, with whose states those of this run are compared; empty for that run itself
     * @throws SetupException when the controller does not work without faults
     */
    public static RunOutcome make(RunSettings settings, FaultSchedule schedule, Optional<RunOutcome> calm)
            throws InterruptedException {
        ControllerRun run = new ControllerRun(settings, schedule, calm);
        try {
            return run.run();
        } finally {
            run.cluster.close();
            run.engine.close();
        }
    }

    private RunOutcome run() throws InterruptedException {
        Path directory = directory();
        Server.Builder builder = Server.builder(engine)
                .handler(api -> new TappedApi(this, api))
                .limits(Server.Limits.DEFAULT
                        .writeTimeout(Duration.ofMinutes(10))
                        .stopTimeout(Duration.ofMillis(200)));
        List<List<String>> tokensOfReplicas = new ArrayList<>();
        for (int replica = 1; replica <= settings.replicas(); replica++) {
            List<String> own = new ArrayList<>();
            for (int start = 1; start <= MOST_STARTS; start++) {
                String token = UUID.randomUUID().toString();
                own.add(token);
                tokens.put(token, new int[] {replica, start});
                builder.token(token, User.ADMIN);
            }
            tokensOfReplicas.add(own);
        }
        try (Server server = builder.start()) {
            for (int number = 1; number <= settings.replicas(); number++) {
                List<String> own = tokensOfReplicas.get(number - 1);
                int process = number;
                replicas.add(new Replica(
                        number,
                        settings.command(),
                        directory.resolve("kubeconfig-" + number),
                        start -> Kubeconfig.text(server.url().toString(), server.caCertificate(), own.get(start - 1)),
                        line -> log.add(Lane.OUTPUT, process, line)));
            }
            try {
                synchronized (this) {
                    replicas.forEach(this::start);
                }
                perform();
            } finally {
                synchronized (this) {
                    replicas.forEach(Replica::kill);
                    watches.releaseAll();
                }
            }
        } finally {
            delete(directory);
        }
        synchronized (this) {
            List<PlacedFault> missed = schedule.faults().stream()
                    .filter(fault -> !struck.contains(fault))
                    .toList();
            return new RunOutcome(
                    schedule,
                    states,
                    visits,
                    watched,
                    unserved,
                    missed,
                    problem,
                    log.entries(),
                    Duration.ofNanos(log.elapsed()));
        }
    }

    private static Path directory() {
        try {
            return Files.createTempDirectory("evenkeel-check");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void perform() throws InterruptedException {
        rest();
        List<List<UserAction>> steps = settings.script().steps();
        for (int number = 1; number <= steps.size() && !failed(); number++) {
            UserStep step = new UserStep(number);
            synchronized (this) {
                for (PlacedFault fault : schedule.at(step, Side.BEFORE)) {
                    strike(fault);
                    switch (fault.effect()) {
                        case Hold hold -> watches.hold(hold);
                        case Crash crash -> replicas.forEach(this::kill);
                        default -> cut(fault);
                    }
                }
                int before = cluster.observed().changes().size();
                for (UserAction action : steps.get(number - 1)) {
                    log.add(Lane.USER, 0, cluster.perform(action));
                }
                List<ObservedCluster.Change> changes = cluster.observed().changes();
                Set<String> changed = changes.subList(before, changes.size()).stream()
                        .map(ObservedCluster.Change::resource)
                        .collect(Collectors.toSet());
                visits.add(new Visit(step, states.size(), changed, true));
                lastWork = System.nanoTime();
                for (PlacedFault fault : schedule.at(step, Side.AFTER)) {
                    strike(fault);
                    switch (fault.effect()) {
                        case Crash crash -> replicas.forEach(this::restart);
                        case RestartBehind old -> {
                            watches.goBack(old);
                            replicas.forEach(this::restart);
                        }
                        case Pause pause -> pause(replicas.getFirst());
                        default -> cut(fault);
                    }
                }
                replicas.stream().filter(Replica::isDown).forEach(this::start);
            }
            rest();
        }
    }

    private synchronized boolean failed() {
        return problem.isPresent();
    }

    private synchronized void fail(Problem found) {
        if (problem.isEmpty()) {
            problem = Optional.of(found);
            log.add(Lane.USER, 0, "WRONG: " + found.title());
        }
    }

    private void strike(PlacedFault fault) {
        struck.add(fault);
        log.add(Lane.FAULT, 0, fault + ": " + fault.description());
    }

    // processes

    private void start(Replica replica) {
        if (replica.starts() >= MOST_STARTS) {
            fail(new Problem("the process was started too often", replica.lastLines()));
            return;
        }
        replica.start();
        lastWork = System.nanoTime();
        log.add(Lane.PROCESS, replica.number, "start " + replica.starts());
    }

    private void kill(Replica replica) {
        replica.kill();
        log.add(Lane.PROCESS, replica.number, "killed");
        expireLeases(replica);
    }

    private void restart(Replica replica) {
        kill(replica);
        start(replica);
    }

    private void expireLeases(Replica replica) {
        cluster.expireLeases(Set.copyOf(replica.leases));
        replica.leases.clear();
    }

    private void pause(Replica replica) {
        replica.pause(true);
        log.add(Lane.PROCESS, replica.number, "stopped");
        expireLeases(replica);
    }

    private Replica replica(ApiCall call) {
        return replicas.get(call.process() - 1);
    }

    private void cut(PlacedFault fault) {
        if (fault.effect() instanceof CutWatches cut) {
            watches.cut(cut);
        }
    }

    // rest

    /** Ends what lasts until everything else is at rest; returns false if there is nothing of that. */
    private synchronized boolean relieve() {
        boolean relieved = watches.releaseDue();
        for (Replica replica : replicas) {
            if (replica.isPaused()) {
                replica.pause(false);
                log.add(Lane.PROCESS, replica.number, "continued");
                relieved = true;
            }
        }
        if (relieved) {
            lastWork = System.nanoTime();
        }
        return relieved;
    }

    /** Waits until the controller is at rest, and compares the state with that of the run without faults. */
    private void rest() throws InterruptedException {
        Optional<ClusterState> expected = calm.filter(one -> one.states().size() > states.size())
                .map(one -> one.states().get(states.size()));
        ClusterState state = settle(expected);
        synchronized (this) {
            states.add(state);
            boolean waiting = watches.rests();
            log.add(Lane.USER, 0, "at rest");
            if (problem.isEmpty() && !waiting && expected.isPresent()) {
                List<String> lines = differences(expected.get(), state);
                if (!lines.isEmpty()) {
                    fail(new Problem("at rest the state differs from the run without faults", lines));
                }
            }
        }
    }

    private List<String> differences(ClusterState expected, ClusterState actual) {
        return ClusterState.differences(
                compared(expected), compared(actual), settings.cluster().names());
    }

    private ClusterState compared(ClusterState state) {
        return settings.script().compared(state);
    }

    private ClusterState settle(Optional<ClusterState> expected) throws InterruptedException {
        Optional<ClusterState> wanted = expected.map(this::compared);
        SettleLimit limit = new SettleLimit(settings.restLimit());
        long begin = System.nanoTime();
        long busy = begin;
        long measured = begin;
        long worked = 0;
        long revision = -1;
        ClusterState state = new ClusterState(Map.of());
        boolean equal = false;
        int asleep = 0;
        while (true) {
            Thread.sleep(POLL_MILLIS);
            long now = System.nanoTime();
            if (failed()) {
                return state();
            }
            if (!allReady()) {
                // a start has a limit of its own
                begin = now;
                busy = now;
                measured = now;
                worked = 0;
                continue;
            }
            if (now - measured > LOAD_NANOS) {
                double load = loads();
                worked += Math.round(load * (now - measured));
                measured = now;
                if (load > IDLE) {
                    busy = now;
                }
            }
            long idleSince = idleSince(now);
            if (limit.isExceeded(now - begin, worked, now - idleSince < RECENT.toNanos())) {
                fail(unsettled());
                return state();
            }
            asleep = runs() ? 0 : asleep + 1;
            long silentSince = Math.max(busy, idleSince);
            if (now - silentSince < (expected.isEmpty() ? settings.calmSilence() : SILENCE).toNanos()
                    || asleep < ASLEEP) {
                continue;
            }
            if (relieve()) {
                busy = now;
                continue;
            }
            if (revision != cluster.observed().revision()) {
                revision = cluster.observed().revision();
                state = state();
                equal = wanted.isPresent() && wanted.get().equals(compared(state));
            }
            boolean waiting = isHeld();
            if (expected.isEmpty()
                    || equal
                    || waiting
                    || now - silentSince > settings.patience().toNanos()) {
                return state;
            }
        }
    }

    private ClusterState state() {
        ClusterState state = cluster.observed().state(Set.of());
        synchronized (this) {
            return generated.isEmpty() ? state : GeneratedNames.replaced(state, generated);
        }
    }

    private synchronized boolean isHeld() {
        return watches.isAnyHeld();
    }

    /** Returns the time of the last work of the processes; now if a request is being answered. */
    private synchronized long idleSince(long now) {
        boolean answering = !open.isEmpty() && replicas.stream().noneMatch(Replica::isPaused);
        return answering ? now : lastWork;
    }

    private synchronized boolean runs() {
        return replicas.stream().anyMatch(replica -> !replica.isPaused() && replica.runs());
    }

    private synchronized double loads() {
        return replicas.stream()
                .filter(replica -> !replica.isPaused())
                .mapToDouble(Replica::load)
                .sum();
    }

    /** Starts processes that have ended; returns true if all have made a request. */
    private synchronized boolean allReady() {
        boolean all = true;
        for (Replica replica : replicas) {
            if (replica.hasEnded()) {
                exits++;
                log.add(Lane.PROCESS, replica.number, "ended by itself");
                if (calm.isEmpty() && !replica.isReady()) {
                    throw new SetupException("the controller ended before its first request; its last output is:\n  "
                            + String.join("\n  ", replica.lastLines()));
                }
                if (exits > MOST_EXITS) {
                    fail(new Problem("the process ends again and again", replica.lastLines()));
                    return true;
                }
                expireLeases(replica);
                start(replica);
            }
            if (!replica.isReady() && !replica.isPaused()) {
                all = false;
                if (replica.sinceStart() > settings.startLimit().toNanos()) {
                    notReady(replica);
                    return true;
                }
            }
        }
        return all;
    }

    private void notReady(Replica replica) {
        String title = "the process made no request for a resource within "
                + settings.startLimit().toSeconds() + " s after its start";
        if (calm.isEmpty()) {
            throw new SetupException(title
                    + ": it finds the API by the environment variable KUBECONFIG, or by {kubeconfig} in its command;"
                    + " its last output is:\n  " + String.join("\n  ", replica.lastLines()));
        }
        fail(new Problem(title, replica.lastLines()));
    }

    private Problem unsettled() {
        long since = log.elapsed() - RECENT.toNanos();
        Map<String, Long> recent = log.entries().stream()
                .filter(entry -> entry.nanos() > since && (entry.lane() == Lane.WRITE || entry.lane() == Lane.READ))
                .collect(Collectors.groupingBy(RunLog.Entry::text, TreeMap::new, Collectors.counting()));
        List<String> lines = recent.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(10)
                .map(entry -> entry.getValue() + " times " + entry.getKey())
                .toList();
        return new Problem(
                "it does not settle within " + settings.restLimit().toSeconds() + " s; "
                        + (lines.isEmpty()
                                ? "in the last " + RECENT.toSeconds() + " s it made no request, and used the processor"
                                : "its last requests are:"),
                lines);
    }

    // requests

    @Override
    public OptionalInt process(String token) {
        int[] owner = tokens.get(token);
        if (owner == null) {
            return OptionalInt.empty();
        }
        synchronized (this) {
            Replica replica = replicas.get(owner[0] - 1);
            return OptionalInt.of(replica.starts() == owner[1] && !replica.isDown() ? owner[0] : 0);
        }
    }

    @Override
    public synchronized void other(int process, String path) {
        lastWork = System.nanoTime();
    }

    @Override
    public synchronized Decision arrived(ApiCall call) {
        Replica replica = replica(call);
        if (replica.isDown()) {
            return Decision.DROP;
        }
        replica.ready();
        if (!call.isWork()) {
            return Decision.PASS;
        }
        lastWork = System.nanoTime();
        if (call.verb().equals("watch")) {
            watched.add(call.resource());
            return Decision.PASS;
        }
        open.add(call);
        if (call.verb().equals("list") || call.dryRun()) {
            return Decision.PASS;
        }
        String name = call.key().substring(call.key().lastIndexOf('/') + 1);
        String key = call.key().substring(0, call.key().length() - name.length()) + generated.getOrDefault(name, name);
        int number = counts.merge(call.verb() + " " + call.target() + " " + key, 1, Integer::sum);
        RequestPlace place = new ApiRequest(call.verb(), call.target(), key, number);
        places.put(call, place);
        for (PlacedFault fault : schedule.at(place, Side.BEFORE)) {
            strike(fault);
            switch (fault.effect()) {
                case Hold hold -> watches.hold(hold);
                case Crash crash -> {
                    restart(replica);
                    return Decision.DROP;
                }
                default -> cut(fault);
            }
        }
        for (PlacedFault fault : schedule.at(place, Side.AT)) {
            if (fault.effect() instanceof Refuse refuse) {
                strike(fault);
                log.add(call.reads() ? Lane.READ : Lane.WRITE, call.process(), call + ", " + refuse.status());
                return new Refusal(refuse.status());
            }
        }
        return Decision.PASS;
    }

    @Override
    public synchronized OptionalLong revision(ApiCall call) {
        return watches.revision(call);
    }

    @Override
    public synchronized Decision answered(ApiCall call, int status) {
        Replica replica = replica(call);
        if (status == 404 && (call.verb().equals("list") || call.verb().equals("watch"))) {
            unserved.add(call.resource());
        }
        if (!call.isWork()) {
            if (call.resource().equals(ApiCall.LEASES) && !call.reads() && status < 300) {
                int slash = call.key().indexOf('/');
                replica.leases.add(ObjectKey.of(
                        call.key().substring(0, Math.max(0, slash)), call.key().substring(slash + 1)));
            }
            return Decision.PASS;
        }
        lastWork = System.nanoTime();
        log.add(call.reads() ? Lane.READ : Lane.WRITE, call.process(), call + (status < 300 ? "" : ", " + status));
        RequestPlace place = places.get(call);
        if (place == null) {
            return Decision.PASS;
        }
        if (call.reads()) {
            visits.add(new Visit(place, states.size(), Set.of(), false));
            return Decision.PASS;
        }
        if (status >= 300) {
            return Decision.PASS;
        }
        visits.add(new Visit(place, states.size(), changed(call), true));
        return after(replica, place);
    }

    private Decision after(Replica replica, RequestPlace place) {
        Decision decision = Decision.PASS;
        for (PlacedFault fault : schedule.at(place, Side.AT)) {
            if (fault.effect() instanceof LoseAnswer) {
                strike(fault);
                decision = Decision.DROP;
            }
        }
        for (PlacedFault fault : schedule.at(place, Side.AFTER)) {
            strike(fault);
            switch (fault.effect()) {
                case Crash crash -> {
                    restart(replica);
                    decision = Decision.DROP;
                }
                case RestartBehind old -> {
                    watches.goBack(old);
                    restart(replica);
                    decision = Decision.DROP;
                }
                case Pause pause -> pause(replica);
                case Hold hold -> watches.hold(hold);
                default -> cut(fault);
            }
        }
        return decision;
    }

    /** Returns the resource of a write if it has changed its object, and checks what must always hold. */
    private Set<String> changed(ApiCall call) {
        List<ObservedCluster.Change> changes = cluster.observed().changes();
        String name = call.key().substring(call.key().lastIndexOf('/') + 1);
        Set<String> resources = new TreeSet<>();
        for (ObservedCluster.Change change : changes.subList(changesSeen, changes.size())) {
            boolean own = change.resource().equals(call.resource())
                    && (name.endsWith("*") || name.equals(change.key().name()));
            if (own) {
                resources.add(call.resource());
                if (call.verb().equals("create") && name.endsWith("*")) {
                    generated.put(change.key().name(), name);
                }
            }
            check(change);
        }
        changesSeen = changes.size();
        return resources;
    }

    private void check(ObservedCluster.Change change) {
        for (Invariant rule : settings.script().always()) {
            if (rule.resource().equals(change.resource())) {
                cluster.find(change.resource(), change.key())
                        .flatMap(object -> rule.violation(object.json()))
                        .ifPresent(violation -> fail(new Problem(
                                "does not always hold: " + violation,
                                List.of(change.resource() + " " + change.key() + " does not keep it"))));
            }
        }
    }

    @Override
    public synchronized void ended(ApiCall call) {
        places.remove(call);
        if (open.remove(call)) {
            lastWork = System.nanoTime();
        }
    }

    @Override
    public synchronized void opened(OpenWatch watch) {
        watches.opened(watch);
    }

    @Override
    public synchronized void closed(OpenWatch watch) {
        watches.closed(watch);
    }
}
