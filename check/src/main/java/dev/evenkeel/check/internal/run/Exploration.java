package dev.evenkeel.check.internal.run;

import dev.evenkeel.simulation.internal.request.FaultSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Tries schedules, several at the same time, and keeps the smallest one of each problem. */
public final class Exploration {
    private static final int REPEATS = 2;

    /**
     * A problem that was seen again.
     *
     * @param seen the number of runs with it
     * @param tried the number of runs of its schedule
     * @param others the number of other schedules with it
     */
    public record Failure(RunOutcome outcome, int seen, int tried, int others) {}

    private final RunSettings settings;
    private final RunOutcome calm;
    private final Consumer<String> progress;
    private final Map<List<String>, Failure> failures = new HashMap<>();
    private final List<List<String>> order = new ArrayList<>();
    private final List<String> unsteady = new ArrayList<>();
    private final long begin = System.nanoTime();
    private int runs;
    private long end;

    /** Creates an exploration around a run without faults. */
    public Exploration(RunSettings settings, RunOutcome calm, Consumer<String> progress) {
        this.settings = settings;
        this.calm = calm;
        this.progress = progress;
    }

    /**
     * Tries schedules until there are no more, or the time is over.
     *
     * @param failFast whether it ends with the first problem
     */
    public void explore(Iterator<FaultSchedule> schedules, Duration time, int parallel, boolean failFast)
            throws InterruptedException {
        long deadline = System.nanoTime() + time.toNanos();
        try (ExecutorService workers = Executors.newFixedThreadPool(parallel)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < parallel; i++) {
                all.add(workers.submit(() -> {
                    Optional<FaultSchedule> next = next(schedules, deadline, failFast);
                    while (next.isPresent()) {
                        examine(next.get());
                        next = next(schedules, deadline, failFast);
                    }
                    return true;
                }));
            }
            try {
                for (Future<?> one : all) {
                    var unused = one.get();
                }
            } catch (InterruptedException e) {
                // the workers end their processes
                var unused = workers.shutdownNow();
                throw e;
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            end = System.nanoTime();
        }
    }

    private Optional<FaultSchedule> next(Iterator<FaultSchedule> schedules, long deadline, boolean failFast) {
        if (failFast && !failures().isEmpty()) {
            return Optional.empty();
        }
        synchronized (schedules) {
            return schedules.hasNext() && System.nanoTime() < deadline
                    ? Optional.of(schedules.next())
                    : Optional.empty();
        }
    }

    private void examine(FaultSchedule schedule) throws InterruptedException {
        RunOutcome outcome = make(schedule);
        if (outcome.problem().isEmpty()) {
            return;
        }
        if (isKnown(outcome)) {
            return;
        }
        RunOutcome smallest = shrink(outcome);
        if (!smallest.schedule().equals(schedule) && isKnown(smallest)) {
            return;
        }
        int seen = 1;
        int tried = 1;
        while (tried <= REPEATS) {
            RunOutcome again = make(smallest.schedule());
            tried++;
            if (again.problem().isPresent()) {
                seen++;
            }
        }
        add(smallest, seen, tried);
    }

    private RunOutcome shrink(RunOutcome outcome) {
        List<RunOutcome> smallest = new ArrayList<>(List.of(outcome));
        FaultSchedule unused = outcome.schedule().shrink(candidate -> {
            try {
                RunOutcome smaller = make(candidate);
                if (smaller.problem().isPresent()) {
                    smallest.set(0, smaller);
                }
                return smaller.problem().isPresent();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        });
        return smallest.getFirst();
    }

    private RunOutcome make(FaultSchedule schedule) throws InterruptedException {
        RunOutcome outcome = ControllerRun.make(settings, schedule, Optional.of(calm));
        synchronized (this) {
            runs++;
            progress.accept(String.format(
                    "%4d  %5.1f s  %s  %s%s",
                    runs,
                    outcome.elapsed().toMillis() / 1000.0,
                    outcome.problem().isPresent() ? "WRONG" : "right",
                    schedule,
                    outcome.missed().isEmpty()
                            ? ""
                            : "  (did not strike: " + new FaultSchedule(outcome.missed()) + ")"));
        }
        return outcome;
    }

    /** Returns what makes two problems the same: its title and details. */
    private static List<String> identity(RunOutcome outcome) {
        RunOutcome.Problem problem = outcome.problem().orElseThrow();
        List<String> identity = new ArrayList<>();
        identity.add(problem.title());
        if (problem.title().startsWith("at rest")) {
            identity.addAll(problem.lines());
        }
        return identity;
    }

    private synchronized boolean isKnown(RunOutcome outcome) {
        return failures.computeIfPresent(
                        identity(outcome),
                        (name, known) -> new Failure(known.outcome, known.seen, known.tried, known.others + 1))
                != null;
    }

    private synchronized void add(RunOutcome outcome, int seen, int tried) {
        if (seen == 1) {
            unsteady.add("seen once in " + tried + " runs of the same schedule, and therefore not counted: "
                    + outcome.problem().orElseThrow().title() + "; --replay '" + outcome.schedule() + "'");
        } else if (failures.put(identity(outcome), new Failure(outcome, seen, tried, 0)) == null) {
            order.add(identity(outcome));
        }
    }

    /** Repeats a schedule once. */
    public RunOutcome replay(FaultSchedule schedule) throws InterruptedException {
        RunOutcome outcome = make(schedule);
        end = System.nanoTime();
        if (outcome.problem().isPresent()) {
            synchronized (this) {
                failures.put(identity(outcome), new Failure(outcome, 1, 1, 0));
                order.add(identity(outcome));
            }
        }
        return outcome;
    }

    /** Returns the problems, in the order in which they were found. */
    public synchronized List<Failure> failures() {
        return order.stream().map(failures::get).toList();
    }

    /** Returns lines about problems that were seen once only. */
    public synchronized List<String> unsteady() {
        return List.copyOf(unsteady);
    }

    /** Returns the number of runs. */
    public synchronized int runs() {
        return runs;
    }

    /** Returns the time that all runs took. */
    public Duration elapsed() {
        return Duration.ofNanos(end - begin);
    }
}
