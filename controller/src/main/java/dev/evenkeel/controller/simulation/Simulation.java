package dev.evenkeel.controller.simulation;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Listing;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A world in virtual time: a server, processes that talk to it, and what befalls them; all on the thread that moves time,
 * and all after one seed.
 *
 * <p>The problem: what is wrong with a controller shows when a watch is late, an answer lost, a process dead between two
 * writes, or two tasks come in an order that nobody thought of. Such a run must happen often enough to be found, and then
 * again, exactly, to be understood.
 *
 * <p>What is to be done is in a queue of {@link Task}s, each with the virtual time when it is due. One step takes a task
 * that is due, any of them with the same chance, and runs it. When none is, time moves on to the next one: waiting costs
 * nothing. A task that calls the server, or awaits something, takes time; meanwhile other tasks run <em>on top of it, on
 * the same stack</em>, and then it goes on. So tasks interleave at each call, before and after it takes effect, though
 * there is but one thread. Invariants:
 *
 * <ol>
 *   <li>The same seed, faults and program give the same trace. Nothing here looks at real time, identity hash codes, or
 *       chance other than the seed's; where things are in sets or maps, these keep the order of insertion.
 *   <li>Time never moves back, and no task runs before it is due.
 *   <li>Timers of a process run in the order in which they are due, as on its one timer thread.
 *   <li>Of a process that is dead no task runs and no call reaches the server: its frames on the stack get {@link Crashed}
 *       when they would go on. Of a process that stands still none runs or goes on before it goes on.
 * </ol>
 *
 * <p>A frame goes on only after those on top of it have ended, and so may be late: as a thread that gets no processor. That
 * is what real threads must bear too; what it cannot show is a wait that ends before one that began after it. Depth is
 * bounded: calls that are nested deeply take no time, and there is a limit to waits in waits.
 *
 * <p>Threads that hand on a baton would show each interleaving; a hand-over costs a hundred times what a step does here,
 * and it is the number of seeds a second that finds faults.
 *
 * <p>Cost: a step is about a microsecond beside what the task does.
 */
public final class Simulation implements SimulationView {
    private static final int CALLS_DEEP = 6;
    private static final int WAITS_DEEP = 48;
    private static final int VIOLATIONS = 50;
    private static final long SECOND = 1_000_000_000;
    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

    private final long seed;
    private final SplittableRandom random;
    private final Trace trace;
    private final Monitor monitor = new Monitor(this);
    private final Clock clock = new VirtualClock();
    private final Client server;
    private final Map<String, SimulatedProcess> processes = new LinkedHashMap<>();
    private final PriorityQueue<Task> queue = new PriorityQueue<>();
    private final List<Task> ready = new ArrayList<>();
    private final List<FaultyWatch<?>> watches = new ArrayList<>();
    private final Map<String, Listing<?>> earlier = new LinkedHashMap<>();
    private final List<Invariant> invariants = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();
    private Faults faults;
    private @Nullable Frame frame;
    private long now;
    private long numbered;
    private long steps;
    private long changes;
    private long pumped;
    private long weather;
    private int depth;
    private long stepLimit = 2_000_000;

    /** A world with this server, in which nothing runs yet. */
    public Simulation(long seed, Faults faults, Server server) {
        this(seed, faults, server, 200);
    }

    /**
     * A world with this server, in which nothing runs yet.
     *
     * @param tail how many of the last lines of the trace are kept
     */
    public Simulation(long seed, Faults faults, Server server, int tail) {
        this.seed = seed;
        this.faults = faults;
        this.trace = new Trace(tail);
        // nearby seeds must not begin alike
        this.random = new SplittableRandom(seed * 0x9e3779b97f4a7c15L + 1);
        this.server = new WorldClient(this, server.start(clock, random.split(), this::serve));
    }

    /** Plays a scenario: a storm of faults, then calm, in which all must become as it should be, and stay so. */
    static Outcome play(Scenario scenario, long seed, Faults faults) {
        return play(scenario, seed, faults, 200);
    }

    /** The same, with this many lines of the trace. */
    public static Outcome play(Scenario scenario, long seed, Faults faults, int tail) {
        Simulation simulation = new Simulation(seed, faults, scenario.server(), tail);
        BooleanSupplier wanted = simulation.whenChanged(scenario.prepare(simulation));
        simulation.runFor(scenario.storm());
        simulation.calmDown();
        boolean converged = simulation.runUntil(wanted, scenario.patience());
        if (converged) {
            simulation.runFor(scenario.calm());
            converged = simulation.runUntil(wanted, scenario.patience());
            simulation.check(Invariant.Moment.AT_THE_END);
        }
        return simulation.outcome(scenario.name(), converged);
    }

