package dev.evenkeel.server.internal;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.server.Server;
import dev.evenkeel.server.internal.access.Access;
import dev.evenkeel.server.internal.access.HostCheck;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.RequestMetrics;
import dev.evenkeel.server.internal.http.Transport;
import dev.evenkeel.server.internal.watch.Watches;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The API of an engine for callers in this process, who are administrators and may impersonate other users. */
public final class LocalApi implements AutoCloseable {
    private final Watches watches;
    private final ApiHandler handler;

    /** Creates an API whose watches deliver on threads of an executor. */
    public LocalApi(Engine engine, Executor threads) {
        RequestMetrics metrics = RequestMetrics.none();
        watches = Watches.brief(Server.Limits.DEFAULT, metrics, threads);
        handler = new ApiHandler(
                Partitions.of(engine),
                Server.Limits.DEFAULT,
                new Access(Optional.empty()),
                metrics,
                new HostCheck(false),
                watches,
                Optional.empty(),
                Optional.empty(),
                ApiHandler.LONGEST_WRITE);
    }

    /** Answers a request; returns when it is answered, or a watch has begun. */
    public void handle(Transport transport) {
        handler.handle(new HttpExchange(transport));
    }

    /** Returns what a request is about, as rules of RBAC name it; the user is not set. */
    public static Attributes attributes(Transport transport) {
        return ApiHandler.attributes(new HttpExchange(transport));
    }

    /** Ends all watches. */
    @Override
    public void close() {
        handler.refuse();
        watches.stop();
        watches.close();
    }
}
