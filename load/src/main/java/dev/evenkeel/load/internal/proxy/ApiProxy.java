package dev.evenkeel.load.internal.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.access.ListenerBuilder;
import dev.evenkeel.access.internal.Endpoint;
import dev.evenkeel.kubernetes.Connection;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A proxy between a controller and an API server, which counts the controller's requests and lets the API fail.
 *
 * <p><b>Problem.</b> What a controller asks of the API, and whether it survives an API that fails, is to be known for any
 * controller in any language, and with any API server. All that can be changed about a controller is its kubeconfig:
 *
 * <pre>{@code
 * try (ApiProxy proxy = ApiProxy.start(Connection.fromKubeconfig(file))) {
 *     Files.writeString(other, proxy.kubeconfig()); // for the controller
 *     Requests before = proxy.requests();
 *     ...
 *     SortedMap<String, Long> made = proxy.requests().minus(before).byVerbAndResource();
 * }
 * }</pre>
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>The credentials for the API server stay here: the controller has a token of this proxy only, and neither is logged.
 *   <li>What the controller sees is what it would see without a proxy: bodies byte for byte, events when they happen, the
 *       same status codes. Only WebSockets are refused; a plain watch does the same.
 *   <li>A fault concerns each request that arrives after the method that set it has returned.
 *   <li>Memory depends neither on the length of bodies nor on the number of requests.
 * </ol>
 *
 * <p>It listens on loopback, on a free port, with TLS by a certificate created for this run, and HTTP/2 or HTTP/1.1. All
 * methods may be called from any thread.
 */
public final class ApiProxy implements AutoCloseable {
    /** The number of frames without payload that a connection may send per second; controllers start with many. */
    private static final int FRAMES_PER_SECOND = 100_000;

    private static final int MOST_STREAMS = 1000;
    private static final int MOST_HEADER_BYTES = 64 * 1024;
    private static final long CHECK_MILLIS = 500;
    /** The time for which the port may be in use after the connector has stopped. */
    private static final Duration MOST_WAIT = Duration.ofSeconds(2);

    private final QueuedThreadPool threads = new QueuedThreadPool(16, 4, 0);
    private final Scheduler scheduler = new ScheduledExecutorScheduler("evenkeel-proxy-timer", true);
    private final Endpoint endpoint;
    private final Upstream upstream;
    private final ProxyHandler handler;
    private final Server server;
    private final ServerConnector connector;

    /** Holds the port during an outage; null at other times. */
    private @Nullable SocketChannel held;

    private ApiProxy(Connection connection) {
        endpoint = Endpoint.of(new Settings().settings());
        threads.setName("evenkeel-proxy");
        threads.setDaemon(true);
        threads.setReservedThreads(0);
        var virtual = VirtualThreads.getNamedVirtualThreadsExecutor("evenkeel-proxy-");
        threads.setVirtualThreadsExecutor(virtual);
        upstream = new Upstream(connection, threads);
        handler = new ProxyHandler(endpoint.authentication(), upstream, virtual, scheduler);
        server = new Server(threads, scheduler, (ByteBufferPool) null);
        server.setHandler(handler);
        connector = new ServerConnector(server, null, null, null, 0, 1, factories(endpoint));
        connector.setHost(endpoint.address().getHostAddress());
        connector.setPort(endpoint.port());
        // watches are silent for long
        connector.setIdleTimeout(0);
        server.addConnector(connector);
    }

    /** The settings of all listeners, at their defaults. */
    private static final class Settings extends ListenerBuilder<Settings> {
        @Override
        protected Settings self() {
            return this;
        }
    }

