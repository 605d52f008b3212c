package dev.evenkeel.server.internal.access;

import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import java.net.URI;
import java.util.Locale;

/**
 * Protects a server on the local machine from web pages.
 *
 * <p>A browser sends requests to the loopback interface for any page. A page can do so under a host name of its own
 * that resolves to 127.0.0.1, so on loopback only names of loopback are served; or it can send simple requests across
 * origins, so a request that names an origin must name this server.
 *
 * @param loopback whether the server listens on loopback only
 */
public record HostCheck(boolean loopback) {
    public void check(HttpExchange call) {
        String host = call.transport().host();
        if (loopback && !isLoopback(host)) {
            String message = "host " + Failures.quoted(host) + " is not served: this server listens on loopback only;"
                    + " use localhost, 127.0.0.1 or [::1]";
            throw Failures.of(403, "Forbidden", message);
        }
        String origin = call.header("Origin");
        if (!origin.isEmpty() && !same(origin, host, call.transport().port())) {
            throw Failures.of(403, "Forbidden", "requests of origin " + Failures.quoted(origin) + " are not served");
        }
    }

    private static boolean same(String origin, String host, int port) {
        try {
            URI uri = URI.create(origin);
            int given = uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
            return host.equalsIgnoreCase(uri.getHost()) && given == port;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static boolean isLoopback(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("localhost")
                || name.endsWith(".localhost")
                || name.matches("127(\\.\\d{1,3}){3}|::1|\\[::1]");
    }
}
