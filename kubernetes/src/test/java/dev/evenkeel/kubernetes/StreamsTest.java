package dev.evenkeel.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that allows few streams on a connection, as servers do. */
@Timeout(300)
class StreamsTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final int STREAMS = 5;

    /** Lists are empty, and watches say nothing. */
    private static final class Quiet extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            response.getHeaders().put("Content-Type", "application/json");
            if (String.valueOf(request.getHttpURI().getQuery()).contains("watch=true")) {
                response.write(false, null, Callback.NOOP);
            } else {
                response.write(
                        true,
                        java.nio.ByteBuffer.wrap(ScriptedServer.bytes("{\"kind\":\"ConfigMapList\",\"items\":[]}")),
                        callback);
            }
            return true;
        }
    }

    private static Server server(Certificates certificates) throws Exception {
        HttpConfiguration http = new HttpConfiguration();
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
        http2.setMaxConcurrentStreams(STREAMS);
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http2.getProtocol());
        SslContextFactory.Server ssl = new SslContextFactory.Server();
        ssl.setKeyStore(certificates.store());
        ssl.setKeyStorePassword(new String(Certificates.PASSWORD));
        ssl.setSniRequired(false);
        Server server = new Server();
        ServerConnector connector =
                new ServerConnector(server, new SslConnectionFactory(ssl, alpn.getProtocol()), alpn, http2);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Quiet());
        server.start();
        return server;
    }

    /** Else a process with many watches can send nothing else any more, not even the renewal of its lease. */
    @Test
    void moreWatchesThanAConnectionHasStreamsLeaveRoomForRequests() throws Exception {
        Certificates certificates = Certificates.selfSigned();
        Server server = server(certificates);
        URI url = URI.create("https://127.0.0.1:" + ((ServerConnector) server.getConnectors()[0]).getLocalPort());
        try (KubernetesClient client = KubernetesClient.builder(
                        Connection.to(url).ca(certificates.certificatePem()).build())
                .retry(RetryPolicy.NONE)
                .build()) {
            List<Watch<ConfigMap>> watches = new ArrayList<>();
            for (int i = 0; i < 3 * STREAMS; i++) {
                watches.add(client.watch(MAPS, ListOptions.ALL));
            }

            assertThat(watches).hasSize(3 * STREAMS);
            assertThat(client.list(MAPS, ListOptions.ALL).items()).isEmpty();
        } finally {
            server.stop();
        }
    }
}
