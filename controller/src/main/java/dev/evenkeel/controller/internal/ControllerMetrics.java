package dev.evenkeel.controller.internal;

import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.ControllerEvent;
import dev.evenkeel.controller.Placement;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.Informer.Statistics;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.controller.internal.queue.QueueMetrics;
import dev.evenkeel.controller.internal.queue.QueueStatistics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Publishes metrics under the names of controller-runtime's dashboards: {@code controller_runtime_*},
 * {@code workqueue_*} and {@code leader_election_master_status}, with the labels {@code controller}, {@code name} and
 * {@code result}; further ones under {@code evenkeel_*}.
 *
 * <p>No label has a value from an object, so their number does not grow. The meters of a controller are removed with
 * it, and all of them when the manager closes: several managers can share a registry one after the other, or at the
 * same time with different controllers.
 */
public final class ControllerMetrics implements ControllerEvent.Listener {
    /** The longest delay of the standard back-off: keys wait longer than reconciliations take. */
    private static final Duration QUEUE_MAX = Duration.ofSeconds(1000);

    private final MeterRegistry registry;
    private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();
    private final Set<String> kinds = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<Tally, Counter> counters = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Timer> times = new ConcurrentHashMap<>();

    public ControllerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    private <M extends Meter> M kept(M meter) {
        meters.add(meter);
        return meter;
    }

    @Override
    public void on(ControllerEvent event) {
        if (!(event instanceof ControllerEvent.Reconciled reconciled)) {
            return;
        }
        String controller = reconciled.controller();
        count("controller.runtime.reconcile", controller, result(reconciled.outcome()));
        times.computeIfAbsent(
                        controller,
                        name -> kept(Timer.builder("controller.runtime.reconcile.time")
                                .description("How long reconciliations take")
                                .publishPercentileHistogram()
                                .tag("controller", name)
                                .register(registry)))
                .record(reconciled.taken());
        if (result(reconciled.outcome()).equals("error")) {
            count("controller.runtime.reconcile.errors", controller, "");
        }
        switch (reconciled.outcome()) {
            case TERMINAL -> count("controller.runtime.terminal.reconcile.errors", controller, "");
            case PANIC -> count("controller.runtime.reconcile.panics", controller, "");
            case TIMEOUT -> count("controller.runtime.reconcile.timeouts", controller, "");
            case ERROR, CONFLICT, SUCCESS, REQUEUE, REQUEUE_AFTER, LEASE_LOST -> {}
        }
    }

    private static String result(ControllerEvent.Outcome outcome) {
        return switch (outcome) {
            case SUCCESS, REQUEUE, REQUEUE_AFTER, LEASE_LOST -> outcome.name().toLowerCase(Locale.ROOT);
            case ERROR, CONFLICT, PANIC, TIMEOUT, TERMINAL -> "error";
        };
    }

    private record Tally(String name, String controller, String result) {
        Tags tags() {
            Tags tags = Tags.of("controller", controller);
            return result.isEmpty() ? tags : tags.and("result", result);
        }
    }

    private void count(String name, String controller, String result) {
        counters.computeIfAbsent(
                        new Tally(name, controller, result),
                        tally -> kept(Counter.builder(name).tags(tally.tags()).register(registry)))
                .increment();
    }

    QueueMetrics queue(String controller) {
        Timer waited = timer("workqueue.queue.duration", controller);
        Timer worked = timer("workqueue.work.duration", controller);
        return new QueueMetrics(
                nanos -> waited.record(nanos, TimeUnit.NANOSECONDS),
                nanos -> worked.record(nanos, TimeUnit.NANOSECONDS));
    }

    private Timer timer(String name, String controller) {
        return kept(Timer.builder(name)
                .publishPercentileHistogram()
                .maximumExpectedValue(QUEUE_MAX)
                .tags(queueTags(controller))
                .register(registry));
    }

    private static Tags queueTags(String controller) {
        return Tags.of("name", controller, "controller", controller);
    }

