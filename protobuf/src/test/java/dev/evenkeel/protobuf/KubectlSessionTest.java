package dev.evenkeel.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.protobuf.demo.v1.Artist;
import dev.evenkeel.server.Kubectl;
import dev.evenkeel.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** A session of kubectl with a type that is defined in protobuf. */
class KubectlSessionTest {
    private static final String ARTIST = """
            apiVersion: catalog.demo.example.com/v1
            kind: Artist
            metadata:
              name: nina
            spec:
              name: Nina Simone
              genre: GENRE_JAZZ
              plays: 12
            """;

    @TempDir
    private Path temporary;

    @TestFactory
    Stream<DynamicTest> worksUnmodified() {
        List<Kubectl> found = Kubectl.found(temporary);
        Assumptions.assumeFalse(found.isEmpty(), "no kubectl on the PATH or in EVENKEEL_KUBECTL");
        return found.stream().map(kubectl -> DynamicTest.dynamicTest(kubectl.toString(), () -> session(kubectl)));
    }

    private void session(Kubectl found) throws IOException {
        Path directory = Files.createDirectories(temporary.resolve("1." + found.minor()));
        Kubectl kubectl = new Kubectl(found.binary(), found.minor(), directory, "default");
        try (Engine engine = Engine.builder()
                        .register(ProtobufType.of(Artist.getDefaultInstance()).build())
                        .build();
                Server server = Server.builder(engine).port(0).start()) {
            kubectl.file("kubeconfig", server.kubeconfig());
            kubectl.file("artist.yaml", ARTIST);
            assertThat(succeed(kubectl, "apply", "-f", "artist.yaml"))
                    .isEqualTo("artist.catalog.demo.example.com/nina created\n");
            assertThat(succeed(kubectl, "apply", "-f", "artist.yaml")).contains("nina");
            assertThat(columns(succeed(kubectl, "get", "artists"))).isEqualTo("NAME GENRE nina GENRE_JAZZ");
            assertThat(columns(succeed(kubectl, "get", "art", "-o", "wide")))
                    .isEqualTo("NAME GENRE PLAYS nina GENRE_JAZZ 12");
            assertThat(succeed(kubectl, "get", "music", "-o", "jsonpath={.items[0].spec.plays}"))
                    .isEqualTo("12");
            assertThat(succeed(kubectl, "explain", "artists")).contains("A musician or a band.");
            assertThat(succeed(kubectl, "explain", "artists.spec.plays"))
                    .contains("How often anything was played.", "A 64-bit integer, as a string.", "<string>");
            if (found.minor() >= 27) { // older ones read OpenAPI 2, where parts that may have other fields have none
                assertThat(succeed(kubectl, "explain", "artists.status.indexer"))
                        .contains("documents");
            }

            Kubectl.Result refused =
                    kubectl.run("patch", "art", "nina", "--type=merge", "-p", "{\"spec\":{\"genre\":\"X\"}}");
            assertThat(refused.exit()).isEqualTo(1);
            assertThat(refused.err()).contains("spec.genre: Unsupported value: \"X\"");

            ready(engine);
            succeed(kubectl, "wait", "--for=condition=Ready", "artist/nina", "--timeout=30s");
            assertThat(succeed(kubectl, "delete", "artist", "nina")).contains("\"nina\" deleted");
            assertThat(succeed(kubectl, "get", "artists")).isEmpty();
        }
    }

    private static void ready(Engine engine) {
        Kind<?> kind = Kind.generic("catalog.demo.example.com", "v1", "Artist", "artists", true);
        engine.client()
                .patchStatus(
                        kind,
                        ObjectKey.of("default", "nina"),
                        Patch.merge("{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}"),
                        WriteOptions.DEFAULT);
    }

    private static String succeed(Kubectl kubectl, String... arguments) {
        Kubectl.Result result = kubectl.run(arguments);
        assertThat(result.exit()).as(result.toString()).isZero();
        return result.out();
    }

    private static String columns(String table) {
        return table.strip().replaceAll("\\s+", " ");
    }
}