    /** How it went so far. */
    public Outcome outcome(String name, boolean converged) {
        return new Outcome(name, seed, converged, violations, steps, now(), trace.hash(), trace.tail());
    }

    /** A condition that is looked at again only when something changed on the server. */
    private BooleanSupplier whenChanged(BooleanSupplier condition) {
        return new BooleanSupplier() {
            private long looked = -1;
            private boolean last;

            @Override
            public boolean getAsBoolean() {
                if (looked != changes) {
                    looked = changes;
                    last = condition.getAsBoolean();
                }
                return last;
            }
        };
    }

    // what is there

    /** Adds a process, and starts it. */
    public SimulatedProcess process(String name, Program program) {
        SimulatedProcess process = new SimulatedProcess(this, name, program);
        if (processes.putIfAbsent(name, process) != null) {
            throw new IllegalArgumentException(
                    "there is a process \"" + name + "\" already: give this one another name");
        }
        process.start();
        befall(process, weather);
        return process;
    }

    /**
     * A process.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    public SimulatedProcess processNamed(String name) {
        SimulatedProcess process = processes.get(name);
        if (process == null) {
            throw new IllegalArgumentException("there is no process \"" + name + "\", only " + processes.keySet());
        }
        return process;
    }

    /** Adds something that must hold. */
    public void add(Invariant invariant) {
        invariants.add(invariant);
    }

    /** Does something in the world, outside of all processes, this time from now. */
    public void at(Duration delay, String name, Runnable task) {
        var unused = add(Task.Sort.THREAD, name, null, null, now + Math.max(0, nanos(delay)), task);
    }

    /** The server, for the world: without faults and without delay. */
    @Override
    public Client server() {
        return server;
    }

    /** Virtual time, as time of day. */
    public Clock clock() {
        return clock;
    }

    /** Virtual time since the start. */
    @Override
    public Duration now() {
        return Duration.ofNanos(now);
    }

    @Override
    public long changes() {
        return changes;
    }

    @Override
    public boolean calm() {
        return faults == Faults.NONE;
    }

    /** Chance, for what the world does. */
    public SplittableRandom random() {
        return random;
    }

    /** Is told what reconcilers do and see. */
    public Monitor monitor() {
        return monitor;
    }

    /** What goes wrong at present. */
    public Faults faults() {
        return faults;
    }

    /** What goes wrong from now on. */
    public void faults(Faults value) {
        faults = value;
        weather++;
        processes.values().forEach(process -> befall(process, weather));
    }

    /** From now on nothing goes wrong: who stands still goes on, who is dead is started. Watches that are silent stay so. */
    public void calmDown() {
        faults(Faults.NONE);
        trace("world", "calm");
        processes.values().forEach(SimulatedProcess::thaw);
        processes.values().forEach(SimulatedProcess::start);
    }

    /** Adds a line to the trace. */
    public void trace(String who, String what) {
        trace.add(now, who, what);
    }

    /** What must not be and was. */
    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    /** Something is seen that must not be. */
    public void violated(String invariant, String message) {
        Violation violation = new Violation(invariant, now, message);
        trace("VIOLATED", violation.invariant() + ": " + message);
        if (violations.size() < VIOLATIONS) {
            violations.add(violation);
        }
    }

    /** The hash of the trace so far. */
    public long hash() {
        return trace.hash();
    }

    /** The last lines of the trace. */
    public List<String> tail() {
        return trace.tail();
    }

    /**
     * Calls something beyond the server, such as somebody else's service, from the process that is running: the call
     * takes time, and may be lost before or after it takes effect, as may be the process.
     *
     * @throws UncheckedIOException when the call or its answer is lost
     */
    public <R> R call(String what, Supplier<R> effect) {
        Frame caller = frame;
        if (caller == null) {
            return effect.get();
        }
        Incarnation incarnation = caller.incarnation();
        incarnation.requireAlive();
        latency(incarnation);
        if (happens(Fault.NO_CONNECTION) || happens(Fault.REFUSED)) {
            trace(incarnation.toString(), what + ": no connection");
            throw lost(what);
        }
        boolean dies = happens(Fault.CRASH);
        if (dies && fraction() < 0.5) {
            incarnation.process.crash(downtime());
            incarnation.requireAlive();
        }
        R answer = effect.get();
        trace(incarnation.toString(), what);
        if (dies) {
            incarnation.process.crash(downtime());
            incarnation.requireAlive();
        }
        boolean lost = happens(Fault.LOST_ANSWER);
        latency(incarnation);
        if (lost) {
            trace(incarnation.toString(), what + ": the answer is lost");
            throw lost(what);
        }
        return answer;
    }

