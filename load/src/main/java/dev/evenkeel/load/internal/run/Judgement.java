package dev.evenkeel.load.internal.run;

import dev.evenkeel.load.Limits;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.Phase;
import dev.evenkeel.load.internal.drive.Effects;
import dev.evenkeel.load.internal.verdict.Convergence;
import dev.evenkeel.load.internal.verdict.EndState;
import dev.evenkeel.load.internal.verdict.Fairness;
import dev.evenkeel.load.internal.verdict.Idle;
import dev.evenkeel.load.internal.verdict.LatencyBound;
import dev.evenkeel.load.internal.verdict.Leak;
import dev.evenkeel.load.internal.verdict.Restart;
import dev.evenkeel.load.internal.verdict.Scaling;
import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.SizeResult;
import dev.evenkeel.load.result.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
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
            Optional<List<String>> differences,
            List<SizeResult> sizes) {
        Limits limits = plan.limits();
        List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(Convergence.judge(run.phases(), this::bound));
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
            Idle.judge(rest, resting.numbers(), cores, idle(limits)).stream()
                    .filter(verdict -> cores.length > 0 || !verdict.unit().equals("cores"))
                    .forEach(verdicts::add);
        }
        restart.filter(unused -> subject.isCounted())
                .ifPresent(requests -> verdicts.addAll(Restart.judge(
                        List.of(requests.numbers()),
                        run.state().objects().size(),
                        new Restart.Limits(
                                limits.restartLists(),
                                Restart.Limits.DEFAULT.getsPerObject(),
                                limits.restartWrites(),
                                Restart.Limits.DEFAULT.ignored()))));
        fairness().ifPresent(verdicts::add);
        differences.ifPresent(
                some -> verdicts.add(EndState.judge(some, run.state().objects().size())));
        plan.phases().stream().filter(Phase::cost).forEach(phase -> verdicts.add(scaling(phase.name(), sizes)));
        return verdicts;
    }

    private Duration bound(PhaseResult result) {
        return plan.phases().stream()
                .filter(phase -> phase.name().equals(result.name()))
                .map(Phase::bound)
                .findFirst()
                .orElse(plan.limits().start());
    }

    private Verdict scaling(String phase, List<SizeResult> sizes) {
        List<Scaling.Point> points = sizes.stream()
                .flatMap(size -> size.costs().getOrDefault(phase, List.of()).stream()
                        .map(cost -> new Scaling.Point(size.objects(), cost.toNanos() / 1e3)))
                .toList();
        Scaling.Limits defaults = Scaling.Limits.DEFAULT;
        return Scaling.judge(
                points, "µs", new Scaling.Limits(plan.limits().exponent(), defaults.growth(), defaults.level()));
    }

    /** Judges all phases that one namespace has most operations of; returns a failure, or else the surest judgement. */
    private Optional<Verdict> fairness() {
        return run.phases().stream()
                .flatMap(phase -> fairness(phase.name()).stream())
                .min(Comparator.comparing((Verdict verdict) -> switch (verdict.outcome()) {
                            case FAIL -> 0;
                            case PASS -> 1;
                            case OPEN -> 2;
                        })
                        .thenComparing(Verdict::confidence, Comparator.reverseOrder())
                        .thenComparingDouble(verdict -> verdict.limit() / verdict.value()));
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
        return namespaces.stream()
                .filter(isBusy)
                .findFirst()
                .map(one -> Fairness.judge(one, quiet))
                .map(verdict -> in(phase, verdict));
    }

    private static Verdict in(String phase, Verdict verdict) {
        return new Verdict(
                verdict.name(),
                verdict.outcome(),
                verdict.value(),
                verdict.limit(),
                verdict.unit(),
                "In \"" + phase + "\": " + verdict.finding(),
                verdict.confidence(),
                verdict.firmer());
    }

    static Idle.Limits idle(Limits limits) {
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
