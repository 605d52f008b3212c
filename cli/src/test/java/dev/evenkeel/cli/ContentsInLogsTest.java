package dev.evenkeel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc.ResourceServiceBlockingStub;
import dev.evenkeel.grpc.resource.v1.Type;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads all that a server in a process of its own has printed, after objects with marked contents were sent in many ways. */
@Timeout(300)
class ContentsInLogsTest {
    private static final String MARK = "marked-content-47110815";
    private static final String CORE = "/api/v1/namespaces/default/";
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String THINGS = "/apis/marked.example/v1/namespaces/default/things";
    private static final String JSON = "application/json";
    private static final String DEFINITION = """
            {"metadata":{"name":"things.marked.example"},"spec":{"group":"marked.example","scope":"Namespaced",
             "names":{"plural":"things","kind":"Thing"},
             "conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],
              "clientConfig":{"url":"https://127.0.0.1:1/convert"}}},
             "versions":[
              {"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
               "spec":{"type":"object","properties":{"text":{"type":"string","x-kubernetes-validations":[
                {"rule":"self.size() < 10 || int(self) > 0","messageExpression":"'not a number: ' + self"}]}}}}}}},
              {"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object",
               "x-kubernetes-preserve-unknown-fields":true}}}]}}""";
    private static final String WEBHOOK = """
            {"metadata":{"name":"unreachable"},"webhooks":[{"name":"unreachable.marked.example","sideEffects":"None",
             "admissionReviewVersions":["v1"],"failurePolicy":"Fail","timeoutSeconds":1,
             "clientConfig":{"url":"https://127.0.0.1:1/admit"},
             "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["services","pods"]}]}]}""";

    @TempDir
    private Path directory;

