package dev.evenkeel.load.internal.run;

import dev.evenkeel.load.Limits;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.internal.drive.Effects;
import dev.evenkeel.load.internal.verdict.Convergence;
import dev.evenkeel.load.internal.verdict.EndState;
import dev.evenkeel.load.internal.verdict.Fairness;
import dev.evenkeel.load.internal.verdict.Idle;
import dev.evenkeel.load.internal.verdict.LatencyBound;
import dev.evenkeel.load.internal.verdict.Leak;
import dev.evenkeel.load.internal.verdict.Restart;
import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The verdicts of a run: each on what was measured, and none on what was not. */
record Judgement(LoadPlan plan, Run run, Subject subject) {
    List<Verdict> verdicts(
            Duration rest,
            Counted resting,
            List<Series> series,
            Optional<Counted> restart,
            Optional<List<String>> differences) {
        Limits limits = plan.limits();
        List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(Convergence.judge(run.phases()));
        Latencies visible = Latencies.together(run.phases().stream()
                .filter(phase -> !phase.name().equals("start"))
                .map(PhaseResult::visible)
                .toList());
        if (visible.count() > 0) {
            verdicts.add(LatencyBound.judge(visible, new LatencyBound.Limits(99, limits.visible(), 0.95)));
        }
        if (!run.occupancy().isEmpty()) {
            verdicts.add(Leak.judge(
                    run.occupancy().stream().mapToDouble(Series.Sample::value).toArray(),
                    new Leak.Limits(limits.leakPerCycle(), 0.95, 10, 2_000, plan.seed())));
        }
        if (subject.isCounted()) {
            double[] cores = cores(series, rest);
            Idle.judge(rest, resting.requests(), cores, idle(limits)).stream()
                    .filter(verdict -> cores.length > 0 || !verdict.unit().equals("cores"))
                    .forEach(verdicts::add);
        }
        restart.filter(unused -> subject.isCounted())
                .ifPresent(requests -> verdicts.addAll(Restart.judge(
                        List.of(requests.requests()),
                        run.state().objects().size(),
                        new Restart.Limits(
                                limits.restartLists(),
                                Restart.Limits.DEFAULT.getsPerObject(),
                                limits.restartWrites(),
                                Restart.Limits.DEFAULT.ignored()))));
        run.phases().forEach(phase -> fairness(phase.name()).ifPresent(verdicts::add));
        differences.ifPresent(
                some -> verdicts.add(EndState.judge(some, run.state().objects().size())));
        return verdicts;
    }

    /** Judges a phase that one namespace has most operations of, by markers in all namespaces. */
    private Optional<Verdict> fairness(String phase) {
        Optional<Effects.Outcome> markers = run.markers(phase);
        Optional<String> busy = run.busy(phase);
        if (markers.isEmpty() || busy.isEmpty() || plan.world().namespaces() < 2) {
            return Optional.empty();
        }
        List<Fairness.Namespace> namespaces = run.state().namespaces().stream()
                .map(name -> new Fairness.Namespace(
                        name,
                        run.rest().getOrDefault(name, Latencies.NONE),
                        markers.get().byNamespace().getOrDefault(name, Latencies.NONE),
                        markers.get().missingIn().contains(name) ? 1 : 0))
                .toList();
        Predicate<Fairness.Namespace> isBusy = one -> one.name().equals(busy.get());
        List<Fairness.Namespace> quiet =
                namespaces.stream().filter(isBusy.negate()).toList();
        return namespaces.stream().filter(isBusy).findFirst().map(one -> Fairness.judge(one, quiet));
    }

    private static Idle.Limits idle(Limits limits) {
        Idle.Limits defaults = Idle.Limits.DEFAULT;
        Set<String> ignored = defaults.ignored();
        return new Idle.Limits(
                limits.resting().compareTo(defaults.leastRest()) < 0 ? limits.resting() : defaults.leastRest(),
                limits.restingWrites(),
                limits.restingCores(),
                defaults.requestsPerMinute(),
                defaults.period(),
                ignored,
                defaults.level());
    }

    /** The processors that were used in the last time. */
    private static double[] cores(List<Series> series, Duration rest) {
        return series.stream()
                .filter(one ->
                        one.name().equals("process.cpu") && !one.samples().isEmpty())
                .findFirst()
                .map(one -> {
                    Duration end = one.samples().getLast().at();
                    return one.samples().stream()
                            .filter(sample -> sample.at().compareTo(end.minus(rest)) > 0)
                            .mapToDouble(Series.Sample::value)
                            .toArray();
                })
                .orElse(new double[0]);
    }
}
