package dev.evenkeel.simulation;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Listing;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.simulation.fault.FaultRates;
import dev.evenkeel.simulation.internal.FaultInjectingClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A simulation of a server and its client processes under faults, in virtual time, on the thread that moves time, and
 * all decided by one seed.
 *
 * <p>The problem: a defect of a controller appears when a watch is late, an answer is lost, a process dies between two
 * writes, or two tasks run in an unexpected order. Such a run must happen often enough to be found, and then be
 * repeated exactly to be understood.
 *
 * <p>Tasks are chosen at random among those that are due; see {@link VirtualTime}. A task that calls the server, or
 * waits, takes time, in which other tasks run: so tasks interleave at each call, before and after it takes effect, on
 * one thread. The same seed, faults and program give the same trace.
 *
 * <p>Depth is bounded: deeply nested calls take no time. Cost: a step takes about a microsecond in addition to its
 * task.
 */
public final class Simulation {
    private static final int CALLS_DEEP = 6;
    private static final int VIOLATIONS = 50;
    private static final int TAIL = 200;
    private static final long STEPS = 2_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final SplittableRandom random;
    private final Trace trace;
    private final Monitor monitor = new Monitor(this);
    private final VirtualTime time;
    private final List<VirtualScheduler.Reading<?>> polled = new ArrayList<>();
    private final Client api;
    private final Client server;
    private final Map<String, SimulatedProcess> processes = new LinkedHashMap<>();
    private final List<FaultyWatch<?>> watches = new ArrayList<>();
    private final Map<String, Listing<?>> earlierLists = new LinkedHashMap<>();
    private final List<Invariant> invariants = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();
    private FaultRates faults;
    private long changes;
    private long pumped;
    private long faultEpoch;

    /** Creates a simulation with this server, without processes. */
    public Simulation(long seed, FaultRates faults, ServerFactory server) {
        this(seed, faults, server, TAIL);
    }

    private Simulation(long seed, FaultRates faults, ServerFactory server, int tail) {
        this.faults = faults;
        this.trace = new Trace(tail);
        // nearby seeds must not begin with equal values
        this.random = new SplittableRandom(seed * 0x9e3779b97f4a7c15L + 1);
        this.time = new VirtualTime(new VirtualClock(START), random, new Tasks(), STEPS);
        this.api = server.start(time.clock(), random.split(), this::serve);
        this.server = new ForwardingClient(api) {
            @Override
            protected <R> R write(Operation operation, Supplier<R> effect) {
                R answer = effect.get();
                changed();
                trace("world", operation.toString());
                return answer;
            }
        };
    }

    /**
     * Plays a scenario: a phase with faults, then a quiet one, in which everything must converge and remain unchanged.
     */
    public static Result play(SimulationScenario scenario, long seed, FaultRates faults) {
        return play(scenario, seed, faults, TAIL);
    }

    /** Plays a scenario, and records this number of lines of the trace. */
    public static Result play(SimulationScenario scenario, long seed, FaultRates faults, int tail) {
        Simulation simulation = new Simulation(seed, faults, scenario.server(), tail);
        BooleanSupplier wanted = simulation.whenChanged(scenario.prepare(simulation));
        simulation.runFor(scenario.faultPhase());
        simulation.endFaults();
        boolean converged = simulation.runUntil(wanted, scenario.patience());
        if (converged) {
            simulation.runFor(scenario.quietPhase());
            converged = simulation.runUntil(wanted, scenario.patience());
        }
        return new Result(
                scenario.name(),
                seed,
                converged,
                simulation.violations,
                simulation.time.steps(),
                simulation.now(),
                simulation.trace.hash(),
                simulation.trace.tail());
    }

    /** Returns a condition that is evaluated only when something has changed on the server. */
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

    // set-up

    /** Adds a process, and starts it. */
    public SimulatedProcess process(String name, SimulatedProcess.Program program) {
        SimulatedProcess process = new SimulatedProcess(this, name, program);
        if (processes.putIfAbsent(name, process) != null) {
            throw new IllegalArgumentException("process \"" + name + "\" exists already");
        }
        process.start();
        scheduleFaults(process, faultEpoch);
        return process;
    }

