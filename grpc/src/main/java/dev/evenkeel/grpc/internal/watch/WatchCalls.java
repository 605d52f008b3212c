package dev.evenkeel.grpc.internal.watch;

import com.google.rpc.Code;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.read.WatchQuery;
import dev.evenkeel.grpc.GrpcServer;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.Answers;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.grpc.internal.object.ObjectCalls;
import dev.evenkeel.grpc.internal.object.ObjectTarget;
import dev.evenkeel.grpc.resource.v1.ObjectEvent;
import dev.evenkeel.grpc.resource.v1.WatchEvent;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import dev.evenkeel.grpc.resource.v1.WatchObjectsRequest;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The open watches: opens them, and ends them all when the server stops. */
public final class WatchCalls {
    private static final long LONGEST = TimeUnit.DAYS.toSeconds(365);

    private final Access access;
    private final GrpcServer.Limits limits;
    private final Set<EventStream<?>> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    public WatchCalls(Access access, GrpcServer.Limits limits) {
        this.access = access;
        this.limits = limits;
    }

    /** Opens a watch of resources. */
    public void watch(WatchListRequest request, ServerCallStreamObserver<WatchEvent> client) {
        try {
            requireCapacity();
            Plan.Checked checked = Plan.of(
                    access,
                    "watch",
                    new Plan.Selection(
                            request.hasType(),
                            request.getType(),
                            request.getTenancy(),
                            request.getNamePrefix(),
                            request.getLabelSelector()),
                    new Violations());
            Tokens.Position begin = begin(request.getResumeToken(), checked);
            open(
                    client,
                    "with the resume_token of the last event that it has",
                    output -> new WatchPump(checked.plan(), checked.parts(), begin, client, output, limits));
        } catch (RuntimeException e) {
            Answers.fail(client, e);
        }
    }

    /** Opens a watch of objects in the form of the Kubernetes API. */
    public void watch(WatchObjectsRequest request, ServerCallStreamObserver<ObjectEvent> client) {
        try {
            requireCapacity();
            FieldSelector fields = FieldSelector.parse(request.getFieldSelector());
            boolean initial = request.getSendInitialEvents();
            WatchQuery query = new WatchQuery(
                    LabelSelector.parse(request.getLabelSelector()),
                    fields,
                    request.getResourceVersion(),
                    initial ? "NotOlderThan" : "",
                    initial ? Optional.of(true) : Optional.empty(),
                    true);
            Duration timeout = timeout(request);
            ObjectTarget at = ObjectTarget.of(access, request.getCollection(), "watch", ObjectCalls.name(fields));
            open(
                    client,
                    "after the resource_version of the last event that it has",
                    output -> new ObjectWatch(
                            access, at, query, request.getMetadataOnly(), timeout, limits, client, output));
        } catch (ApiException e) {
            Answers.fail(client, Errors.complete(e));
        } catch (RuntimeException e) {
            Answers.fail(client, e);
        }
    }

    private static Duration timeout(WatchObjectsRequest request) {
        var timeout = request.getTimeout();
        if (timeout.getSeconds() < 0 || timeout.getNanos() < 0) {
            throw Refusal.badRequest("timeout: must not be negative");
        }
        return Duration.ofSeconds(Math.min(timeout.getSeconds(), LONGEST), timeout.getNanos());
    }

    private void requireCapacity() {
        if (open.size() >= limits.maxWatches()) {
            throw Errors.of(
                    Code.RESOURCE_EXHAUSTED,
                    "TOO_MANY_WATCHES",
                    "the server has " + limits.maxWatches() + " watches open; try again later");
        }
    }

    /** Runs a watch in a virtual thread of its own. */
    private <E> void open(
            ServerCallStreamObserver<E> client, String continuation, Function<EventStream<E>, Runnable> watch) {
        EventStream<E> output = new EventStream<>(client, limits.writeTimeout(), continuation);
        Runnable task = watch.apply(output);
        client.setOnReadyHandler(output::signal);
        client.setOnCancelHandler(output::cancel);
        open.add(output);
        if (stopping) {
            output.stop();
        }
        Thread.ofVirtual().name("evenkeel-grpc-watch").start(() -> {
            try {
                task.run();
            } finally {
                open.remove(output);
            }
        });
    }

    private static Tokens.Position begin(String token, Plan.Checked checked) {
        if (token.isEmpty()) {
            return new Tokens.Position(new Tokens.Place(checked.plan().query(), 0, "", ""), Map.of());
        }
        Tokens.Position position = Tokens.Position.parse("resume_token", token);
        checked.plan().requireSame("resume_token", position.snapshot().query());
        return position;
    }

    /** Ends all watches; later ones end at once. */
    public void stop() {
        stopping = true;
        List.copyOf(open).forEach(EventStream::stop);
    }

    /** Returns the number of open watches. */
    public int count() {
        return open.size();
    }
}
