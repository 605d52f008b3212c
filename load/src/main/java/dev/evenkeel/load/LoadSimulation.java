package dev.evenkeel.load;

import dev.evenkeel.load.internal.run.SimulatedRun;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.Verdict;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Runs of a plan in virtual time, with controllers and an engine in this process: a load of minutes takes the time of its
 * computations. Equal plans with equal seeds give equal results, if the controllers use no other time than that of the
 * scheduler.
 *
 * <p>Memory and processors are not measured: the process has others to do.
 */
public final class LoadSimulation {
    private final LoadPlan plan;
    private boolean kubelets = true;
    private Consumer<? super Progress> progress = step -> {};

    private LoadSimulation(LoadPlan plan) {
        this.plan = plan;
    }

    /** Returns runs of a plan. */
    public static LoadSimulation of(LoadPlan plan) {
        return new LoadSimulation(plan);
    }

    /** Returns the plan. */
    public LoadPlan plan() {
        return plan;
    }

    /** Sets whether pods are bound to nodes and get a status; default true. */
    public LoadSimulation kubelets(boolean value) {
        kubelets = value;
        return this;
    }

    /** Sets what receives the progress. */
    public LoadSimulation progress(Consumer<? super Progress> value) {
        progress = value;
        return this;
    }

    /**
     * Runs the plan.
     *
     * @throws LoadException if it can't be run
     * @throws InterruptedException when interrupted
     */
    public LoadResult run(Controllers controllers) throws InterruptedException {
        return new SimulatedRun(plan, kubelets, progress).run(controllers);
    }

    /**
     * Runs the plan, and refuses a result with failed verdicts.
     *
     * @throws AssertionError with the findings of the verdicts that are failures
     * @throws LoadException if it can't be run
     * @throws InterruptedException when interrupted
     */
    public LoadResult check(Controllers controllers) throws InterruptedException {
        LoadResult result = run(controllers);
        List<Verdict> failures = result.verdicts().stream()
                .filter(verdict -> verdict.outcome() == Verdict.Outcome.FAIL)
                .toList();
        if (!failures.isEmpty()) {
            throw new AssertionError("plan " + plan.name() + ", seed " + plan.seed() + ":\n"
                    + failures.stream()
                            .map(verdict -> "  " + verdict.name() + ": " + verdict.finding())
                            .collect(Collectors.joining("\n")));
        }
        return result;
    }
}
