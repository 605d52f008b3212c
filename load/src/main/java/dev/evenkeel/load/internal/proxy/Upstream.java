package dev.evenkeel.load.internal.proxy;

import dev.evenkeel.client.TokenSource;
import dev.evenkeel.kubernetes.Connection;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpProxy;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.transport.HttpClientConnectionFactory;
import org.eclipse.jetty.client.transport.HttpClientTransportDynamic;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.ClientConnectionFactoryOverHTTP2;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * The API server behind a proxy: creates requests to it, with its own credentials in the place of those of the client.
 *
 * <p>The client is that of Jetty, as it passes buffers on between its connections and those of the server without a copy
 * and without a thread for each exchange, and opens connections as an API server's limit of streams demands.
 */
final class Upstream {
    /** The most bytes of one answer that wait here for a slow client; small, as thousands of watches may do so. */
    private static final int STREAM_WINDOW = 256 * 1024;

    /** The most bytes that wait on a connection: for all its streams, so that slow clients do not stop the others. */
    private static final int SESSION_WINDOW = 1024 * STREAM_WINDOW;

    private static final int MOST_CONNECTIONS = 1024;

    /** Requests and watches without HTTP/2 hold a connection each. */
    private static final int MOST_PLAIN_CONNECTIONS = 20_000;

    private static final int MOST_WAITING = 100_000;
    private static final int MOST_HEADER_BYTES = 64 * 1024;

    /** The headers that concern one connection only, in lower case; RFC 9110, section 7.6.1. */
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings");

    /**
     * The headers of requests that are made again, or mean the proxy: fabric8's client names it as the origin of watches,
     * which the API server would refuse as another site. No browser can send the token of the proxy.
     */
    private static final Set<String> REPLACED =
            Set.of("authorization", "content-length", "cookie", "expect", "host", "origin");

    private static final String IMPERSONATE = "impersonate-";

    private final Connection connection;
    private final HttpClient client;
    private final String origin;
    private final String base;

    Upstream(Connection connection, Executor executor) {
        this.connection = connection;
        URI server = connection.server();
        String path = server.getRawPath() == null ? "" : server.getRawPath();
        base = path.replaceAll("/+$", "");
        origin = server.getScheme() + "://" + server.getRawAuthority();
        ClientConnector connector = new ClientConnector();
        connector.setSelectors(1);
        connector.setExecutor(executor);
        SslContextFactory.Client ssl = new SslContextFactory.Client();
        connection.tls().ifPresent(ssl::setSslContext);
        connector.setSslContextFactory(ssl);
        HttpClientTransportDynamic transport =
                transport(connector, connection.tls().isPresent());
        // an exchange waits for nothing: it continues in the thread that read the answer
        transport.setInvocationType(Invocable.InvocationType.NON_BLOCKING);
        client = new HttpClient(transport);
        client.setExecutor(executor);
        client.setName("evenkeel-proxy");
        client.setFollowRedirects(false);
        client.setHttpCookieStore(new HttpCookieStore.Empty());
        client.setUserAgentField(null);
        client.setDefaultRequestContentType(null);
        client.setIdleTimeout(0);
        client.setMaxConnectionsPerDestination(
                connection.tls().isPresent() ? MOST_CONNECTIONS : MOST_PLAIN_CONNECTIONS);
        client.setMaxRequestsQueuedPerDestination(MOST_WAITING);
        client.setMaxRequestHeadersSize(MOST_HEADER_BYTES);
        client.setMaxResponseHeadersSize(MOST_HEADER_BYTES);
        connection
                .proxy()
                .ifPresent(proxy -> client.getProxyConfiguration()
                        .addProxy(new HttpProxy(proxy.getHost(), proxy.getPort() < 0 ? 80 : proxy.getPort())));
    }

    private static HttpClientTransportDynamic transport(ClientConnector connector, boolean tls) {
        if (!tls) {
            return new HttpClientTransportDynamic(connector, HttpClientConnectionFactory.HTTP11);
        }
        HTTP2Client http2 = new HTTP2Client(connector);
        http2.setInitialStreamRecvWindow(STREAM_WINDOW);
        http2.setInitialSessionRecvWindow(SESSION_WINDOW);
        http2.setStreamIdleTimeout(0);
        http2.setMaxRequestHeadersSize(MOST_HEADER_BYTES);
        http2.setMaxResponseHeadersSize(MOST_HEADER_BYTES);
        return new HttpClientTransportDynamic(
                connector, new ClientConnectionFactoryOverHTTP2.HTTP2(http2), HttpClientConnectionFactory.HTTP11);
    }

    void start() throws Exception {
        client.start();
        // answers pass as they are: compressed, and with whatever status
        client.getContentDecoderFactories().clear();
        client.getProtocolHandlers().clear();
    }

    /**
     * Creates a request.
     *
     * @param target path and query, encoded
     * @param headers those of the client
     * @param token the token of {@link #token}
     */
    Request request(String method, String target, HttpFields headers, String token) {
        Request request = client.newRequest(origin).method(method).path(base + target);
        boolean impersonates = !connection.headers().isEmpty();
        request.headers(sent -> {
            passed(headers, (name, field) -> {
                if (!REPLACED.contains(name) && !(impersonates && name.startsWith(IMPERSONATE))) {
                    sent.add(field);
                }
            });
            connection.headers().forEach((name, values) -> values.forEach(value -> sent.add(name, value)));
            if (!token.isEmpty()) {
                sent.put(HttpHeader.AUTHORIZATION, "Bearer " + token);
            }
        });
        return request;
    }

    /** Gives the headers that a proxy passes on, with their names in lower case. */
    static void passed(HttpFields headers, BiConsumer<String, HttpField> consumer) {
        Set<String> dropped = HOP_BY_HOP;
        List<String> named = headers.getCSV(HttpHeader.CONNECTION, false);
        if (!named.isEmpty()) {
            dropped = new HashSet<>(HOP_BY_HOP);
            for (String name : named) {
                dropped.add(name.toLowerCase(Locale.ROOT));
            }
        }
        for (HttpField field : headers) {
            String name = field.getLowerCaseName();
            if (!dropped.contains(name)) {
                consumer.accept(name, field);
            }
        }
    }

    /** Returns the token to send; empty for none. May wait. */
    String token() {
        return connection.tokens().map(TokenSource::token).orElse("");
    }

    /** Has the token replaced that the server has refused; the client of the proxy tries again, or not. */
    void refused(String token) {
        connection.tokens().ifPresent(tokens -> tokens.refresh(token));
    }

    void stop() throws Exception {
        client.stop();
    }
}