    // time

    /**
     * Moves time on by so much, with all that is due until then. A task that waits is on the stack, and it may be later
     * when it gives it back.
     */
    public void runFor(Duration duration) {
        var unused = runUntil(() -> false, duration);
    }

    /**
     * Moves time on until the condition holds, but no further than this.
     *
     * @return whether it holds
     */
    public boolean runUntil(BooleanSupplier condition, Duration limit) {
        long end = now + nanos(limit);
        while (!condition.getAsBoolean()) {
            Task task = next(end, false);
            if (task == null) {
                now = Math.max(now, end);
                return condition.getAsBoolean();
            }
            run(task);
            if (steps > stepLimit) {
                violated("it comes to an end", steps + " steps, and there is no end of it");
                return false;
            }
        }
        return true;
    }

    /**
     * Moves time on until for so long nothing has changed on the server, but no further than the limit.
     *
     * @return whether it was still
     */
    public boolean runToQuiescence(Duration still, Duration limit) {
        long end = now + nanos(limit);
        while (now < end) {
            long before = changes;
            if (!runUntil(() -> changes != before, Duration.ofNanos(Math.min(nanos(still), end - now)))) {
                return now < end || nanos(still) <= 0;
            }
        }
        return false;
    }

    // the machine

    /** Adds a task. */
    Task add(
            Task.Sort sort,
            String name,
            @Nullable Incarnation incarnation,
            @Nullable SimulatedJob job,
            long due,
            Runnable body) {
        Task task = new Task(sort, name, incarnation, job, due, numbered++, body);
        queue.add(task);
        return task;
    }

    /** What the server does by itself. */
    private void serve(Runnable task) {
        long delay = happens(Fault.SLOW_SERVER) ? upTo(5 * SECOND) : exponential(1e6);
        var unused = add(Task.Sort.THREAD, "server", null, null, now + delay, () -> {
            task.run();
            changed();
        });
    }

    /** The next task; null when none is due before the limit. Moves time on to it. */
    private @Nullable Task next(long limit, boolean nested) {
        while (true) {
            pump();
            Task head = queue.peek();
            while (head != null && head.at <= now) {
                ready.add(queue.remove());
                head = queue.peek();
            }
            Task chosen = ready.isEmpty() ? null : choose(nested);
            if (chosen != null) {
                return chosen;
            }
            head = queue.peek();
            if (head == null || head.at > limit) {
                return null;
            }
            if (head.obsolete()) {
                queue.remove();
            } else {
                now = Math.max(now, head.at);
            }
        }
    }

    /** One of those that are due, if one may run. */
    private @Nullable Task choose(boolean nested) {
        int count = 0;
        for (int i = 0; i < ready.size(); i++) {
            Task task = ready.get(i);
            Incarnation incarnation = task.incarnation;
            if (task.obsolete()) {
                continue;
            }
            if (incarnation != null && incarnation.process.frozenUntil() > now) {
                task.at = incarnation.process.frozenUntil();
                queue.add(task);
                continue;
            }
            ready.set(count++, task);
        }
        ready.subList(count, ready.size()).clear();
        if (count == 0) {
            return null;
        }
        int index = count == 1 ? 0 : random.nextInt(count);
        if (nested) {
            int tried = 0;
            while (tried < count && ready.get(index).sort == Task.Sort.ALONE) {
                index = (index + 1) % count;
                tried++;
            }
            if (tried == count) {
                return null;
            }
        }
        if (ready.get(index).sort == Task.Sort.TIMER) {
            index = firstTimer(index);
        }
        Task chosen = ready.get(index);
        ready.set(index, ready.getLast());
        ready.removeLast();
        return chosen;
    }

    private int firstTimer(int index) {
        int first = index;
        for (int i = 0; i < ready.size(); i++) {
            Task task = ready.get(i);
            if (task.sort == Task.Sort.TIMER
                    && task.incarnation == ready.get(index).incarnation
                    && task.before(ready.get(first))) {
                first = i;
            }
        }
        return first;
    }

