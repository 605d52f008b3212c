package dev.evenkeel.load.internal.run;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.store.MemoryStore;
import dev.evenkeel.load.Controllers;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.Phase;
import dev.evenkeel.load.Progress;
import dev.evenkeel.load.internal.drive.Pace;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.simulation.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Runs a plan in virtual time. */
public record SimulatedRun(LoadPlan plan, boolean kubelets, Consumer<? super Progress> progress) {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final MemoryStore.Window WINDOW = new MemoryStore.Window(100_000, Duration.ofHours(1));

    /** Runs the plan. */
    public LoadResult run(Controllers controllers) throws InterruptedException {
        VirtualScheduler scheduler = new VirtualScheduler(plan.seed(), START);
        try (Engine engine = Engine.builder()
                        .store(context -> new MemoryStore(WINDOW, context.clock(), Runnable::run))
                        .clock(scheduler.clock())
                        .random(new SplittableRandom(plan.seed()))
                        .executor(Runnable::run)
                        .build();
                InProcessSubject subject = new InProcessSubject(engine.client(), scheduler, controllers);
                Run run = new Run(plan, engine.client(), subject, kubelets, new Pace(scheduler), 0, progress)) {
            run.prepare();
            run.markersAlone();
            for (Phase phase : plan.phases()) {
                run.run(phase);
            }
            Duration rest = plan.limits().resting();
            Counted resting = run.atRest(rest);
            Optional<Counted> restart = Optional.of(run.restart());
            return new LoadResult(
                    plan.name(),
                    plan.seed(),
                    START,
                    new TreeMap<>(Map.of(
                            "controller",
                            "in this process, in virtual time",
                            "objects",
                            Integer.toString(run.state().objects().size()))),
                    run.phases(),
                    List.of(),
                    List.of(),
                    List.of(),
                    new Judgement(plan, run, subject)
                            .verdicts(rest, resting, List.of(), restart, Optional.empty(), List.of()));
        }
    }
}
