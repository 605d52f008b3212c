package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.grpc.resource.v1.TypesRequest;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server in a process of its own, run as by users. */
@Timeout(300)
class ServerCommandTest {
    @TempDir
    Path directory;

    private Process start(Path kubeconfig, String... more) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Evenkeel.class.getName(),
                "server",
                "--port",
                "0",
                "--kubeconfig",
                kubeconfig.toString());
        builder.command().addAll(List.of(more));
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Waits until the file exists, without polling. */
    private static void await(Path file, Process process) throws IOException, InterruptedException {
        try (WatchService watcher = FileSystems.getDefault().newWatchService()) {
            file.getParent().register(watcher, StandardWatchEventKinds.ENTRY_CREATE);
            while (!Files.exists(file)) {
                assertThat(process.isAlive()).isTrue();
                var key = watcher.poll(1, TimeUnit.SECONDS);
                if (key != null) {
                    key.reset();
                }
            }
        }
    }

    private static String find(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }

    @Test
    void isReadyWhenTheKubeconfigExistsAndEndsCleanlyOnSigterm() throws Exception {
        Path kubeconfig = directory.resolve("kubeconfig");
        Process process = start(kubeconfig, "--plain-http");
        try {
            await(kubeconfig, process);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kubeconfig)))
                    .isEqualTo("rw-------");
            String text = Files.readString(kubeconfig);
            URI url = URI.create(find("server: \"?([^\\s\"]+)", text) + "/api/v1/namespaces/default");
            String token = find("token: \"?([^\\s\"]+)", text);
            assertThat(url.getHost()).isEqualTo("127.0.0.1");

            try (HttpClient http = HttpClient.newHttpClient()) {
                HttpRequest.Builder request = HttpRequest.newBuilder(url);
                assertThat(http.send(request.build(), HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(401);
                request.header("Authorization", "Bearer " + token);
                assertThat(http.send(request.build(), HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(200);
            }

            Process second = start(kubeconfig, "--plain-http");
            assertThat(second.waitFor()).isEqualTo(1);
            assertThat(kubeconfig).content().isEqualTo(text);

            process.destroy();
            assertThat(process.waitFor()).isZero();
            assertThat(kubeconfig).doesNotExist();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void servesTheResourceServiceWithTheCredentialsOfTheKubeconfig() throws Exception {
        Path kubeconfig = directory.resolve("kubeconfig");
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Process process = start(kubeconfig, "--grpc-port", Integer.toString(port));
        try {
            await(kubeconfig, process);
            try (GrpcConnection connection = GrpcConnection.of(port, kubeconfig)) {
                assertThat(connection
                                .service()
                                .types(TypesRequest.getDefaultInstance())
                                .getTypesList())
                        .isNotEmpty();
            }
        } finally {
            process.destroy();
            assertThat(process.waitFor()).isZero();
        }
    }

    /** A start takes as long as the classes that it loads. */
    @Test
    void startLoadsOnlyWhatItNeeds() throws Exception {
        Path kubeconfig = directory.resolve("kubeconfig");
        Path loaded = directory.resolve("loaded");
        Process process = new ProcessBuilder(ServerCommand.process(
                        List.of("-XX:TieredStopAtLevel=1", "-Xlog:class+load:file=" + loaded),
                        "--kubeconfig",
                        kubeconfig.toString()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            await(kubeconfig, process);
        } finally {
            process.destroy();
            assertThat(process.waitFor()).isZero();
        }

        assertThat(Files.readString(loaded))
                .contains("dev.evenkeel.server.Server ", "sun.security.ssl.")
                .doesNotContain(
                        "com.sun.jmx.mbeanserver.",
                        "dev.cel.",
                        "com.google.protobuf.",
                        "io.grpc.",
                        "io.vertx.",
                        "org.snakeyaml.",
                        "org.yaml.");
    }
}