    /** Runs a task on top of what is on the stack. */
    // what a task throws goes no further, whatever it is
    @SuppressWarnings("CatchThrowable")
    private void run(Task task) {
        steps++;
        trace(task.incarnation == null ? "world" : task.incarnation.toString(), task.name);
        Frame below = frame;
        boolean interrupted = Thread.interrupted();
        frame = task.incarnation == null ? null : new Frame(task.incarnation, task.job);
        depth++;
        try {
            if (task.job != null && task.job.takeInterrupt()) {
                Thread.currentThread().interrupt();
            }
            task.body.run();
        } catch (Crashed e) {
            // it is dead, and so is the task
        } catch (Throwable e) {
            failed(task, e);
        } finally {
            depth--;
            frame = below;
            boolean unused = Thread.interrupted();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (!invariants.isEmpty()) {
            check(Invariant.Moment.ALWAYS);
        }
    }

    private void failed(Task task, Throwable e) {
        if (task.incarnation != null && task.incarnation.dead()) {
            return; // in a finally block, or because of it
        }
        StringBuilder where = new StringBuilder();
        StackTraceElement[] stack = e.getStackTrace();
        for (int i = 0; i < Math.min(6, stack.length); i++) {
            where.append(" < ")
                    .append(stack[i].getClassName())
                    .append('.')
                    .append(stack[i].getMethodName())
                    .append(':')
                    .append(stack[i].getLineNumber());
        }
        violated("no task fails", task.name + ": " + e.getClass().getName() + ": " + e.getMessage() + where);
    }

    private void check(Invariant.Moment moment) {
        for (Invariant invariant : invariants) {
            if (invariant.moment() == moment) {
                invariant.check(this).ifPresent(message -> violated(invariant.name(), message));
            }
        }
    }

    /** Lets watches have what the server has for them. */
    private void pump() {
        while (pumped != changes) {
            pumped = changes;
            for (FaultyWatch<?> watch : List.copyOf(watches)) {
                watch.pump();
            }
        }
    }

    /** Something may have changed on the server. */
    void changed() {
        changes++;
    }

    void opened(FaultyWatch<?> watch) {
        watches.add(watch);
        pumped--;
    }

    void closed(FaultyWatch<?> watch) {
        watches.remove(watch);
    }

    /** The frame that is running; null outside of all processes. */
    @Nullable
    Frame frame() {
        return frame;
    }

    /** Time passes in a call of a process, and others run. */
    void latency(Incarnation incarnation) {
        if (depth < CALLS_DEEP) {
            if (happens(Fault.FREEZE_IN_CALL)) {
                incarnation.process.freeze(Duration.ofNanos(upTo(60 * SECOND)));
            }
            if (happens(Fault.SLOW)) {
                pass(incarnation, now + upTo(10 * SECOND));
            } else if (random.nextInt(2) == 0) {
                pass(incarnation, now + exponential(2e6));
            }
            standStill(incarnation);
        }
        incarnation.requireAlive();
    }

    private void standStill(Incarnation incarnation) {
        while (!incarnation.dead() && incarnation.process.frozenUntil() > now) {
            pass(incarnation, incarnation.process.frozenUntil());
        }
    }

    /** Runs what is due until then, on top of this process' frame. */
    private void pass(Incarnation incarnation, long until) {
        Frame own = frame;
        boolean interrupted = Thread.interrupted();
        while (true) {
            Task task = next(until, true);
            if (task == null) {
                now = Math.max(now, until);
                break;
            }
            run(task);
            if (incarnation.dead()) {
                break; // nobody waits any more
            }
        }
        SimulatedJob job = own == null ? null : own.job();
        if ((job != null && job.takeInterrupt()) || interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** See {@link dev.evenkeel.controller.schedule.Scheduler#await}. */
    boolean await(Incarnation incarnation, CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        long wait = Math.max(0, nanos(atMost));
        return waitFor(incarnation, future::isDone, wait > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + wait);
    }

    /** Waits until something is so. */
    void waitFor(Incarnation incarnation, BooleanSupplier condition) throws InterruptedException {
        var unused = waitFor(incarnation, condition, Long.MAX_VALUE);
    }

    private boolean waitFor(Incarnation incarnation, BooleanSupplier condition, long deadline)
            throws InterruptedException {
        Frame own = frame;
        SimulatedJob job = own == null ? null : own.job();
        while (true) {
            standStill(incarnation);
            incarnation.requireAlive();
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (condition.getAsBoolean()) {
                return true;
            }
            if (now >= deadline) {
                return false;
            }
            Task task = depth < WAITS_DEEP && steps <= stepLimit ? next(deadline, true) : null;
            if (task != null) {
                run(task);
            } else if (deadline == Long.MAX_VALUE) {
                throw new IllegalStateException(
                        "waits for what never comes, deep in other waits or with nothing left to do");
            } else {
                now = deadline;
            }
            if (job != null && job.takeInterrupt()) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // processes

    /** Starts an incarnation. */
    void begin(Incarnation incarnation, Program program) {
        ProcessScheduler scheduler = new ProcessScheduler(this, incarnation);
        Client client = new FaultyClient(this, incarnation, ((WorldClient) server).server());
        var unused = add(Task.Sort.THREAD, "starts", incarnation, new SimulatedJob(), now, () -> {
            try {
                incarnation.running = program.start(client, scheduler);
            } catch (Exception e) {
                incarnation.requireAlive();
                trace(incarnation.toString(), "does not start: " + e.getClass().getSimpleName());
                incarnation.process.crash(downtime());
            }
        });
    }

    /** Stops an incarnation cleanly. */
    void stopping(Incarnation incarnation, AutoCloseable running, Runnable then) {
        var unused = add(Task.Sort.ALONE, "stops", incarnation, new SimulatedJob(), now, () -> {
            try {
                running.close();
            } catch (Exception e) {
                incarnation.requireAlive();
                throw new IllegalStateException("it did not stop: " + e, e);
            } finally {
                then.run();
            }
        });
    }

    /** What befalls a process by itself, from time to time, while the weather is the same. */
    private void befall(SimulatedProcess process, long when) {
        double death = faults.rate(Fault.DEATH);
        double restart = faults.rate(Fault.RESTART);
        double freeze = faults.rate(Fault.FREEZE);
        double all = death + restart + freeze;
        if (all <= 0) {
            return;
        }
        var unused =
                add(Task.Sort.THREAD, "fate of " + process.name(), null, null, now + exponential(SECOND / all), () -> {
                    if (when != weather) {
                        return;
                    }
                    double fate = fraction() * all;
                    if (fate < death) {
                        process.crash(downtime());
                    } else if (fate < death + restart) {
                        process.restart(downtime());
                    } else {
                        process.freeze(Duration.ofNanos(upTo(60 * SECOND)));
                    }
                    befall(process, when);
                });
    }

    /** How long a process is away. */
    Duration downtime() {
        return Duration.ofNanos(upTo(20 * SECOND));
    }

    // chance

    /** Another stream of chance. */
    SplittableRandom split() {
        return random.split();
    }

    boolean happens(Fault fault) {
        double rate = faults.rate(fault);
        return rate > 0 && random.nextDouble() < rate;
    }

    double fraction() {
        return random.nextDouble();
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Nanoseconds, any up to this as often. */
    long upTo(long nanos) {
        return random.nextLong(nanos + 1);
    }

    /** Nanoseconds, often few and rarely many. */
    long exponential(double mean) {
        return (long) (-mean * Math.log(1 - random.nextDouble()));
    }

    /** A lost connection. */
    RuntimeException lost(String what) {
        return new UncheckedIOException(new IOException("simulated: the connection is lost: " + what));
    }

    /** An answer as somebody got it before. */
    @SuppressWarnings("unchecked")
    <T extends HasMetadata> Optional<Listing<T>> earlier(String question, Kind<T> kind) {
        Listing<?> known = earlier.get(question);
        return known == null || !question.startsWith(kind.toString())
                ? Optional.empty()
                : Optional.of((Listing<T>) known);
    }

    /** Keeps an answer for {@link #earlier}. */
    void keep(String question, Listing<?> answer) {
        earlier.put(question, answer);
    }

    /** Nanoseconds since the start. */
    long nanos() {
        return now;
    }

    static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    /** Virtual time, as time of day. */
    private final class VirtualClock extends Clock {
        @Override
        public Instant instant() {
            return BEGINNING.plusNanos(now);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return zone.equals(ZoneOffset.UTC) ? this : fixed(instant(), zone);
        }
    }
}