    @Test
    void nothingThatClientsSendIsLogged() throws Exception {
        int port = freePort();
        try (ServerProcess server = ServerProcess.start(directory, "--grpc-port", Integer.toString(port));
                HttpClient http = HttpClient.newHttpClient()) {
            overHttp(http, server);
            overGrpc(server, port);
            String token = server.token();
            assertThat(server.terminate()).isZero();
            String encoded =
                    Base64.getEncoder().encodeToString(MARK.getBytes(UTF_8)).substring(0, 20);
            assertThat(server.lines())
                    .isNotEmpty()
                    .noneMatch(line -> line.contains(MARK) || line.contains(encoded) || line.contains(token));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void overHttp(HttpClient http, ServerProcess server) throws Exception {
        String secret = "{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"a\":\"" + MARK + "\"}}";
        assertThat(send(http, server, "POST", CORE + "secrets", JSON, secret)).isEqualTo(201);
        assertThat(send(http, server, "POST", CRDS, JSON, DEFINITION)).isEqualTo(201);
        for (String body : List.of(
                secret,
                "{\"data\":{\"a\":\"" + MARK,
                "{\"data\":{\"a\":{\"" + MARK + "\":1}}}",
                "{\"metadata\":{\"name\":\"" + MARK.toUpperCase(java.util.Locale.ROOT) + MARK + "!\"}}",
                "{\"metadata\":{\"name\":\"n\",\"labels\":{\"a\":\"" + MARK + " !\"}}}",
                "{\"metadata\":{\"name\":\"n\"},\"" + MARK + "\":\"" + MARK + "\"}")) {
            for (String type : List.of(JSON, "application/yaml", "application/vnd.kubernetes.protobuf", MARK + "/x")) {
                for (String resource : List.of("secrets", "pods")) {
                    send(http, server, "POST", CORE + resource + "?fieldValidation=Strict", type, body);
                    send(http, server, "PUT", CORE + resource + "/s", type, body);
                }
            }
            for (String type : List.of("json-patch+json", "merge-patch+json", "strategic-merge-patch+json")) {
                send(http, server, "PATCH", CORE + "secrets/s", "application/" + type, body);
            }
            for (String manager : List.of("one", "two")) {
                String apply = CORE + "secrets/s?fieldManager=" + manager;
                send(http, server, "PATCH", apply, "application/apply-patch+yaml", body);
            }
        }
        for (String large : List.of(
                "{\"metadata\":{\"name\":\"n\"},\"data\":{\"a\":\"" + MARK.repeat(100_000) + "\"}}",
                MARK.repeat(200_000),
                "[".repeat(100_000) + MARK)) {
            send(http, server, "POST", CORE + "configmaps", JSON, large);
            send(http, server, "PATCH", CORE + "secrets/s", "application/merge-patch+json", large);
        }
        String patch = "[{\"op\":\"test\",\"path\":\"/data/a\",\"value\":\"" + MARK + "\"}]";
        send(http, server, "PATCH", CORE + "secrets/s", "application/json-patch+json", patch);
        String thing = "{\"apiVersion\":\"marked.example/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"t\"},"
                + "\"spec\":{\"text\":\"" + MARK + "\"}}";
        send(http, server, "POST", THINGS, JSON, thing);
        send(http, server, "POST", THINGS.replace("v1", "v2"), JSON, thing.replace("/v1", "/v2"));
        for (String kind : List.of("mutating", "validating")) {
            String webhooks = "/apis/admissionregistration.k8s.io/v1/" + kind + "webhookconfigurations";
            assertThat(send(http, server, "POST", webhooks, JSON, WEBHOOK)).isEqualTo(201);
            String service = "{\"metadata\":{\"name\":\"w\"},\"spec\":{\"externalName\":\"" + MARK
                    + ".example\",\"type\":\"ExternalName\"}}";
            assertThat(send(http, server, "POST", CORE + "services", JSON, service))
                    .isEqualTo(500);
        }
        String review = "{\"spec\":{\"token\":\"" + MARK + "\"}}";
        send(http, server, "POST", "/apis/authentication.k8s.io/v1/tokenreviews", JSON, review);
        for (String credentials : List.of("Bearer " + MARK, "Basic " + MARK, MARK)) {
            HttpRequest request = HttpRequest.newBuilder(
                            server.connection().server().resolve(CORE + "secrets"))
                    .header("Authorization", credentials)
                    .build();
            assertThat(http.send(request, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(401);
        }
        send(http, server, "DELETE", CORE + "secrets/s", JSON, "{\"preconditions\":{\"uid\":\"" + MARK + "\"}}");
    }

    private static int send(HttpClient http, ServerProcess server, String method, String path, String type, String body)
            throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(
                            server.connection().server().resolve(path))
                    .header("Authorization", "Bearer " + server.token())
                    .header("Content-Type", type)
                    .method(method, BodyPublishers.ofString(body))
                    .build();
            return http.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0; // the connection was closed before all of a large body was sent
        }
    }

    private static void overGrpc(ServerProcess server, int port) throws IOException {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + server.token());
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        ResourceServiceBlockingStub stub = ResourceServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        for (String text : List.of(MARK, MARK.repeat(200_000))) {
            for (String kind : List.of("Secret", MARK)) {
                Struct data = Struct.newBuilder()
                        .putFields(
                                "data", Value.newBuilder().setStringValue(text).build())
                        .build();
                Resource resource = Resource.newBuilder()
                        .setId(ID.newBuilder()
                                .setType(Type.newBuilder().setGroupVersion("v1").setKind(kind))
                                .setName("g"))
                        .putMetadata("a", text)
                        .setData(Any.pack(data))
                        .build();
                WriteRequest write =
                        WriteRequest.newBuilder().setResource(resource).build();
                assertThat(refusal(() -> stub.write(write))).isNotEqualTo(Status.Code.OK);
                byte[] cut = new byte[write.getSerializedSize() - 3];
                System.arraycopy(write.toByteArray(), 0, cut, 0, cut.length);
                assertThat(refusal(() ->
                                ClientCalls.blockingUnaryCall(stub.getChannel(), BYTES, CallOptions.DEFAULT, cut)))
                        .isNotEqualTo(Status.Code.OK);
            }
        }
        channel.shutdownNow();
    }

    private static Status.Code refusal(Runnable call) {
        try {
            call.run();
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    private static final MethodDescriptor.Marshaller<byte[]> MARSHALLER = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    private static final MethodDescriptor<byte[], byte[]> BYTES = MethodDescriptor.newBuilder(MARSHALLER, MARSHALLER)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(ResourceServiceGrpc.getWriteMethod().getFullMethodName())
            .build();
}
