package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.Type;
import dev.evenkeel.protobuf.demo.v1.Artist;
import dev.evenkeel.protobuf.demo.v1.Genre;
import dev.evenkeel.server.Kubectl;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The session of kubectl in docs/protobuf.md, with the server of the page, and the same object over gRPC. */
class TypesSessionTest {
    private static final Page PAGE = page();

    @TempDir
    private Path directory;

    /** A command of a session, and what it prints. */
    private record Step(String command, String output) {}

    private static Page page() {
        try {
            return Page.of(Page.ROOT.resolve("docs/protobuf.md"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String block(String language, String text) {
        return PAGE.blocks().stream()
                .filter(block ->
                        block.language().equals(language) && block.content().contains(text))
                .findFirst()
                .orElseThrow()
                .content();
    }

    private static List<Step> session() {
        List<Step> steps = new ArrayList<>();
        for (String step : block("console", "kubectl").split("(?m)^\\$ ")) {
            if (!step.isEmpty()) {
                int end = step.indexOf('\n');
                steps.add(new Step(step.substring(0, end), step.substring(end + 1)));
            }
        }
        return steps;
    }

    /** Writes the descriptor set of the page: that of the tests of types, without the second version. */
    private Path types() throws IOException {
        FileDescriptorSet.Builder files = FileDescriptorSet.newBuilder();
        for (URL url : Collections.list(Artist.class.getClassLoader().getResources("META-INF/evenkeel/types.binpb"))) {
            try (InputStream set = url.openStream()) {
                List<FileDescriptorProto> all = FileDescriptorSet.parseFrom(set).getFileList();
                if (all.stream().anyMatch(file -> file.getPackage().equals("demo.catalog.v1"))) {
                    all.stream()
                            .filter(file -> !file.getPackage().equals("demo.catalog.v2"))
                            .forEach(files::addFile);
                }
            }
        }
        return Files.write(directory.resolve("types.binpb"), files.build().toByteArray());
    }

    private String run(ServerProcess server, Kubectl kubectl, String command) throws IOException, InterruptedException {
        String tools = String.valueOf(kubectl.binary().toAbsolutePath().getParent());
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("KUBECONFIG", server.kubeconfig().toString());
        builder.environment().merge("PATH", tools, (path, own) -> own + ":" + path);
        int exit = builder.start().waitFor();
        String text = Files.readString(output);
        assertThat(exit).as(command + ": " + text).isZero();
        return text;
    }

    private static Resource nina(int port, ServerProcess server) throws IOException {
        Type artist = Type.newBuilder()
                .setGroup("catalog")
                .setGroupVersion("v1")
                .setKind("Artist")
                .build();
        try (GrpcConnection connection = GrpcConnection.of(port, server.kubeconfig())) {
            return connection
                    .service()
                    .read(ReadRequest.newBuilder()
                            .setId(ID.newBuilder().setType(artist).setName("nina"))
                            .build())
                    .getResource();
        }
    }

    @Test
    void isAsOnThePage() throws Exception {
        List<Kubectl> found = Kubectl.found(directory);
        Assumptions.assumeFalse(found.isEmpty(), "no kubectl on the PATH or in EVENKEEL_KUBECTL");
        Files.writeString(directory.resolve("artist.yaml"), block("yaml", "Nina Simone"));
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        assertThat(block("sh", "--types")).contains("--types types.binpb --grpc-port");
        try (ServerProcess server = ServerProcess.startWithTls(
                directory, "--types", types().toString(), "--grpc-port", Integer.toString(port))) {
            for (Step step : session()) {
                if (step.command().contains("delete")) {
                    Resource nina = nina(port, server);
                    assertThat(nina.getData().unpack(Artist.class).getGenre()).isEqualTo(Genre.GENRE_FOLK);
                }
                String output = run(server, found.getFirst(), step.command());
                assertThat(words(output)).as(step.command()).isEqualTo(words(step.output()));
            }
            assertThat(run(server, found.getFirst(), "kubectl get --raw /metrics"))
                    .contains("service=\"evenkeel.resource.v1.ResourceService\"", "method=\"Read\"");
        }
    }

    private static String words(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
