package dev.evenkeel.load.internal.proxy;

import dev.evenkeel.access.internal.Authentication;
import dev.evenkeel.access.internal.Credentials;
import dev.evenkeel.client.UnauthorizedException;
import dev.evenkeel.load.internal.proxy.RequestCounters.Counters;
import dev.evenkeel.load.internal.proxy.Requests.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the requests to a proxy: refuses them without its token, applies the faults, and passes on the rest. */
final class ProxyHandler extends Handler.Abstract {
    static final Logger LOG = LoggerFactory.getLogger(ApiProxy.class);

    private static final String BEARER = "Bearer ";
    private static final int MOST_LABELS = 100_000;

    private final Optional<Authentication> authentication;
    private final Upstream upstream;
    private final Executor threads;
    private final Scheduler scheduler;
    private final RequestCounters counters = new RequestCounters(MOST_LABELS);
    private final Set<Exchange> watches = ConcurrentHashMap.newKeySet();
    private volatile Duration delay = Duration.ZERO;
    private volatile Failures failures = Failures.NONE;
    private volatile boolean unavailable;

    ProxyHandler(Optional<Authentication> authentication, Upstream upstream, Executor threads, Scheduler scheduler) {
        this.authentication = authentication;
        this.upstream = upstream;
        this.threads = threads;
        this.scheduler = scheduler;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Exchange exchange = new Exchange(this, request, response, callback);
        if (Thread.currentThread().isVirtual()) {
            answer(exchange, request);
        } else {
            // the first request of a connection arrives on a thread of the pool, which must not wait for a token
            threads.execute(() -> answer(exchange, request));
        }
        return true;
    }

    private void answer(Exchange exchange, Request request) {
        try {
            if (!isKnown(exchange)) {
                exchange.refuse(new Refusal(401, "Unauthorized"));
            } else if (unavailable) {
                exchange.refuse(new Refusal(503, "the API is unavailable, because of the load plan"));
            } else if (isUpgrade(exchange, request)) {
                exchange.refuseUpgrade();
            } else {
                OptionalInt failure = failures.next();
                if (failure.isPresent()) {
                    exchange.refuse(new Refusal(failure.getAsInt(), "failed because of the load plan"));
                } else {
                    exchange.forward(upstream);
                }
            }
        } catch (RuntimeException e) {
            LOG.warn("a request could not be passed on: {}", e.toString());
            exchange.fail(e);
        }
    }

    private boolean isKnown(Exchange exchange) {
        String header = exchange.header(HttpHeader.AUTHORIZATION);
        String token = header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? header.substring(BEARER.length()).strip()
                : "";
        try {
            authentication.ifPresent(known -> {
                var unused = known.authenticate(new Credentials(token, List.of()), "default", Optional::empty);
            });
            return true;
        } catch (UnauthorizedException e) {
            return false;
        }
    }

    private static boolean isUpgrade(Exchange exchange, Request request) {
        String protocol = exchange.header(HttpHeader.UPGRADE);
        // h2c is an offer of another version of HTTP, which may be ignored
        return request.getMethod().equals("CONNECT") || !(protocol.isEmpty() || protocol.equalsIgnoreCase("h2c"));
    }

    void delay(Duration value) {
        delay = value;
    }

    void failures(Failures value) {
        failures = value;
    }

    void unavailable(boolean value) {
        unavailable = value;
    }

    Requests requests() {
        return counters.snapshot(watches.size());
    }

    int cutWatches() {
        List<Exchange> open = List.copyOf(watches);
        open.forEach(watch -> watch.fail(new EofException("the watch was cut")));
        return open.size();
    }

    /** Ends the watches of clients that are gone. */
    void check() {
        watches.forEach(Exchange::check);
    }

    Counters count(Labels labels) {
        return counters.count(labels);
    }

    void opened(Exchange watch) {
        watches.add(watch);
    }

    void ended(Exchange exchange) {
        watches.remove(exchange);
    }

    void execute(Runnable task) {
        threads.execute(task);
    }

    /** Runs a task after the delay of answers. */
    void delayed(Runnable task) {
        Duration now = delay;
        if (now.isZero()) {
            task.run();
        } else {
            scheduler.schedule(() -> threads.execute(task), now.toNanos(), TimeUnit.NANOSECONDS);
        }
    }
}