    private static ConnectionFactory[] factories(Endpoint endpoint) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(MOST_HEADER_BYTES);
        http.setResponseHeaderSize(MOST_HEADER_BYTES);
        // the API server decides which paths it accepts
        http.setUriCompliance(UriCompliance.UNSAFE);
        HttpConnectionFactory http1 = new HttpConnectionFactory(http);
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
        http2.setMaxConcurrentStreams(MOST_STREAMS);
        http2.setRateControlFactory(new WindowRateControl.Factory(FRAMES_PER_SECOND));
        http2.setStreamIdleTimeout(0);
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        SslContextFactory.Server ssl = new SslContextFactory.Server();
        ssl.setSslContext(endpoint.tls());
        ssl.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        ssl.setSniRequired(false);
        return new ConnectionFactory[] {new SslConnectionFactory(ssl, alpn.getProtocol()), alpn, http2, http1};
    }

    /**
     * Starts a proxy of an API server; when this returns, it listens.
     *
     * @throws IllegalStateException when it cannot listen
     */
    public static ApiProxy start(Connection upstream) {
        ApiProxy proxy = new ApiProxy(upstream);
        try {
            proxy.scheduler.start();
            proxy.threads.start();
            proxy.upstream.start();
            proxy.server.start();
            // the same port after an outage
            proxy.connector.setPort(proxy.connector.getLocalPort());
            proxy.check();
            return proxy;
        } catch (Exception e) {
            proxy.close();
            throw new IllegalStateException("the proxy cannot start: " + e.getMessage(), e);
        }
    }

    private void check() {
        if (scheduler.isRunning()) {
            handler.check();
            scheduler.schedule(this::check, CHECK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Returns the URL of the proxy, such as {@code https://127.0.0.1:41234}. */
    public URI url() {
        return URI.create("https://" + endpoint.host() + ":" + connector.getPort());
    }

    /** Returns the token that requests need. */
    public String token() {
        return endpoint.token();
    }

    /** Returns the certificate to trust, in PEM. */
    public String caCertificate() {
        return endpoint.caCertificate();
    }

    /** Returns a connection to the proxy. */
    public Connection connection() {
        return Connection.to(url()).ca(caCertificate()).token(token()).build();
    }

    /** Returns a kubeconfig for the controller, with the certificate and token of the proxy; YAML. */
    public String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                current-context: load
                clusters:
                - name: load
                  cluster:
                    server: "%s"
                    certificate-authority-data: %s
                contexts:
                - name: load
                  context:
                    cluster: load
                    user: load
                    namespace: default
                users:
                - name: load
                  user:
                    token: "%s"
                """.formatted(
                url(), Base64.getEncoder().encodeToString(caCertificate().getBytes(UTF_8)), token());
    }

    /** Returns the requests up to now. */
    public Requests requests() {
        return handler.requests();
    }

    /**
     * Ends all open watches, without a proper end of their answers; other requests go on.
     *
     * @return their number
     */
    public int cutWatches() {
        return handler.cutWatches();
    }

    /** Begins an outage, or ends it. */
    public synchronized void outage(Outage value) {
        handler.unavailable(value == Outage.UNAVAILABLE);
        try {
            if (value == Outage.REFUSED) {
                if (connector.isRunning()) {
                    connector.stop();
                    hold();
                }
            } else if (!connector.isRunning()) {
                release();
                connector.start();
            }
        } catch (Exception e) {
            throw new IllegalStateException(
                    "the proxy cannot listen on port " + connector.getPort() + ": " + e.getMessage(), e);
        }
        if (value != Outage.NONE) {
            handler.cutWatches();
        }
    }

    /**
     * Binds the port to a socket that does not listen, so that connections are refused, and no other process gets the port
     * while the controller counts on it. The thread that accepts connections may keep the port for a moment after the
     * connector has stopped.
     */
    private void hold() throws IOException {
        SocketChannel socket = SocketChannel.open();
        held = socket;
        socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        long end = System.nanoTime() + MOST_WAIT.toNanos();
        while (true) {
            try {
                socket.bind(new InetSocketAddress(endpoint.address(), connector.getPort()));
                return;
            } catch (BindException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private void release() throws IOException {
        SocketChannel socket = held;
        if (socket != null) {
            socket.close();
            held = null;
        }
    }

    /** Delays the beginning of each answer; events of watches are not delayed further. */
    public void delay(Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("delay must not be negative: " + value);
        }
        handler.delay(value);
    }

    /** Lets a share of requests fail; {@link Failures#NONE} for none. */
    public void fail(Failures value) {
        handler.failures(value);
    }

    /** Ends all exchanges, and stops. */
    @Override
    public synchronized void close() {
        try {
            release();
            server.stop();
            upstream.stop();
            scheduler.stop();
            threads.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the proxy did not stop properly", e);
        }
    }

    /** Returns a text without the token. */
    @Override
    public String toString() {
        return "ApiProxy[" + url() + "]";
    }
}
