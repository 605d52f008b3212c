package dev.evenkeel.grpc;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.contract.ClientContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** The same calls and outcomes over gRPC as in process. */
class GrpcContractTest {
    private abstract static class OverGrpc extends ClientContract {
        private final Engine engine = Engine.create();
        private final GrpcServer server;
        private final GrpcClient client;

        OverGrpc(boolean tls) {
            GrpcServer.Builder builder = GrpcServer.builder(engine);
            server = tls
                    ? builder.start()
                    : builder.authentication(false).tls(false).start();
            GrpcClient.Builder connection =
                    GrpcClient.builder(server.target()).fieldManager("contract").tls(tls);
            if (tls) {
                connection.ca(server.caCertificate()).token(server.token());
            }
            client = connection.build();
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
    class Plain extends OverGrpc {
        Plain() {
            super(false);
        }
    }

    @Nested
    class Tls extends OverGrpc {
        Tls() {
            super(true);
        }
    }
}
