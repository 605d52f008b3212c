package dev.evenkeel.server.internal.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * The metrics of the server, under the names that dashboards for Kubernetes know.
 *
 * <p>All labels come from bounded sets, see {@link Labels}. Meters are looked up once per set of labels and then
 * cached.
 */
public final class Metrics implements RequestMetrics {
    private static final Duration[] BUCKETS = LongStream.of(1, 5, 25, 100, 500, 1_000, 5_000, 30_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private record Outcome(Labels labels, int code, boolean dryRun) {}

    private record Meters(Counter counter, Timer timer) {}

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ConcurrentMap<Outcome, Meters> requests = new ConcurrentHashMap<>();
    private final ConcurrentMap<Labels, Counter> events = new ConcurrentHashMap<>();
    private final ConcurrentMap<Labels, AtomicInteger> watches = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, AtomicLong> storage = new ConcurrentHashMap<>();
    private final AtomicInteger reading = new AtomicInteger();
    private final AtomicInteger writing = new AtomicInteger();

    private final Counter fenced = Counter.builder("evenkeel.fence.refusals")
            .description("writes refused because their fence did not hold")
            .register(registry);

    public Metrics() {
        gauge("apiserver.current.inflight.requests", reading, Tags.of("request_kind", "readOnly"));
        gauge("apiserver.current.inflight.requests", writing, Tags.of("request_kind", "mutating"));
    }

    private <N extends Number> N gauge(String name, N number, Tags tags) {
        Gauge.builder(name, number, Number::doubleValue).tags(tags).register(registry);
        return number;
    }

    @Override
    public void requestStarted(boolean mutating) {
        (mutating ? writing : reading).incrementAndGet();
    }

    @Override
    public void requestFinished(boolean mutating) {
        (mutating ? writing : reading).decrementAndGet();
    }

    @Override
    public int inFlight() {
        return reading.get() + writing.get();
    }

    @Override
    public void fenced() {
        fenced.increment();
    }

    @Override
    public void requestAnswered(Labels labels, int code, boolean dryRun, long nanos) {
        Meters meters = requests.computeIfAbsent(new Outcome(labels, code, dryRun), this::meters);
        meters.counter.increment();
        if (!labels.longRunning()) {
            meters.timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    private Meters meters(Outcome outcome) {
        Tags tags = tags(outcome.labels).and("dry_run", outcome.dryRun ? "All" : "");
        return new Meters(
                Counter.builder("apiserver.request")
                        .tags(tags.and("code", Integer.toString(outcome.code)))
                        .register(registry),
                Timer.builder("apiserver.request.duration")
                        .tags(tags)
                        .serviceLevelObjectives(BUCKETS)
                        .register(registry));
    }

    @Override
    public void events(Labels labels, long count) {
        Counter counter = events.computeIfAbsent(labels, l -> {
            Tags tags = Tags.of("group", l.group(), "version", l.version(), "resource", l.resource());
            return Counter.builder("apiserver.watch.events").tags(tags).register(registry);
        });
        counter.increment((double) count);
    }

    @Override
    public void watchBegun(Labels labels) {
        watches(labels).incrementAndGet();
    }

    @Override
    public void watchEnded(Labels labels) {
        watches(labels).decrementAndGet();
    }

    private AtomicInteger watches(Labels labels) {
        return watches.computeIfAbsent(
                labels, l -> gauge("apiserver.longrunning.requests", new AtomicInteger(), tags(l)));
    }

    @Override
    public void storage(String resource, long objects) {
        AtomicLong count = storage.computeIfAbsent(
                resource, name -> gauge("apiserver.storage.objects", new AtomicLong(), Tags.of("resource", name)));
        count.set(objects);
    }

    /** Returns the registry of these meters. */
    public MeterRegistry registry() {
        return registry;
    }

    @Override
    public String scrape() {
        return registry.scrape();
    }

    public void close() {
        registry.close();
    }

    private static Tags tags(Labels l) {
        return Tags.of(
                "verb", l.verb(),
                "group", l.group(),
                "version", l.version(),
                "resource", l.resource(),
                "subresource", l.subresource(),
                "scope", l.scope(),
                "component", "apiserver");
    }
}
