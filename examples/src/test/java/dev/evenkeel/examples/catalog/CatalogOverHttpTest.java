package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** With clients as those of any cluster. */
class CatalogOverHttpTest extends CatalogOverNetwork {
    @TempDir
    Path directory;

    private @Nullable Server server;

    @Override
    void serve(Engine engine) {
        server = keep(Server.builder(engine).start());
    }

    @Override
    Client client(String partition) throws IOException {
        Path file = directory.resolve(partition);
        Files.writeString(file, Objects.requireNonNull(server).kubeconfig(partition));
        return keep(KubernetesClient.connect(Connection.fromKubeconfig(file)));
    }
}
