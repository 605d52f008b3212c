package dev.evenkeel.server.internal;

import dev.evenkeel.access.internal.LargeRequests;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.UnauthorizedException;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.access.FlowConfiguration;
import dev.evenkeel.engine.internal.access.FlowConfiguration.Flow;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.read.Page;
import dev.evenkeel.engine.internal.service.RemoteApis.Api;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.server.Server;
import dev.evenkeel.server.internal.access.Access;
import dev.evenkeel.server.internal.access.HostCheck;
import dev.evenkeel.server.internal.aggregation.Aggregation;
import dev.evenkeel.server.internal.audit.AuditLog;
import dev.evenkeel.server.internal.discovery.Discovery;
import dev.evenkeel.server.internal.flow.FlowLimiter;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.GoDuration;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.RequestMetrics;
import dev.evenkeel.server.internal.http.Transport;
import dev.evenkeel.server.internal.http.Version;
import dev.evenkeel.server.internal.openapi.OpenApi;
import dev.evenkeel.server.internal.resource.ResourcePath;
import dev.evenkeel.server.internal.watch.WatchPump;
import dev.evenkeel.server.internal.watch.Watches;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles every request: admits it, routes it by its path, and answers it, also when something fails.
 *
 * <p><b>Problem.</b> The engine knows partitions, targets and verbs; clients know paths, headers and bodies, and
 * compare the answers with those of a Kubernetes API server to the letter. The meaning of a path differs by group
 * (built-in or not), by scope and by method, and so does the error for a wrong one.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>The body is not read, and partitions are not touched, before the request was admitted: the server is not
 *       stopping, the host is one of its own, the user is known, and the limit of requests is not reached. No request
 *       creates a partition, except the one of an administrator that is for that, and nothing is read that the user may
 *       not read.
 *   <li>Every request is answered once, with an audit id: refusals as a Status in the client's format, all other
 *       exceptions as 500 with the audit id in answer and log, never with a stack trace in the answer.
 *   <li>An answer that has begun and then fails is aborted, so that it cannot be mistaken for a complete one.
 *   <li>All types of one request come from one {@link dev.evenkeel.engine.internal.type.Types}: a definition that
 *       changes meanwhile does not change half of a request.
 * </ol>
 *
 * <p><b>Concurrency.</b> Each request has a virtual thread of its own, which may block; a watch releases its thread,
 * see {@link WatchPump}, and large bodies are processed by platform threads, see {@link LargeRequests}. Values derived from types (discovery, OpenAPI) are computed once and cached by the partition.
 *
 * <p><b>Cost.</b> A single object is copied once between engine and connection; a list is copied item by item into
 * pieces of 128 KiB. There is no framework between connection and engine: routing is a split path and a map.
 */