    public void bind(RunningController<?> running) {
        String name = running.controller().name();
        Tags queued = queueTags(name);
        Supplier<QueueStatistics> figures = running.queue()::statistics;
        gauge("workqueue.depth", queued, figures, of(QueueStatistics::depth));
        gauge("workqueue.unfinished.work.seconds", queued, figures, of(q -> seconds(q.unfinished())));
        gauge("workqueue.longest.running.processor.seconds", queued, figures, of(q -> seconds(q.longestRunning())));
        function("workqueue.adds", queued, figures, of(QueueStatistics::added));
        function("workqueue.retries", queued, figures, of(QueueStatistics::retried));
        Tags tags = Tags.of("controller", name);
        gauge("controller.runtime.active.workers", tags, running, RunningController::active);
        gauge("controller.runtime.max.concurrent.reconciles", tags, running.controller(), Controller::workers);
        switch (running.placement()) {
            case Placement.Leader unused ->
                gauge("leader.election.master.status", Tags.of("name", name), running, RunningController::slots);
            case Placement.Sharded unused -> gauge("evenkeel.shard.slots", tags, running, RunningController::slots);
            case Placement.EveryServer unused -> {}
        }
    }

    /** Registers the meters of the caches of a kind, all selections together. */
    public void bind(Informers informers, String kind) {
        if (!kinds.add(kind)) {
            return;
        }
        Tags tags = Tags.of("kind", kind);
        Supplier<Stream<Statistics>> figures = () -> informers.all().stream()
                .filter(informer -> informer.kind().id().equals(kind))
                .map(Informer::figures);
        gauge("evenkeel.cache.objects", tags, figures, sum(Statistics::objects));
        gauge("evenkeel.cache.bytes", tags, figures, sum(Statistics::bytes));
        gauge("evenkeel.cache.unsynced", tags, figures, sum(informer -> informer.synced() ? 0 : 1));
        gauge("evenkeel.cache.problems", tags, figures, sum(Statistics::problems));
        gauge("evenkeel.watch.quiet.seconds", tags, figures, of(ControllerMetrics::quiet));
        function("evenkeel.watch.restarts", tags, figures, sum(Statistics::watchRestarts));
        function("evenkeel.watch.failures", tags, figures, sum(Statistics::failures));
        function("evenkeel.cache.relists", tags, figures, sum(Statistics::relists));
    }

    private static ToDoubleFunction<Supplier<Stream<Statistics>>> sum(ToDoubleFunction<Statistics> figure) {
        return of(all -> all.mapToDouble(figure).sum());
    }

    private static double quiet(Stream<Statistics> all) {
        return all.mapToDouble(it -> seconds(it.quiet())).max().orElse(0);
    }

    private static <S> ToDoubleFunction<Supplier<S>> of(ToDoubleFunction<S> figure) {
        return all -> figure.applyAsDouble(all.get());
    }

    private <T> void gauge(String name, Tags tags, T of, ToDoubleFunction<T> value) {
        Gauge unused = kept(
                Gauge.builder(name, of, value).tags(tags).strongReference(true).register(registry));
    }

    /** Registers a counter, which refers to its object weakly: gauges of the same object keep it reachable. */
    private <T> void function(String name, Tags tags, T of, ToDoubleFunction<T> value) {
        FunctionCounter unused =
                kept(FunctionCounter.builder(name, of, value).tags(tags).register(registry));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** Removes the meters of a controller, so that the next one of that name starts from zero. */
    public void unbind(String controller) {
        counters.keySet().removeIf(tally -> tally.controller().equals(controller));
        times.remove(controller);
        meters.removeIf(meter -> {
            Meter.Id id = meter.getId();
            boolean its = controller.equals(id.getTag("controller")) || controller.equals(id.getTag("name"));
            Meter unused = its ? registry.remove(meter) : null;
            return its;
        });
    }

    public void close() {
        for (Meter meter = meters.poll(); meter != null; meter = meters.poll()) {
            Meter unused = registry.remove(meter);
        }
    }
}
