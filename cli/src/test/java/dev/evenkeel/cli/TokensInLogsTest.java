package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.grpc.GrpcServer;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc.ResourceServiceBlockingStub;
import dev.evenkeel.grpc.resource.v1.Type;
import dev.evenkeel.server.Server;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Searches all log lines of a server, at the finest level, for the tokens that it received and issued. */
@Isolated
class TokensInLogsTest {
    private static final String ACCOUNT = "/api/v1/namespaces/default/serviceaccounts/default/token";
    private static final ReadRequest MAP = ReadRequest.newBuilder()
            .setId(ID.newBuilder()
                    .setName("kube-root-ca.crt")
                    .setType(Type.newBuilder().setGroupVersion("v1").setKind("ConfigMap")))
            .build();
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private static String send(HttpClient http, Server server, String method, String path, String token, String body)
            throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Authorization", "Bearer " + token)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    @Test
    void noTokenIsLogged() throws Exception {
        try (LogLines log = new LogLines();
                Engine engine =
                        Engine.builder().authorization(Authorization.RBAC).build();
                HttpClient http = HttpClient.newHttpClient();
                Server server = Server.builder(engine)
                        .tls(false)
                        .token("root-token", User.ADMIN)
                        .start();
                GrpcServer grpc = GrpcServer.builder(engine)
                        .tls(false)
                        .token("root-token", User.ADMIN)
                        .start()) {
            String answer = send(http, server, "POST", ACCOUNT, "root-token", "{}");
            Matcher issued = Pattern.compile("\"token\":\"([^\"]+)\"").matcher(answer);
            assertThat(issued.find()).as(answer).isTrue();
            String account = issued.group(1);
            List<String> tokens = List.of(
                    "root-token", account, account.substring(0, account.length() - 6) + "AAAAAA", "nonsense-token");
            for (String token : tokens) {
                send(http, server, "GET", MAPS, token, "");
                send(http, server, "POST", MAPS, token, "no object");
                String review = "{\"spec\":{\"token\":\"" + token + "\"}}";
                send(http, server, "POST", "/apis/authentication.k8s.io/v1/tokenreviews", "root-token", review);
            }
            call(grpc, tokens);
            String metrics = send(http, server, "GET", "/metrics", "root-token", "");
            for (String token : tokens) {
                assertThat(metrics).doesNotContain(token);
                assertThat(log.texts()).noneMatch(line -> line.contains(token));
            }
        }
    }

    /** Makes accepted and refused calls with tokens. */
    private static void call(GrpcServer server, List<String> tokens) {
        ManagedChannel channel = Grpc.newChannelBuilder(server.target(), InsecureChannelCredentials.create())
                .build();
        for (String token : tokens) {
            Metadata headers = new Metadata();
            headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
            ResourceServiceBlockingStub service = ResourceServiceGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
            for (ReadRequest request : List.of(ReadRequest.getDefaultInstance(), MAP)) {
                try {
                    assertThat(service.read(request).hasResource()).isTrue();
                } catch (StatusRuntimeException e) {
                    assertThat(e.getMessage()).doesNotContain(token);
                }
            }
        }
        channel.shutdownNow();
    }
}