    /**
     * Returns the process with a name.
     *
     * @throws IllegalArgumentException if the name is unknown
     */
    public SimulatedProcess processNamed(String name) {
        SimulatedProcess process = processes.get(name);
        if (process == null) {
            throw new IllegalArgumentException("unknown process \"" + name + "\"; known: " + processes.keySet());
        }
        return process;
    }

    /** Adds an invariant, which is checked after each step. */
    public void add(Invariant invariant) {
        invariants.add(invariant);
    }

    /** Runs an action outside of all processes, this time from now. */
    public void at(Duration delay, String name, Runnable task) {
        add(name, null, nanos() + Math.max(0, VirtualScheduler.nanos(delay)), task);
    }

    /** Returns the server without faults and without delay, for actions outside of all processes. */
    public Client server() {
        return server;
    }

    /** Returns virtual time as time of day. */
    public Clock clock() {
        return time.clock();
    }

    /** Returns the virtual time since the start. */
    public Duration now() {
        return Duration.ofNanos(nanos());
    }

    /** Returns the random generator for actions outside of all processes. */
    public SplittableRandom random() {
        return random;
    }

    /** Returns the monitor, to which reconcilers report their actions and reads. */
    public Monitor monitor() {
        return monitor;
    }

    /** Returns the present rates of faults. */
    public FaultRates faults() {
        return faults;
    }

    /** Sets the rates of faults from now on. */
    public void faults(FaultRates value) {
        faults = value;
        faultEpoch++;
        processes.values().forEach(process -> scheduleFaults(process, faultEpoch));
    }

    /** Ends all faults: frozen processes continue, dead ones are started. Silent watches remain silent. */
    private void endFaults() {
        faults(FaultRates.NONE);
        trace("world", "no more faults");
        processes.values().forEach(SimulatedProcess::thaw);
        processes.values().forEach(SimulatedProcess::start);
    }

    /** Adds a line to the trace. */
    public void trace(String actor, String what) {
        trace.add(nanos(), actor, what);
    }

    /** Returns the first violations. */
    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    void violated(String invariant, String message) {
        Violation violation = new Violation(invariant, nanos(), message);
        trace("VIOLATED", violation.invariant() + ": " + message);
        if (violations.size() < VIOLATIONS) {
            violations.add(violation);
        }
    }

    /**
     * Calls something other than the server, such as an external service, from the process that is running: the call takes
     * time, and may be lost before or after it takes effect, as may be the process.
     *
     * @throws UncheckedIOException when the call or its answer is lost
     */
    public <R> R call(String what, Supplier<R> effect) {
        Task task = current();
        VirtualScheduler caller = task == null ? null : task.process;
        if (caller == null) {
            return effect.get();
        }
        SimulatedProcess process = processNamed(caller.process());
        caller.requireAlive();
        latency(process, caller);
        if (happens(FaultKind.NO_CONNECTION) || happens(FaultKind.REFUSE)) {
            trace(caller.toString(), what + ": no connection");
            throw lost(what);
        }
        boolean dies = happens(FaultKind.CRASH);
        if (dies && fraction() < 0.5) {
            crash(process, caller);
        }
        R answer = effect.get();
        trace(caller.toString(), what);
        if (dies) {
            crash(process, caller);
        }
        boolean lost = happens(FaultKind.LOSE_ANSWER);
        latency(process, caller);
        if (lost) {
            trace(caller.toString(), what + ": the answer is lost");
            throw lost(what);
        }
        return answer;
    }

    /** Returns the task of a live process that is running; null outside of all. */
    @Nullable
    Task current() {
        Task task = time.current();
        return task == null || task.process == null ? null : task;
    }

    // time

    /** Advances time and runs all tasks that are due until then. A task that waits may return from it later. */
    public void runFor(Duration duration) {
        runUntil(() -> false, duration);
    }

