package dev.evenkeel.grpc.internal.watch;

import com.google.rpc.Code;
import dev.evenkeel.grpc.GrpcServer;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.Answers;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.grpc.resource.v1.WatchEvent;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open watches: opens them, and ends them all when the server stops. */
public final class WatchCalls {
    private final Access access;
    private final GrpcServer.Limits limits;
    private final Set<WatchPump> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    public WatchCalls(Access access, GrpcServer.Limits limits) {
        this.access = access;
        this.limits = limits;
    }

    /** Opens a watch, which runs in a virtual thread of its own. */
    public void watch(WatchListRequest request, ServerCallStreamObserver<WatchEvent> client) {
        try {
            if (open.size() >= limits.maxWatches()) {
                throw Errors.of(
                        Code.RESOURCE_EXHAUSTED,
                        "TOO_MANY_WATCHES",
                        "the server has " + limits.maxWatches() + " watches open; try again later");
            }
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
            WatchPump pump = new WatchPump(checked.plan(), checked.parts(), begin, client, limits, open::remove);
            client.setOnReadyHandler(pump::signal);
            client.setOnCancelHandler(pump::cancel);
            open.add(pump);
            if (stopping) {
                pump.stop();
            }
            Thread.ofVirtual().name("evenkeel-grpc-watch").start(pump);
        } catch (RuntimeException e) {
            Answers.fail(client, e);
        }
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
        List.copyOf(open).forEach(WatchPump::stop);
    }

    /** Returns the number of open watches. */
    public int count() {
        return open.size();
    }
}
