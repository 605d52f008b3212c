package dev.evenkeel.server.internal.jetty;

import dev.evenkeel.access.internal.MemoryBudget;
import dev.evenkeel.server.Server;
import dev.evenkeel.server.internal.ApiHandler;
import dev.evenkeel.server.internal.http.DeadlineTransport;
import dev.evenkeel.server.internal.http.HttpExchange;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.WebSocketComponents;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;

/** Hands each request of Jetty to the API, on a virtual thread of its own. */
public final class JettyHandler extends Handler.Abstract {
    private final ApiHandler api;
    private final Server.Limits limits;
    private final MemoryBudget budget;
    private final Executor threads;
    private final ScheduledExecutorService timers;
    private final WebSocketMappings sockets;

    public JettyHandler(
            ApiHandler api,
            Server.Limits limits,
            MemoryBudget budget,
            Executor threads,
            ScheduledExecutorService timers,
            WebSocketComponents components) {
        this.timers = timers;
        this.api = api;
        this.limits = limits;
        this.budget = budget;
        this.threads = threads;
        sockets = new WebSocketMappings(components);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        JettyTransport transport = new JettyTransport(request, response, callback, limits, budget, sockets, threads);
        if (Thread.currentThread().isVirtual()) {
            handle(transport);
        } else {
            // the first request after a TLS handshake arrives on a thread of the pool, which must not wait for its body
            threads.execute(() -> handle(transport));
        }
        return true;
    }

    private void handle(JettyTransport transport) {
        try {
            api.handle(new HttpExchange(new DeadlineTransport(transport, timers, threads)));
        } finally {
            transport.release();
        }
    }
}
