package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.grpc.GrpcClient;
import dev.evenkeel.grpc.GrpcServer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** With clients over gRPC. */
class CatalogOverGrpcTest extends CatalogOverNetwork {
    private @Nullable GrpcServer server;

    @Override
    void serve(Engine engine) {
        server = keep(GrpcServer.builder(engine).start());
    }

    @Override
    Client client(String partition) {
        GrpcServer there = Objects.requireNonNull(server);
        return keep(GrpcClient.builder(there.target())
                .ca(there.caCertificate())
                .token(there.token())
                .partition(partition)
                .build());
    }
}