public final class ApiHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

    /** The user of a request whose sender could not be authenticated. */
    private static final User NOBODY = new User("", "", List.of());

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    /** Those that may need more memory than they free. */
    private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH");
    /** The part of its time that a request may wait for its turn. */
    private static final int WAIT_PART = 4;

    /** The longest time of a write, as upstream; that of a request is longer. */
    public static final Duration LONGEST_WRITE = Duration.ofSeconds(34);

    private static final Set<String> METRICS = Set.of("/metrics", "/metrics/slis");
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

    private final Partitions partitions;
    private final IdentityEndpoints identity;
    private final Server.Limits limits;
    private final Access access;
    private final RequestMetrics metrics;
    private final HostCheck hosts;
    private final MemoryGuard memory = MemoryGuard.ofHeap();
    private final Optional<AuditLog> audit;
    private final Resources resources;
    private final PartitionEndpoints partitionEndpoints;
    private final FlowLimiter limiter;
    private final Health health;
    private final Discovery discovery;
    private final Optional<Aggregation> aggregation;
    private final OpenApi openApi;
    private volatile boolean stopping;

    public ApiHandler(
            Partitions partitions,
            Server.Limits limits,
            Access access,
            RequestMetrics metrics,
            HostCheck hosts,
            Watches watches,
            Optional<AuditLog> audit,
            Optional<Aggregation> aggregation,
            Duration longestWrite) {
        this.audit = audit;
        this.aggregation = aggregation;
        discovery = new Discovery(aggregation);
        openApi = new OpenApi(aggregation, access.authentication().isPresent());
        this.partitions = partitions;
        partitionEndpoints = new PartitionEndpoints(partitions);
        this.limits = limits;
        this.access = access;
        limiter = new FlowLimiter(limits.maxInFlight(), longestWait(limits.requestTimeout()));
        this.metrics = metrics;
        health = new Health(metrics);
        this.hosts = hosts;
        identity = new IdentityEndpoints(access);
        resources = new Resources(watches, access, metrics, LargeRequests.of("evenkeel-large"), longestWrite);
    }

    /** Refuses requests from now on. */
    public void refuse() {
        stopping = true;
    }

    /** Answers a request; waits for its body, and until its answer is sent. */
    public void handle(HttpExchange call) {
        boolean mutating = !call.method().equals("GET") && !call.method().equals("HEAD");
        metrics.requestStarted(mutating);
        try {
            admit(call);
            lead(call);
        } catch (ApiException e) {
            if (e.causes().stream().anyMatch(cause -> cause.reason().equals(Fence.LOST))) {
                metrics.fenced();
            }
            fail(call, () -> {
                call.warn(RefusalWarnings.of(e));
                call.fail(e.status());
            });
        } catch (Failures.NoSuchPath e) {
            fail(call, () -> call.text(404, "404 page not found\n"));
        } catch (Failures.Busy e) {
            fail(call, () -> {
                call.transport().setHeader("Retry-After", "1");
                call.text(429, e.getMessage() + "\n");
            });
        } catch (UncheckedIOException e) {
            // the client is gone, or does not read: the failure cannot be reported to it
            LOG.debug("connection lost, audit id {}", call.auditId(), e);
            call.transport().abort(e);
        } catch (RuntimeException | Error e) {
            String path = call.path().text();
            call.audit().panicked(e);
            LOG.error("request failed: {} {} audit id {}", call.method(), path, call.auditId(), e);
            fail(call, () -> call.fail(Failures.internal(call.auditId())));
        } finally {
            call.audit().completed(call.transport().status());
            metrics.requestFinished(mutating);
            metrics.requestAnswered(
                    call.labels(),
                    call.transport().status(),
                    call.query().has("dryRun"),
                    call.elapsedNanos(),
                    call.sentBytes());
        }
    }

    /** Reports a failure to the client; if that fails too, only to the log. */
    private static void fail(HttpExchange call, Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException e) {
            LOG.debug("connection lost, audit id {}", call.auditId(), e);
            call.transport().abort(e);
        }
    }

    private void admit(HttpExchange call) {
        if (stopping) {
            call.transport().closeConnection();
            throw Failures.stopping();
        }
        if (!METHODS.contains(call.method())) {
            call.transport().closeConnection();
            throw Refusal.noSuchMethod();
        }
        if (call.path().malformed()) {
            throw Refusal.badRequest("the path is malformed: it has a broken escape, or is not UTF-8");
        }
        hosts.check(call);
        if (WRITES.contains(call.method()) && memory.exhausted()) {
            metrics.terminated(call.labels(), 429);
            throw Failures.tooManyRequests();
        }
        int url = call.transport().path().length() + call.transport().query().length();
        if (url > limits.maxUrlBytes()) {
            throw Failures.of(414, "RequestURITooLong", "the URL is longer than " + limits.maxUrlBytes() + " bytes");
        }
        if (!Resources.isLongRunning(call)) {
            limitTime(call);
        }
    }

    /** Limits the time of a request to that of the server, or to the shorter one that the client has set. */
    private void limitTime(HttpExchange call) {
        Duration allowed = limits.requestTimeout();
        String timeout = call.query().first("timeout");
        if (!timeout.isEmpty()) {
            String problem = GoDuration.problem(timeout);
            if (!problem.isEmpty()) {
                throw Refusal.badRequest("invalid timeout specified in the request URL - " + problem);
            }
            Duration wanted = GoDuration.parse(timeout);
            if (wanted.isPositive() && wanted.compareTo(allowed) < 0) {
                allowed = wanted;
            }
        }
        call.timeLimit(allowed);
        call.transport()
                .expire(new Transport.Expiry(
                        allowed,
                        HttpExchange.TEXT,
                        Failures::allottedTimeout,
                        () -> metrics.terminated(call.labels(), 504)));
    }

    private void lead(HttpExchange call) {
        if (!isOpen(call) || !Access.isAnonymous(call)) {
            Attributes attributes = attributes(call);
            attributes = attributes.user(sender(call, attributes));
            audit(call, attributes);
            boolean administration = PartitionEndpoints.isAdministration(call);
            ResourceApi partition = partition(
                    administration ? Engine.DEFAULT_PARTITION : call.path().partition());
            Permissions permissions = partition.permissions();
            Attributes acting = access.act(call, attributes, permissions);
            call.user(acting.user());
            Optional<Api> remote = aggregation.flatMap(found -> Aggregation.find(call, partition));
            FlowLimiter.Seat seat = enter(call, partition, acting);
            try {
                authorize(call, acting, permissions);
                if (administration) {
                    partitionEndpoints.administer(call);
                } else if (remote.isEmpty()) {
                    route(call);
                }
            } finally {
                seat.leave();
            }
            // the server of the API has a limit of its own
            remote.ifPresent(api -> aggregation.orElseThrow().forward(call, partition, api));
        } else {
            audit(call, attributes(call).user(User.ANONYMOUS));
            route(call);
        }
    }

    /** Returns the right to execute a request, for which it may have to wait. */
    private FlowLimiter.Seat enter(HttpExchange call, ResourceApi partition, Attributes attributes) {
        FlowConfiguration configuration = partition.flows();
        Optional<Flow> flow = configuration.flow(attributes);
        flow.ifPresent(found -> {
            call.transport()
                    .setHeader("X-Kubernetes-PF-FlowSchema-UID", found.schema().uid());
            call.transport()
                    .setHeader(
                            "X-Kubernetes-PF-PriorityLevel-UID", found.level().uid());
        });
        if (isOpen(call)) {
            return () -> {};
        }
        if (flow.isPresent()) {
            return seat(call, partition, configuration, flow.get());
        }
        return limiter.enter().orElseThrow(() -> busy(call));
    }

    /** Divides in nanoseconds: {@link Duration#dividedBy} takes decimal numbers, for each request. */
    private static Duration longestWait(Duration time) {
        return Duration.ofNanos(time.toNanos() / WAIT_PART);
    }

    private FlowLimiter.Seat seat(
            HttpExchange call, ResourceApi partition, FlowConfiguration configuration, Flow flow) {
        String level = flow.level().name();
        String schema = flow.schema().name();
        Duration wait = longestWait(call.timeLimit().orElse(limits.requestTimeout()));
        boolean queues = flow.level().queues() > 0;
        long before = System.nanoTime();
        FlowLimiter.Seat seat = limiter.enter(
                        partition.name(), configuration, flow, wait, () -> metrics.queued(level, schema))
                .orElseThrow(() -> {
                    long waited = System.nanoTime() - before;
                    boolean late = waited >= wait.toNanos();
                    if (queues && late) {
                        metrics.waited(level, schema, false, waited);
                    }
                    metrics.rejected(level, schema, !queues ? "concurrency-limit" : late ? "time-out" : "queue-full");
                    return busy(call);
                });
        if (queues) {
            metrics.waited(level, schema, true, System.nanoTime() - before);
        }
        Runnable left = metrics.dispatched(level, schema);
        return () -> {
            left.run();
            seat.leave();
        };
    }

    private RuntimeException busy(HttpExchange call) {
        metrics.terminated(call.labels(), 429);
        return Failures.busy();
    }

    private void route(HttpExchange call) {
        switch (call.path().first()) {
            case "healthz", "livez", "readyz" -> health.handle(call, this::storeIsUsable);
            case "version" -> Version.handle(call);
            case "metrics" -> metrics(call);
            case "openapi" -> {
                openApi.handle(call, partition(call));
            }
            case "openid", ".well-known" -> identity.handle(call, partition(call));
            case "evenkeel" -> identity.handle(call, partition(call));
            case "api", "apis" -> api(call);
            case "partitions" -> partitionEndpoints.list(call);
            case "" -> discovery.paths(call, partition(call), Health.paths());
            default -> throw Failures.noSuchPath();
        }
    }

    /** Returns what a request is about; its user is not set. */
    static Attributes attributes(HttpExchange call) {
        Optional<ResourcePath> resource = Resources.isResource(call)
                ? Optional.of(ResourcePath.parse(call.path().segments()))
                : Optional.empty();
        String verb = resource.map(path -> Resources.accessVerb(call, path)).orElse("");
        return Access.attributes(call, NOBODY, resource, verb);
    }

    private User sender(HttpExchange call, Attributes attributes) {
        long before = System.nanoTime();
        try {
            User user = access.authenticate(call, () -> existing(call));
            metrics.authenticated(Optional.of(user.name()), System.nanoTime() - before);
            return user;
        } catch (UnauthorizedException e) {
            metrics.authenticated(Optional.empty(), System.nanoTime() - before);
            audit.ifPresent(log -> log.unauthenticated(attributes, call.origin(), Access.attempted(call)));
            throw e;
        }
    }

    private void authorize(HttpExchange call, Attributes acting, Permissions permissions) {
        long before = System.nanoTime();
        boolean allowed = false;
        try {
            Access.authorize(call, acting, permissions);
            allowed = true;
        } finally {
            metrics.authorized(allowed, System.nanoTime() - before);
        }
    }

    private void audit(HttpExchange call, Attributes attributes) {
        audit.ifPresent(log -> call.audit(log.begin(attributes, call.origin())));
    }

    /** Returns true for health and version: they need no credentials, and are answered however busy the server is. */
    private boolean isOpen(HttpExchange call) {
        String first = call.path().first();
        return health.knows(first)
                || (first.equals("version") && call.path().segments().size() == 1);
    }

    private void api(HttpExchange call) {
        ResourceApi partition = partition(call);
        if (Resources.isResource(call)) {
            resources.handle(call, partition);
        } else {
            discovery.handle(call, partition);
        }
    }

    private ResourceApi partition(HttpExchange call) {
        return partition(call.path().partition());
    }

    private ResourceApi partition(String name) {
        return partitions.find(name).map(ResourceApi::of).orElseThrow(Failures::noSuchPath);
    }

    private Optional<ResourceApi> existing(HttpExchange call) {
        return partitions.find(call.path().partition()).map(ResourceApi::of);
    }

    private boolean storeIsUsable() {
        return partitions
                .get(Engine.DEFAULT_PARTITION)
                .flatMap(partition -> ResourceApi.of(partition).outage())
                .isEmpty();
    }

    private void metrics(HttpExchange call) {
        String path = call.path().text();
        if (!call.path().partition().equals("default") || !METRICS.contains(path)) {
            throw Failures.noSuchPath();
        }
        if (path.endsWith("/slis")) {
            call.reply(200, PROMETHEUS, metrics.scrapeChecks().getBytes(StandardCharsets.UTF_8));
            return;
        }
        ResourceApi partition = partition(call);
        for (ResourceType type : partition.types().all()) {
            Target target = Target.of(type, type.storageVersion(), "", "");
            if (type.rules().verbs().contains("list")) {
                metrics.storage(type.group(), type.plural(), type.id(), count(partition, target));
            }
        }
        limiter.seats(partition.name(), partition.flows()).forEach((level, seats) -> {
            metrics.seats(level, "nominal", seats.nominal());
            metrics.seats(level, "lower", seats.lower());
            metrics.seats(level, "upper", seats.upper());
            seats.current().ifPresent(current -> metrics.seats(level, "current", current));
        });
        byte[] text = metrics.scrape().getBytes(StandardCharsets.UTF_8);
        call.reply(200, PROMETHEUS, text);
    }

    /** Counts objects in the state at hand: metrics must not wait for a store that cannot be reached. */
    private static long count(ResourceApi partition, Target target) {
        ListQuery one =
                new ListQuery(LabelSelector.everything(), FieldSelector.everything(), "1", "NotOlderThan", 1, "");
        Page page = partition.list(target, one, User.ADMIN);
        return page.items().size() + page.remaining().orElse(0);
    }
}