    /**
     * Advances time until the condition holds, but no longer than this.
     *
     * @return true if it holds
     */
    public boolean runUntil(BooleanSupplier condition, Duration limit) {
        long end = nanos() + VirtualScheduler.nanos(limit);
        while (!condition.getAsBoolean()) {
            Task task = time.next(end, false);
            if (task == null) {
                time.clock().advanceTo(end);
                return condition.getAsBoolean();
            }
            time.run(task);
            if (time.exhausted()) {
                violated("it comes to an end", "not within " + time.steps() + " steps");
                return false;
            }
        }
        return true;
    }

    /** Adds a task of a process, or of none. */
    Task add(String name, @Nullable VirtualScheduler process, long due, Runnable body) {
        return time.add(new Task(Task.Sort.THREAD, name, process, null, due, body));
    }

    /** Runs a thread of a process now. */
    void run(String name, VirtualScheduler process, Task.Sort sort, Runnable body) {
        time.add(new Task(sort, name, process, new Task.Job(), nanos(), body));
    }

    private void serve(Runnable task) {
        long delay = happens(FaultKind.SLOW_SERVER) ? upTo(5 * SECOND) : exponential(1e6);
        add("server", null, nanos() + delay, () -> {
            task.run();
            changed();
        });
    }

    /** Traces tasks, checks invariants, and polls the server's watches. */
    private final class Tasks implements VirtualTime.Hooks {
        @Override
        public void poll() {
            while (pumped != changes) {
                pumped = changes;
                List.copyOf(watches).forEach(FaultyWatch::pump);
            }
            if (!polled.isEmpty()) {
                VirtualScheduler.poll(polled);
            }
        }

        @Override
        public void begins(Task task) {
            trace(task.process == null ? "world" : task.process.toString(), task.name);
        }

        @Override
        public void ended() {
            for (Invariant invariant : invariants) {
                invariant.check().apply(Simulation.this).ifPresent(message -> violated(invariant.name(), message));
            }
        }

        @Override
        public void failed(Task task, Throwable failure) {
            String where = Stream.of(failure.getStackTrace())
                    .limit(6)
                    .map(at -> " < " + at.getClassName() + "." + at.getMethodName() + ":" + at.getLineNumber())
                    .collect(Collectors.joining());
            String what = failure.getClass().getName() + ": " + failure.getMessage();
            violated("no task fails", task.name + ": " + what + where);
        }
    }

    /** Records that something may have changed on the server. */
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

    /** Lets time pass in a call of a process, while other tasks run. */
    void latency(SimulatedProcess process, VirtualScheduler caller) {
        if (time.depth() < CALLS_DEEP) {
            if (happens(FaultKind.FREEZE_IN_CALL)) {
                process.freeze(Duration.ofNanos(upTo(60 * SECOND)));
            }
            if (happens(FaultKind.SLOW)) {
                time.pass(caller, nanos() + upTo(10 * SECOND));
            } else if (random.nextInt(2) == 0) {
                time.pass(caller, nanos() + exponential(2e6));
            }
            time.thawed(caller);
        }
        caller.requireAlive();
    }

    /** Waits in a task of a process until a condition holds. */
    void await(VirtualScheduler process, BooleanSupplier condition) throws InterruptedException {
        time.await(process, condition, Long.MAX_VALUE);
    }

    // processes

    VirtualScheduler scheduler(String process, String name) {
        return new VirtualScheduler(time, polled, process, name, random.split());
    }

    Client client(SimulatedProcess process, VirtualScheduler scheduler) {
        return new FaultInjectingClient(api, new RandomFaults(this, process, scheduler));
    }

