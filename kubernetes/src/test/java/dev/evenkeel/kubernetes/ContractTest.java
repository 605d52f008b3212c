package dev.evenkeel.kubernetes;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.contract.ClientContract;
import dev.evenkeel.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** The same calls and outcomes over the network as in process, by each transport. */
class ContractTest {
    private abstract static class OverTheDoor extends ClientContract {
        private final Engine engine = Engine.create();
        private final Server server;
        private final KubernetesClient client;

        OverTheDoor(boolean tls, boolean sockets) {
            Server.Builder builder = Server.builder(engine);
            server = tls
                    ? builder.start()
                    : builder.authentication(false).tls(false).start();
            Connection.Builder connection = Connection.to(server.url());
            if (tls) {
                connection.ca(server.caCertificate()).token(server.token());
            }
            client = KubernetesClient.builder(connection.build())
                    .fieldManager("contract")
                    .webSocketWatches(sockets)
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
            server.close();
            engine.close();
        }
    }

    @Nested
    class Plain extends OverTheDoor {
        Plain() {
            super(false, false);
        }
    }

    @Nested
    class TlsWithHttp2 extends OverTheDoor {
        TlsWithHttp2() {
            super(true, false);
        }
    }

    @Nested
    class WebSockets extends OverTheDoor {
        WebSockets() {
            super(false, true);
        }
    }

    @Nested
    class TlsWithWebSockets extends OverTheDoor {
        TlsWithWebSockets() {
            super(true, true);
        }
    }
}
