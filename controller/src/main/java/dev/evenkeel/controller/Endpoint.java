package dev.evenkeel.controller;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.evenkeel.client.ObjectKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Serves diagnostics over HTTP: {@code /healthz} and {@code /readyz} (200 or 503, with the problems), {@code /metrics}
 * if there are any, {@code /dependencies} (Mermaid), and {@code /explain/{controller}/[{namespace}/]{name}}.
 *
 * <p>It listens on the loopback address by default, does not authenticate, and shows names of objects and errors: make
 * it reachable for probes and scrapers only.
 */
public final class Endpoint implements AutoCloseable {
    private final HttpServer http;

    private Endpoint(HttpServer http) {
        this.http = http;
    }

    /**
     * Starts listening on the loopback address.
     *
     * @param port 0 for any free port
     * @param metrics text of the metrics in the format of the scraper
     */
    public static Endpoint start(Manager manager, int port, Supplier<String> metrics) {
        return start(manager, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), metrics);
    }

    /**
     * Starts listening on an address.
     *
     * @throws UncheckedIOException when it cannot
     */
    public static Endpoint start(Manager manager, InetSocketAddress address, Supplier<String> metrics) {
        try {
            HttpServer http = HttpServer.create(address, 16);
            http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            http.createContext("/healthz", exchange -> health(exchange, manager.health(), Health::live));
            http.createContext("/readyz", exchange -> health(exchange, manager.health(), Health::ready));
            http.createContext("/metrics", exchange -> answer(exchange, 200, metrics.get()));
            http.createContext(
                    "/dependencies",
                    exchange -> answer(exchange, 200, manager.dependencies().mermaid()));
            http.createContext("/explain/", exchange -> explain(manager, exchange));
            http.start();
            return new Endpoint(http);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    private static void health(HttpExchange exchange, Health health, Predicate<Health> good) throws IOException {
        answer(exchange, good.test(health) ? 200 : 503, health.toString());
    }

    private static void explain(Manager manager, HttpExchange exchange) throws IOException {
        String[] parts = exchange.getRequestURI().getRawPath().split("/", -1);
        if (parts.length != 4 && parts.length != 5) {
            answer(exchange, 400, "use /explain/{controller}/{name} or /explain/{controller}/{namespace}/{name}");
            return;
        }
        ObjectKey key = parts.length == 4
                ? ObjectKey.cluster(decoded(parts[3]))
                : ObjectKey.of(decoded(parts[3]), decoded(parts[4]));
        try {
            answer(exchange, 200, manager.explain(decoded(parts[2]), key).toString());
        } catch (IllegalArgumentException e) {
            answer(exchange, 404, String.valueOf(e.getMessage()));
        }
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, int code, String text) throws IOException {
        try (exchange) {
            exchange.getRequestBody().close();
            byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Returns the address it listens on. */
    public InetSocketAddress address() {
        return http.getAddress();
    }

    /** Stops listening. */
    @Override
    public void close() {
        http.stop(0);
    }
}