    /** Injects the faults of a process that occur at any time, while the rates are those of this epoch. */
    private void scheduleFaults(SimulatedProcess process, long epoch) {
        double death = faults.rate(FaultKind.DEATH);
        double restart = faults.rate(FaultKind.RESTART);
        double freeze = faults.rate(FaultKind.FREEZE);
        double all = death + restart + freeze;
        if (all <= 0) {
            return;
        }
        add("fault of " + process.name(), null, nanos() + exponential(SECOND / all), () -> {
            if (epoch != faultEpoch) {
                return;
            }
            double which = fraction() * all;
            if (which < death) {
                process.crash(downtime());
            } else if (which < death + restart) {
                process.restart(downtime());
            } else {
                process.freeze(Duration.ofNanos(upTo(60 * SECOND)));
            }
            scheduleFaults(process, epoch);
        });
    }

    /** Kills a process in a task of it. */
    void crash(SimulatedProcess process, VirtualScheduler caller) {
        process.crash(downtime());
        caller.requireAlive();
    }

    Duration downtime() {
        return Duration.ofNanos(upTo(20 * SECOND));
    }

    /** Returns the lists that processes have received so far, by request. */
    Map<String, Listing<?>> earlierLists() {
        return earlierLists;
    }

    // randomness

    boolean happens(FaultKind fault) {
        double rate = faults.rate(fault);
        return rate > 0 && random.nextDouble() < rate;
    }

    double fraction() {
        return random.nextDouble();
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Returns random nanoseconds, uniformly up to this. */
    long upTo(long nanos) {
        return random.nextLong(nanos + 1);
    }

    /** Returns random nanoseconds, exponentially distributed. */
    long exponential(double mean) {
        return (long) (-mean * Math.log(1 - random.nextDouble()));
    }

    RuntimeException lost(String what) {
        return new UncheckedIOException(new IOException("simulated: the connection is lost: " + what));
    }

    long nanos() {
        return time.now();
    }

    /** Creates the server that the processes of a simulation talk to. */
    @FunctionalInterface
    public interface ServerFactory {
        /**
         * Creates the server.
         *
         * @param clock virtual time
         * @param random for values that should differ from server to server, such as uids
         * @param executor runs background work of the server, such as garbage collection; it may be slow
         * @return a client of it that answers at once, whose watches implement {@link
         *     dev.evenkeel.client.Watch#ready()}
         */
        Client start(Clock clock, RandomGenerator random, Executor executor);
    }

    /**
     * A condition that must hold after each step of a simulation.
     *
     * @param name the condition
     * @param check describes the violation; empty while the condition holds. It must not change anything
     */
    public record Invariant(String name, Function<Simulation, Optional<String>> check) {}

    /**
     * A violated invariant.
     *
     * @param invariant its name
     * @param at virtual time since the start, in nanoseconds
     * @param message describes the violation
     */
    public record Violation(String invariant, long at, String message) {
        /** Formats the violation in one line. */
        @Override
        public String toString() {
            return Trace.time(at) + " " + invariant + ": " + message;
        }
    }

    /**
     * The result of a run.
     *
     * @param scenario name of the scenario
     * @param seed repeats the run
     * @param converged whether everything converged in the end
     * @param violations violated invariants; the first ones
     * @param steps number of tasks that ran
     * @param duration virtual time
     * @param hash hash of the trace: equal for equal runs
     * @param tail the last lines of the trace
     */
    public record Result(
            String scenario,
            long seed,
            boolean converged,
            List<Simulation.Violation> violations,
            long steps,
            Duration duration,
            long hash,
            List<String> tail) {
        /** Copies the lists. */
        public Result {
            violations = List.copyOf(violations);
            tail = List.copyOf(tail);
        }

        /** Returns true if it converged without violations. */
        public boolean passed() {
            return converged && violations.isEmpty();
        }

        /** Formats one line; for a failed run, also its violations and the last lines of the trace. */
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(scenario + ", seed " + seed + ": "
                    + (converged ? "converged" : "NOT converged") + " after " + duration + " and " + steps
                    + " steps, trace " + Long.toHexString(hash));
            if (!passed()) {
                violations.forEach(violation -> text.append("\n  VIOLATED ").append(violation));
                tail.forEach(line -> text.append("\n  ").append(line));
            }
            return text.toString();
        }
    }
}
