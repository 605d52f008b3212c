package dev.evenkeel.cli;

import static dev.evenkeel.cli.ForgedTokens.encoded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.grpc.GrpcServer;
import dev.evenkeel.grpc.resource.v1.ApplyRequest;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.ListByOwnerRequest;
import dev.evenkeel.grpc.resource.v1.ListRequest;
import dev.evenkeel.grpc.resource.v1.MutateAndValidateRequest;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc.ResourceServiceBlockingStub;
import dev.evenkeel.grpc.resource.v1.Status;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import dev.evenkeel.grpc.resource.v1.Type;
import dev.evenkeel.grpc.resource.v1.TypesRequest;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import dev.evenkeel.grpc.resource.v1.WriteManyResponse;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import dev.evenkeel.grpc.resource.v1.WriteStatusRequest;
import dev.evenkeel.server.Server;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The table of hostile gRPC calls in docs/security.md: each is sent, is refused as the page says, and changes nothing.
 *
 * <p>The attacker is {@code ann}, as in {@link HostileRequestsTest}.
 */
@Isolated("reads all log lines")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileCallsTest {
    private static final Path PAGE = Path.of("../docs/security.md");
    private static final String ROOT = "root-token-of-the-calls";
    private static final String ANN = "ann-token-of-the-calls";
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final Type MAP = type("", "ConfigMap");
    private static final Type SECRET = type("", "Secret");
    private static final Type ROLE = type(RBAC, "Role");
    private static final Type BINDING = type(RBAC, "RoleBinding");
    private static final String SECRETS =
            "{\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"secrets\"],\"verbs\":[\"get\"]}]}";
    private static final String HELD = "is attempting to grant RBAC permissions not currently held";

    private final LogLines log = new LogLines();
    private final List<String> tokens = new ArrayList<>(List.of(ROOT, ANN));
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final Engine engine =
            Engine.builder().authorization(Authorization.RBAC).build();
    private final Server http =
            Server.builder(engine).tls(false).token(ROOT, User.ADMIN).start();
    private final GrpcServer server = GrpcServer.builder(engine)
            .tls(false)
            .token(ROOT, User.ADMIN)
            .token(ANN, User.of("ann", "devs"))
            .start();

    /** A call, and its refusal. */
    private record Hostile(String name, Call call, io.grpc.Status.Code code, String message) {
        String row() {
            return "| " + name + " | `" + code + "`" + (message.isEmpty() ? "" : " `" + message + "`") + " |\n";
        }
    }

    @FunctionalInterface
    private interface Call {
        void send() throws Exception;
    }

    @BeforeAll
    void start() {
        ResourceServiceBlockingStub root = as(ROOT);
        write(
                root,
                resource(
                        ROLE,
                        "ann",
                        "{\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"configmaps\"],"
                                + "\"verbs\":[\"get\",\"list\",\"watch\",\"create\",\"update\",\"patch\",\"delete\"]},"
                                + "{\"apiGroups\":[\"" + RBAC
                                + "\"],\"resources\":[\"roles\",\"rolebindings\"],\"verbs\":[\"create\",\"update\",\"patch\"]}]}"));
        write(root, resource(BINDING, "ann", binding("Role", "ann")));
        write(root, resource(SECRET, "s", "{}"));
        write(root, resource(MAP, "m", "{\"data\":{\"k\":\"v\"}}"));
    }

    @AfterAll
    void stop() {
        channels.forEach(ManagedChannel::shutdownNow);
        server.close();
        http.close();
        engine.close();
        log.close();
    }

    private static Type type(String group, String kind) {
        return Type.newBuilder()
                .setGroup(group)
                .setGroupVersion("v1")
                .setKind(kind)
                .build();
    }

    private static ID id(Type type, String name) {
        return ID.newBuilder().setType(type).setName(name).build();
    }

    private static Tenancy tenancy(String partition, String namespace) {
        return Tenancy.newBuilder()
                .setPartition(partition)
                .setNamespace(namespace)
                .build();
    }

    private static Resource resource(Type type, String name, String json) {
        Struct.Builder data = Struct.newBuilder();
        try {
            JsonFormat.parser().merge(json, data);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
        return Resource.newBuilder()
                .setId(id(type, name))
                .setData(Any.pack(data.build()))
                .build();
    }

    private static Resource map(String name) {
        return resource(MAP, name, "{\"data\":{\"a\":\"b\"}}");
    }

    private static Resource data(Any data) {
        return Resource.newBuilder().setId(id(MAP, "m")).setData(data).build();
    }

    private static String binding(String kind, String role) {
        return "{\"roleRef\":{\"apiGroup\":\"" + RBAC + "\",\"kind\":\"" + kind + "\",\"name\":\"" + role
                + "\"},\"subjects\":[{\"apiGroup\":\"" + RBAC + "\",\"kind\":\"User\",\"name\":\"ann\"}]}";
    }

    private static Resource write(ResourceServiceBlockingStub stub, Resource resource) {
        return stub.write(WriteRequest.newBuilder().setResource(resource).build())
                .getResource();
    }

    private static ReadRequest read(Type type, String name) {
        return ReadRequest.newBuilder().setId(id(type, name)).build();
    }

    private ManagedChannel channel() {
        ManagedChannel channel = NettyChannelBuilder.forTarget(server.target())
                .usePlaintext()
                .maxInboundMetadataSize(1 << 20)
                .build();
        channels.add(channel);
        return channel;
    }

    private ResourceServiceBlockingStub as(String token, String... headers) {
        Metadata metadata = new Metadata();
        metadata.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        for (int i = 0; i < headers.length; i += 2) {
            metadata.put(Metadata.Key.of(headers[i], Metadata.ASCII_STRING_MARSHALLER), headers[i + 1]);
        }
        return ResourceServiceGrpc.newBlockingStub(channel())
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
    }

    private String post(String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(http.url().resolve(path))
                .header("Authorization", "Bearer " + ROOT)
                .header("Content-Type", "application/json")
                .method(body.isEmpty() ? "GET" : "POST", HttpRequest.BodyPublishers.ofString(body))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String token(String partition, String request) {
        String answer = post(partition + "/api/v1/namespaces/default/serviceaccounts/default/token", request);
        Matcher issued = Pattern.compile("\"token\":\"([^\"]+)\"").matcher(answer);
        assertThat(issued.find()).as(answer).isTrue();
        tokens.add(issued.group(1));
        return issued.group(1);
    }

    // The attacks

    private static Hostile refused(String name, io.grpc.Status.Code code, String message, Call call) {
        return new Hostile(name, call, code, message);
    }

    private static Hostile unauthenticated(String name, Call call) {
        return refused(name, io.grpc.Status.Code.UNAUTHENTICATED, "Unauthorized", call);
    }

    private static Hostile forbidden(String name, String message, Call call) {
        return refused(name, io.grpc.Status.Code.PERMISSION_DENIED, message, call);
    }

    private static Hostile invalid(String name, String message, Call call) {
        return refused(name, io.grpc.Status.Code.INVALID_ARGUMENT, message, call);
    }

    private List<Hostile> credentials() throws Exception {
        String account = token("", "{}");
        engine.partition("other");
        String foreign = token("/partitions/other", "{}");
        String audience = token("", "{\"spec\":{\"audiences\":[\"vault\"]}}");
        ResourceServiceBlockingStub bare = ResourceServiceGrpc.newBlockingStub(channel());
        List<Hostile> all = new ArrayList<>();
        all.add(unauthenticated("a call without credentials", () -> bare.read(read(MAP, "m"))));
        all.add(unauthenticated(
                "a watch without credentials",
                () -> bare.watchList(WatchListRequest.newBuilder().setType(MAP).build())
                        .next()));
        all.add(unauthenticated(
                "a list of the types without credentials", () -> bare.types(TypesRequest.getDefaultInstance())));
        all.add(unauthenticated("server reflection without credentials", this::reflect));
        all.add(unauthenticated(
                "a call with an unknown token",
                () -> as("nonsense-token-of-the-calls").read(read(MAP, "m"))));
        all.add(unauthenticated(
                "a call with a token for another audience", () -> as(audience).read(read(MAP, "m"))));
        all.add(unauthenticated(
                "a call with a token of another partition", () -> as(foreign).read(read(MAP, "m"))));
        all.add(unauthenticated(
                "a call with a token of this partition in another",
                () -> as(account)
                        .read(ReadRequest.newBuilder()
                                .setId(id(MAP, "m").toBuilder().setTenancy(tenancy("other", "")))
                                .build())));
        ForgedTokens.of(account, post("/openid/v1/jwks", "")).forEach((name, token) -> {
            tokens.add(token);
            all.add(unauthenticated("a call with " + name, () -> as(token).read(read(MAP, "m"))));
        });
        return all;
    }

    private void reflect() throws InterruptedException, StatusException {
        BlockingClientCall<ServerReflectionRequest, ServerReflectionResponse> call =
                ClientCalls.blockingBidiStreamingCall(
                        channel(), ServerReflectionGrpc.getServerReflectionInfoMethod(), CallOptions.DEFAULT);
        call.write(ServerReflectionRequest.newBuilder().setListServices("").build());
        call.halfClose();
        var _ = call.read();
    }

    private List<Hostile> permissions() {
        ResourceServiceBlockingStub ann = as(ANN);
        Resource role = resource(ROLE, "r", SECRETS);
        return List.of(
                forbidden("a write of a role with more than its author has", HELD, () -> write(ann, role)),
                forbidden(
                        "a validation of a role with more than its author has",
                        HELD,
                        () -> ann.mutateAndValidate(MutateAndValidateRequest.newBuilder()
                                .setResource(role)
                                .build())),
                forbidden(
                        "a replacement of a role with more than its author has",
                        HELD,
                        () -> write(ann, resource(ROLE, "ann", SECRETS))),
                forbidden(
                        "a write of the rules of a role by a mask",
                        HELD,
                        () -> ann.write(WriteRequest.newBuilder()
                                .setResource(resource(ROLE, "ann", SECRETS))
                                .setUpdateMask(FieldMask.newBuilder().addPaths("data.rules"))
                                .build())),
                forbidden(
                        "an apply of rules with more than their author has",
                        HELD,
                        () -> ann.apply(ApplyRequest.newBuilder()
                                .setResource(role)
                                .setManager("ann")
                                .build())),
                forbidden("a role in a stream of writes", HELD, () -> writeMany(role)),
                forbidden(
                        "a write of a binding of cluster-admin",
                        HELD,
                        () -> write(ann, resource(BINDING, "b", binding("ClusterRole", "cluster-admin")))),
                forbidden(
                        "impersonation of an administrator by headers",
                        "cannot impersonate",
                        () -> as(ANN, "impersonate-user", "admin").read(read(MAP, "m"))),
                forbidden(
                        "impersonation of a group by headers",
                        "cannot impersonate",
                        () -> as(ANN, "impersonate-user", "ann", "impersonate-group", "system:masters")
                                .read(read(MAP, "m"))),
                forbidden(
                        "a read of another kind", "cannot get resource \"secrets\"", () -> ann.read(read(SECRET, "s"))),
                forbidden(
                        "a list of another kind",
                        "cannot list resource \"secrets\"",
                        () -> ann.list(ListRequest.newBuilder().setType(SECRET).build())),
                forbidden(
                        "a watch of another kind over gRPC",
                        "cannot watch resource \"secrets\"",
                        () -> ann.watchList(WatchListRequest.newBuilder()
                                        .setType(SECRET)
                                        .build())
                                .next()),
                forbidden(
                        "the resources of an owner that must not be read",
                        "cannot get resource \"secrets\"",
                        () -> ann.listByOwner(ListByOwnerRequest.newBuilder()
                                .setOwner(id(SECRET, "s").toBuilder().setUid("x"))
                                .build())),
                forbidden(
                        "a list of all namespaces",
                        "at the cluster scope",
                        () -> ann.list(ListRequest.newBuilder()
                                .setType(MAP)
                                .setTenancy(tenancy("", "*"))
                                .build())),
                forbidden(
                        "a list of all partitions",
                        "",
                        () -> ann.list(ListRequest.newBuilder()
                                .setType(MAP)
                                .setTenancy(tenancy("*", ""))
                                .build())),
                forbidden(
                        "a deletion in another namespace",
                        "in the namespace \"kube-system\"",
                        () -> ann.delete(DeleteRequest.newBuilder()
                                .setId(id(MAP, "m").toBuilder().setTenancy(tenancy("", "kube-system")))
                                .build())),
                forbidden(
                        "a status of another kind",
                        "cannot update resource \"namespaces/status\"",
                        () -> ann.writeStatus(WriteStatusRequest.newBuilder()
                                .setId(id(type("", "Namespace"), "default"))
                                .setStatus(Status.getDefaultInstance())
                                .build())),
                forbidden(
                        "a write into a partition that does not exist",
                        "",
                        () -> write(
                                ann,
                                map("m").toBuilder()
                                        .setId(id(MAP, "m").toBuilder().setTenancy(tenancy("absent", "")))
                                        .build())));
    }

    private void writeMany(Resource resource) throws InterruptedException, StatusException {
        BlockingClientCall<WriteRequest, WriteManyResponse> call = ClientCalls.blockingBidiStreamingCall(
                as(ANN).getChannel(), ResourceServiceGrpc.getWriteManyMethod(), CallOptions.DEFAULT);
        call.write(WriteRequest.newBuilder().setResource(resource).build());
        call.halfClose();
        WriteManyResponse response = call.read();
        assertThat(response).isNotNull();
        throw io.grpc.Status.fromCodeValue(response.getError().getCode())
                .withDescription(response.getError().getMessage())
                .asException();
    }

    /** Encodes by hand, from the inside, what the library cannot encode: a list of a list, and so on. */
    private static Any nested(int levels) {
        ByteString value = ByteString.EMPTY;
        for (int i = 0; i < levels; i++) {
            value = field(6, field(1, value));
        }
        ByteString entry = field(1, ByteString.copyFromUtf8("data")).concat(field(2, value));
        return Any.newBuilder()
                .setTypeUrl("type.googleapis.com/google.protobuf.Struct")
                .setValue(field(1, entry))
                .build();
    }

    private static ByteString field(int number, ByteString content) {
        return UnknownFieldSet.newBuilder()
                .addField(
                        number,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(content)
                                .build())
                .build()
                .toByteString();
    }

    private List<Hostile> requests() {
        ResourceServiceBlockingStub root = as(ROOT);
        Any text = Any.pack(Struct.newBuilder()
                .putFields(
                        "data",
                        Value.newBuilder().setStringValue("x".repeat(4 << 20)).build())
                .build());
        Value infinite =
                Value.newBuilder().setNumberValue(Double.POSITIVE_INFINITY).build();
        return List.of(
                refused(
                        "a message of 4 MB",
                        io.grpc.Status.Code.RESOURCE_EXHAUSTED,
                        "exceeds maximum size",
                        () -> write(root, data(text))),
                refused(
                        "a compressed message",
                        io.grpc.Status.Code.UNIMPLEMENTED,
                        "decompressor",
                        () -> write(root.withCompression("gzip"), data(text))),
                refused(
                        "headers of 100 KB in a call",
                        io.grpc.Status.Code.INTERNAL,
                        "",
                        () -> as(ROOT, "x", "x".repeat(100_000)).read(read(MAP, "m"))),
                invalid("data that is 5,000 levels deep", "resource.data", () -> write(root, data(nested(5_000)))),
                invalid(
                        "data that is not a message",
                        "resource.data",
                        () -> write(
                                root,
                                data(Any.newBuilder()
                                        .setTypeUrl("type.googleapis.com/google.protobuf.Struct")
                                        .setValue(ByteString.copyFromUtf8("nonsense"))
                                        .build()))),
                invalid(
                        "data of a message that names a URL",
                        "resource.data",
                        () -> write(
                                root,
                                data(Any.newBuilder()
                                        .setTypeUrl("http://evil.example/Message")
                                        .build()))),
                invalid(
                        "an infinite number",
                        "resource.data",
                        () -> write(
                                root,
                                data(Any.pack(Struct.newBuilder()
                                        .putFields("data", infinite)
                                        .build())))),
                invalid(
                        "annotations of 300 KB in a call",
                        "Too long",
                        () -> write(
                                root,
                                map("m").toBuilder()
                                        .putMetadata("a", "x".repeat(300_000))
                                        .build())),
                invalid("a name that is a path in a call", "id.name", () -> root.read(read(MAP, "../../secrets/s"))),
                invalid(
                        "a namespace that is a path",
                        "id.tenancy.namespace",
                        () -> root.read(ReadRequest.newBuilder()
                                .setId(id(MAP, "m").toBuilder().setTenancy(tenancy("", "../kube-system")))
                                .build())),
                invalid(
                        "a partition that is a path",
                        "id.tenancy.partition",
                        () -> root.read(ReadRequest.newBuilder()
                                .setId(id(MAP, "m").toBuilder().setTenancy(tenancy("../other", "")))
                                .build())),
                invalid(
                        "a forged page token",
                        "page_token",
                        () -> root.list(ListRequest.newBuilder()
                                .setType(MAP)
                                .setPageToken(encoded("{\"start\":\"../secrets\"}"))
                                .build())),
                invalid(
                        "a page token of another list",
                        "page_token",
                        () -> root.list(ListRequest.newBuilder()
                                .setType(MAP)
                                .setPageToken(root.list(ListRequest.newBuilder()
                                                .setType(type(RBAC, "ClusterRole"))
                                                .setPageSize(1)
                                                .build())
                                        .getNextPageToken())
                                .build())),
                invalid(
                        "a forged resume token",
                        "resume_token",
                        () -> root.watchList(WatchListRequest.newBuilder()
                                        .setType(MAP)
                                        .setResumeToken("x".repeat(100))
                                        .build())
                                .next()),
                invalid(
                        "a selector of 500 brackets",
                        "label_selector",
                        () -> root.list(ListRequest.newBuilder()
                                .setType(MAP)
                                .setLabelSelector("(".repeat(500))
                                .build())),
                invalid(
                        "a mask of a field that does not exist",
                        "update_mask",
                        () -> root.write(WriteRequest.newBuilder()
                                .setResource(map("m"))
                                .setUpdateMask(FieldMask.newBuilder().addPaths("id.uid"))
                                .build())),
                invalid(
                        "an owner that does not exist",
                        "owner",
                        () -> write(
                                root,
                                map("x").toBuilder()
                                        .setOwner(id(MAP, "nothing").toBuilder().setUid("1"))
                                        .build())),
                refused(
                        "an unknown method",
                        io.grpc.Status.Code.UNIMPLEMENTED,
                        "",
                        () -> ClientCalls.blockingUnaryCall(
                                as(ROOT).getChannel(),
                                MethodDescriptor.<ReadRequest, Resource>newBuilder(
                                                ResourceServiceGrpc.getReadMethod()
                                                        .getRequestMarshaller(),
                                                io.grpc.protobuf.ProtoUtils.marshaller(Resource.getDefaultInstance()))
                                        .setType(MethodDescriptor.MethodType.UNARY)
                                        .setFullMethodName("evenkeel.resource.v1.ResourceService/Shutdown")
                                        .build(),
                                CallOptions.DEFAULT,
                                ReadRequest.getDefaultInstance())),
                refused(
                        "a deadline that is over",
                        io.grpc.Status.Code.DEADLINE_EXCEEDED,
                        "",
                        () -> write(root.withDeadlineAfter(1, TimeUnit.NANOSECONDS), map("late"))));
    }

    @TestFactory
    Stream<DynamicTest> isRefused() throws Exception {
        List<Hostile> all = new ArrayList<>(credentials());
        all.addAll(permissions());
        all.addAll(requests());
        long before = engine.store().revision();
        Stream<DynamicTest> refusals = all.stream()
                .map(hostile -> DynamicTest.dynamicTest(hostile.name(), () -> {
                    io.grpc.Status status = io.grpc.Status.fromThrowable(catchThrowableOfType(
                            Exception.class, () -> hostile.call().send()));
                    String message = String.valueOf(status.getDescription());
                    assertThat(status.getCode()).as(message).isEqualTo(hostile.code());
                    assertThat(message).contains(hostile.message()).doesNotContain("\tat ", "java.", "dev.evenkeel");
                    tokens.forEach(token -> assertThat(message).doesNotContain(token));
                    assertThat(engine.store().revision()).isEqualTo(before);
                }));
        return Stream.concat(
                refusals,
                Stream.of(
                        DynamicTest.dynamicTest(
                                "no token is in a log line",
                                () -> assertThat(log.texts())
                                        .noneMatch(line -> tokens.stream().anyMatch(line::contains))),
                        DynamicTest.dynamicTest(
                                "the page lists all",
                                () -> assertThat(Files.readString(PAGE))
                                        .contains(all.stream().map(Hostile::row).toList()))));
    }

    @Test
    void aConnectionWithTooManyResetsIsClosed() throws Exception {
        byte[] call = Http2Frames.headers(
                ":method",
                "POST",
                ":scheme",
                "http",
                ":path",
                "/evenkeel.resource.v1.ResourceService/Read",
                ":authority",
                "localhost",
                "content-type",
                "application/grpc",
                "te",
                "trailers");
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(20_000);
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            Http2Frames.reset(out, call, 50_000);
            assertThat(Http2Frames.closed(new DataInputStream(socket.getInputStream())))
                    .isTrue();
        }
        assertThat(as(ROOT).read(read(MAP, "m")).hasResource()).isTrue();
    }

    @Test
    void aRequestThatIsNotOfGrpcIsRefused() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readAllBytes();
            assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("HTTP/1.1 200");
        }
    }
}
