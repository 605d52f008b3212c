package dev.evenkeel.load.internal.proxy;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.contract.ClientContract;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** A client has the same outcomes through the proxy as without, by each version of HTTP on either side. */
class ApiProxyContractTest {
    private abstract static class Proxied extends ClientContract {
        private final Engine engine = Engine.create();
        private final Server server;
        private final ApiProxy proxy;
        private final KubernetesClient client;

        Proxied(boolean http2, boolean upstreamTls) {
            Server.Builder builder = Server.builder(engine);
            server = upstreamTls
                    ? builder.start()
                    : builder.authentication(false).tls(false).start();
            Connection.Builder upstream = Connection.to(server.url());
            if (upstreamTls) {
                upstream.ca(server.caCertificate()).token(server.token());
            }
            proxy = ApiProxy.start(upstream.build());
            client = KubernetesClient.builder(proxy.connection())
                    .http2(http2)
                    .fieldManager("contract")
                    .build();
        }

        @Override
        protected Client client() {
            return client;
        }

        @Override
        protected void compact() {
            engine.store().compact(engine.store().revision());
        }

        @AfterEach
        void close() {
            client.close();
            proxy.close();
            server.close();
            engine.close();
        }
    }

    @Nested
    class Http2 extends Proxied {
        Http2() {
            super(true, true);
        }
    }

    @Nested
    class Http1 extends Proxied {
        Http1() {
            super(false, false);
        }
    }
}
