package dev.evenkeel.server.internal.http;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.WebhookObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    /** Upstream's bounds of durations, in milliseconds, by which dashboards compute their shares. */
    private static final Duration[] BUCKETS = LongStream.of(
                    5, 25, 50, 100, 200, 400, 600, 800, 1_000, 1_250, 1_500, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000,
                    10_000, 15_000, 20_000, 30_000, 45_000, 60_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    /** Upstream's bounds of times in queues, but for 0, in milliseconds. */
    private static final Duration[] WAITS = LongStream.of(
                    5, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    /** The labels that tell the version, and where it has them. */
    private static final Map<String, String> BUILD = Map.of(
            "build_date", "buildDate",
            "compiler", "compiler",
            "git_commit", "gitCommit",
            "git_tree_state", "gitTreeState",
            "git_version", "gitVersion",
            "go_version", "goVersion",
            "major", "major",
            "minor", "minor",
            "platform", "platform");

    /** Upstream's bounds of the times of access control: powers of two, in milliseconds. */
    private static final Duration[] CHECKS = LongStream.range(0, 15)
            .mapToObj(power -> Duration.ofMillis(1L << power))
            .toArray(Duration[]::new);

    /** Upstream's bounds of the times of webhooks, in milliseconds. */
    private static final Duration[] HOOKS = LongStream.of(5, 25, 100, 500, 1_000, 2_500, 10_000, 25_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    /** Upstream's bounds of the times of admission, in milliseconds. */
    private static final Duration[] STEPS = LongStream.of(5, 25, 100, 500, 1_000, 2_500)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    /** The code that larger ones are shown as. */
    private static final int MOST_CODE = 600;

    /** The users that have a label of their own, as upstream. */
    private static final Set<String> KNOWN_USERS =
            Set.of("admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default");

    private static final double[] SIZES = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

    private record Outcome(Labels labels, int code, boolean dryRun) {}

    private record Meters(Counter counter, Timer timer, Timer own, DistributionSummary sizes) {}

    /** The times of an outcome, and their number under a name without a suffix; the registry appends one to counters. */
    private record Attempts(Timer timer, AtomicLong number) {}

    private record Counted(String name, Tags tags) {}

    private record Step(String plugin, String operation, boolean mutating, boolean rejected) {}

    private record Decisions(Counter number, Timer timer) {}

    private record Check(String name, String path) {}

    private record Seats(String level, String limit) {}

    private record CheckMeters(AtomicInteger passed, Counter successes, Counter errors) {}

    private static final Optional<Instant> STARTED =
            ProcessHandle.current().info().startInstant();

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ConcurrentMap<Outcome, Meters> requests = new ConcurrentHashMap<>();
    private final ConcurrentMap<Labels, Counter> events = new ConcurrentHashMap<>();
    private final ConcurrentMap<Labels, AtomicInteger> watches = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, AtomicLong> storage = new ConcurrentHashMap<>();
    private final ConcurrentMap<Check, CheckMeters> checks = new ConcurrentHashMap<>();
    private final PrometheusMeterRegistry checkRegistry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ConcurrentMap<String, Attempts> authentications = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Decisions> decisions = new ConcurrentHashMap<>();
    private final ConcurrentMap<Tags, Timer> hooks = new ConcurrentHashMap<>();
    private final ConcurrentMap<Counted, AtomicLong> counts = new ConcurrentHashMap<>();
    private final ConcurrentMap<Step, Timer> admissions = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, AtomicLong> users = new ConcurrentHashMap<>();
    private final Set<Tags> deprecated = ConcurrentHashMap.newKeySet();
    private final AtomicInteger reading = new AtomicInteger();
    private final AtomicInteger writing = new AtomicInteger();

    private final Counter auditEvents = Counter.builder("apiserver.audit.event").register(registry);
    private final ConcurrentMap<Tags, AtomicInteger> executing = new ConcurrentHashMap<>();
    private final ConcurrentMap<Tags, AtomicInteger> waiting = new ConcurrentHashMap<>();
    private final ConcurrentMap<Tags, Timer> waits = new ConcurrentHashMap<>();
    private final ConcurrentMap<Tags, Timer> executions = new ConcurrentHashMap<>();
    private final ConcurrentMap<Tags, Counter> dispatched = new ConcurrentHashMap<>();
    private final ConcurrentMap<Seats, AtomicInteger> seats = new ConcurrentHashMap<>();

    private final Counter fenced = Counter.builder("evenkeel.fence.refusals")
            .description("writes refused because their fence did not hold")
            .register(registry);

    public Metrics() {
        gauge("apiserver.current.inflight.requests", reading, Tags.of("request_kind", "readOnly"));
        gauge("apiserver.current.inflight.requests", writing, Tags.of("request_kind", "mutating"));
        JsonObject version = Version.tree();
        constant(
                "kubernetes.build.info",
                1,
                Tags.of(BUILD.entrySet().stream()
                        .map(label -> Tag.of(label.getKey(), version.string(label.getValue())))
                        .toList()));
        STARTED.ifPresent(start -> constant("process.start.time.seconds", start.toEpochMilli() / 1e3, Tags.empty()));
        FunctionCounter.builder("process.cpu.seconds", ProcessHandle.current(), Metrics::cpuSeconds)
                .register(registry);
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
    }

    private void constant(String name, double value, Tags tags) {
        Gauge.builder(name, () -> value).tags(tags).register(registry);
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
    public void authenticated(Optional<String> user, long nanos) {
        Attempts attempts = authentications.computeIfAbsent(user.isPresent() ? "success" : "failure", result -> {
            Tags tags = Tags.of("result", result);
            return new Attempts(
                    check("authentication.duration", tags), gauge("authentication.attempts", new AtomicLong(), tags));
        });
        attempts.number.incrementAndGet();
        attempts.timer.record(nanos, TimeUnit.NANOSECONDS);
        user.map(Metrics::known)
                .ifPresent(name -> users.computeIfAbsent(
                                name,
                                each -> gauge(
                                        "authenticated.user.requests", new AtomicLong(), Tags.of("username", each)))
                        .incrementAndGet());
    }

    /** Returns the label of a user, of which there are few. */
    private static String known(String user) {
        return KNOWN_USERS.contains(user) ? user : user.contains("@") ? "email_id" : "other";
    }

    @Override
    public void authorized(boolean allowed, long nanos) {
        Decisions made = decisions.computeIfAbsent(allowed ? "allowed" : "denied", result -> {
            Tags tags = Tags.of("result", result);
            return new Decisions(
                    registry.counter("authorization.attempts", tags), check("authorization.duration", tags));
        });
        made.number.increment();
        made.timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer check(String name, Tags tags) {
        return Timer.builder(name).tags(tags).serviceLevelObjectives(CHECKS).register(registry);
    }

    @Override
    public Call begun(String name, String operation, boolean mutating) {
        long before = System.nanoTime();
        Tags tags = Tags.of("name", name, "operation", operation, "type", mutating ? "admit" : "validating");
        return (outcome, code) -> {
            Tags result = tags.and("rejected", String.valueOf(outcome.isRejected()));
            hooks.computeIfAbsent(
                            result,
                            each -> Timer.builder("apiserver.admission.webhook.admission.duration")
                                    .tags(each)
                                    .serviceLevelObjectives(HOOKS)
                                    .register(registry))
                    .record(System.nanoTime() - before, TimeUnit.NANOSECONDS);
            String shown = Integer.toString(Math.min(code, MOST_CODE));
            registry.counter("apiserver.admission.webhook.request", result.and("code", shown))
                    .increment();
            if (outcome.isRejected()) {
                count(
                        "apiserver.admission.webhook.rejection.count",
                        "Admission webhook rejection count, identified by name and broken out for each admission type"
                                + " (validating or admit) and operation, with the type of error and the code.",
                        tags.and("error_type", error(outcome), "rejection_code", shown));
            } else if (outcome == WebhookObserver.Outcome.IGNORED) {
                count(
                        "apiserver.admission.webhook.fail.open.count",
                        "Admission webhook fail open count, identified by name and broken out for each admission type"
                                + " (validating or admit).",
                        Tags.of("name", name, "type", mutating ? "admit" : "validating"));
            }
        };
    }

    private static String error(WebhookObserver.Outcome rejection) {
        return switch (rejection) {
            case FAILED -> "calling_webhook_error";
            case UNUSABLE -> "apiserver_internal_error";
            default -> "no_error";
        };
    }

    /** Counts under a name without a suffix; the registry appends one to counters. */
    private void count(String name, String description, Tags tags) {
        counts.computeIfAbsent(new Counted(name, tags), unused -> {
                    AtomicLong number = new AtomicLong();
                    Gauge.builder(name, number, Number::doubleValue)
                            .description(description)
                            .tags(tags)
                            .register(registry);
                    return number;
                })
                .incrementAndGet();
    }

    @Override
    public Admission admission(String plugin, String operation, boolean mutating) {
        long before = System.nanoTime();
        return rejected -> admissions
                .computeIfAbsent(new Step(plugin, operation, mutating, rejected), this::timer)
                .record(System.nanoTime() - before, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Step step) {
        Tags tags = Tags.of("type", step.mutating ? "admit" : "validate", "operation", step.operation)
                .and("rejected", String.valueOf(step.rejected));
        boolean all = step.plugin.isEmpty();
        return Timer.builder("apiserver.admission." + (all ? "step" : "controller") + ".admission.duration")
                .description(
                        all
                                ? "Admission sub-step latency histogram in seconds, broken out for each operation and API"
                                        + " resource and step type (validate or admit)."
                                : "Admission controller latency histogram in seconds, identified by name and broken out for"
                                        + " each operation and API resource and type (validate or admit).")
                .tags(all ? tags : tags.and("name", step.plugin))
                .serviceLevelObjectives(STEPS)
                .register(registry);
    }

    @Override
    public void fenced() {
        fenced.increment();
    }

    @Override
    public void auditEvent() {
        auditEvents.increment();
    }

    @Override
    public void auditLevel(String level) {
        registry.counter("apiserver.audit.level", "level", level).increment();
    }

    @Override
    public void auditFailed(long events) {
        registry.counter("apiserver.audit.error", "plugin", "log").increment((double) events);
    }

    @Override
    public Runnable dispatched(String level, String schema) {
        Tags tags = Tags.of("priority_level", level, "flow_schema", schema);
        dispatched
                .computeIfAbsent(tags, each -> registry.counter("apiserver.flowcontrol.dispatched.requests", each))
                .increment();
        AtomicInteger now = executing.computeIfAbsent(tags, each -> {
            AtomicInteger number = gauge("apiserver.flowcontrol.current.executing.requests", new AtomicInteger(), each);
            // every request takes one seat
            return gauge("apiserver.flowcontrol.current.executing.seats", number, each);
        });
        now.incrementAndGet();
        long before = System.nanoTime();
        return () -> {
            now.decrementAndGet();
            executions
                    .computeIfAbsent(tags, each -> wait("apiserver.flowcontrol.request.execution", each))
                    .record(System.nanoTime() - before, TimeUnit.NANOSECONDS);
        };
    }

    @Override
    public Runnable queued(String level, String schema) {
        AtomicInteger now = waiting.computeIfAbsent(Tags.of("priority_level", level, "flow_schema", schema), each -> {
            AtomicInteger number = gauge("apiserver.flowcontrol.current.inqueue.requests", new AtomicInteger(), each);
            return gauge("apiserver.flowcontrol.current.inqueue.seats", number, each);
        });
        now.incrementAndGet();
        return now::decrementAndGet;
    }

    @Override
    public void waited(String level, String schema, boolean executed, long nanos) {
        Tags tags = Tags.of("priority_level", level, "flow_schema", schema, "execute", String.valueOf(executed));
        waits.computeIfAbsent(tags, each -> wait("apiserver.flowcontrol.request.wait.duration", each))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer wait(String name, Tags tags) {
        return Timer.builder(name).tags(tags).serviceLevelObjectives(WAITS).register(registry);
    }

    @Override
    public void seats(String level, String limit, int number) {
        seats.computeIfAbsent(
                        new Seats(level, limit),
                        each -> gauge(
                                "apiserver.flowcontrol." + limit + ".limit.seats",
                                new AtomicInteger(),
                                Tags.of("priority_level", level)))
                .set(number);
    }

    @Override
    public void rejected(String level, String schema, String reason) {
        registry.counter(
                        "apiserver.flowcontrol.rejected.requests",
                        Tags.of("priority_level", level, "flow_schema", schema, "reason", reason))
                .increment();
    }

    @Override
    public void requestAnswered(Labels labels, int code, boolean dryRun, long nanos, long bytes) {
        Meters meters = requests.computeIfAbsent(new Outcome(labels, code, dryRun), this::meters);
        meters.counter.increment();
        if (!labels.longRunning()) {
            meters.timer.record(nanos, TimeUnit.NANOSECONDS);
            meters.own.record(nanos, TimeUnit.NANOSECONDS);
        }
        if (labels.reads()) {
            meters.sizes.record((double) bytes);
        }
    }

    @Override
    public void checked(String name, String path, boolean passed) {
        CheckMeters meters = checks.computeIfAbsent(new Check(name, path), this::checkMeters);
        meters.passed.set(passed ? 1 : 0);
        (passed ? meters.successes : meters.errors).increment();
    }

    private CheckMeters checkMeters(Check check) {
        Tags tags = Tags.of("name", check.name, "type", check.path);
        AtomicInteger passed = new AtomicInteger();
        Gauge.builder("kubernetes.healthcheck", passed, Number::doubleValue)
                .tags(tags)
                .register(checkRegistry);
        return new CheckMeters(passed, checkCounter(tags, "success"), checkCounter(tags, "error"));
    }

    private Counter checkCounter(Tags tags, String status) {
        return Counter.builder("kubernetes.healthchecks")
                .tags(tags.and("status", status))
                .register(checkRegistry);
    }

    @Override
    public String scrapeChecks() {
        return checkRegistry.scrape();
    }

    private Meters meters(Outcome outcome) {
        Tags tags = tags(outcome.labels).and("dry_run", outcome.dryRun ? "All" : "");
        return new Meters(
                Counter.builder("apiserver.request")
                        .tags(tags.and("code", Integer.toString(outcome.code)))
                        .register(registry),
                timer("apiserver.request.duration", tags),
                timer("apiserver.request.sli.duration", tags(outcome.labels)),
                DistributionSummary.builder("apiserver.response.sizes")
                        .tags(tags(outcome.labels))
                        .serviceLevelObjectives(SIZES)
                        .register(registry));
    }

    private Timer timer(String name, Tags tags) {
        return Timer.builder(name).tags(tags).serviceLevelObjectives(BUCKETS).register(registry);
    }

    @Override
    public void deprecated(Labels l) {
        Tags tags = Tags.of("group", l.group(), "version", l.version(), "resource", l.resource())
                .and("subresource", l.subresource(), "removed_release", "");
        if (deprecated.add(tags)) {
            constant("apiserver.requested.deprecated.apis", 1, tags);
        }
    }

    @Override
    public void terminated(Labels labels, int code) {
        Counter.builder("apiserver.request.terminations")
                .tags(tags(labels).and("code", Integer.toString(code)))
                .register(registry)
                .increment();
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
    public void storage(String group, String resource, String id, long objects) {
        AtomicLong count = storage.computeIfAbsent(id, name -> {
            AtomicLong number = gauge("apiserver.storage.objects", new AtomicLong(), Tags.of("resource", name));
            return gauge("apiserver.resource.objects", number, Tags.of("group", group, "resource", resource));
        });
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
        checkRegistry.close();
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
