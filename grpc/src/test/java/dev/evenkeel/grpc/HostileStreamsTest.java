package dev.evenkeel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.HostAndPort;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Struct;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import dev.evenkeel.engine.contract.AttackedServer;
import dev.evenkeel.engine.contract.HostileSoak;
import dev.evenkeel.engine.contract.Sample;
import dev.evenkeel.grpc.resource.v1.ApplyRequest;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.ListRequest;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import dev.evenkeel.grpc.resource.v1.WriteStatusRequest;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Calls of hostile and careless clients, to a server with a heap of 256 MB, which ends if that is not enough. Each is
 * refused; after it a normal client is served within a second, and the heap is not more than half full after a collection.
 *
 * <p>A build makes some calls of each kind, {@code -Dhostile.all=true} makes all.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class HostileStreamsTest {
    private static final String SERVICE = "evenkeel.resource.v1.ResourceService/";
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /** How a server reports a failure of its own. */
    private static final Set<Code> FAILURES = Set.of(Code.OK, Code.UNKNOWN, Code.INTERNAL, Code.DATA_LOSS);

    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
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

    /** Calls that need the same budget. */
    private record Kind(String name, List<Call> calls) {}

    private record Call(String name, String method, byte[] message, Metadata headers, String compression) {
        Call(String name, String method, byte[] message) {
            this(name, method, message, new Metadata(), "");
        }

        /** Returns the same call of the user of a token, unless it has credentials of its own. */
        Call as(String token) {
            Metadata all = new Metadata();
            all.merge(headers);
            if (!all.containsKey(AUTHORIZATION)) {
                all.put(AUTHORIZATION, "Bearer " + token);
            }
            return new Call(name, method, message, all, compression);
        }
    }

    private final Sample sample = Sample.of("hostile");
    private final AtomicInteger objects = new AtomicInteger();
    private final List<Kind> kinds = List.of(
            new Kind("messages", messages()),
            new Kind("data", data()),
            new Kind("identifiers and parameters", parameters()),
            new Kind("headers and methods", headers()));
    private AttackedServer server = AttackedServer.launch(HostileGrpcServer.class);
    private ManagedChannel channel = connect();

    HostileStreamsTest() throws IOException, InterruptedException {}

    @AfterAll
    void stop() {
        channel.shutdownNow();
        server.close();
    }

    private ManagedChannel connect() {
        return channel().build();
    }

    private NettyChannelBuilder channel() {
        return NettyChannelBuilder.forTarget(server.address()).usePlaintext().maxInboundMessageSize(Integer.MAX_VALUE);
    }

    @TestFactory
    Stream<DynamicTest> eachIsRefused() {
        return kinds.stream()
                .flatMap(kind -> sample.of(kind.calls, 5).stream()
                        .map(call -> DynamicTest.dynamicTest(kind.name + ": " + call.name, () -> {
                            assertRefused(call);
                            assertServed(call.name);
                        })));
    }

    private void assertRefused(Call call) throws Exception {
        Status status = send(channel, call);
        assertThat(FAILURES).as(call.name + ": " + status).doesNotContain(status.getCode());
        assertThat(String.valueOf(status.getDescription())).doesNotContain("\tat ", "java.lang", "dev.evenkeel");
    }

    /** The first calls of a server are hostile. */
    @Test
    void aServerThatHasServedNothingElse() throws Exception {
        AttackedServer warm = server;
        ManagedChannel usual = channel;
        server = AttackedServer.launch(HostileGrpcServer.class);
        channel = connect();
        try {
            for (Kind kind : kinds) {
                for (Call call : sample.of(kind.calls, 3)) {
                    assertRefused(call);
                }
            }
            assertServed("the first calls");
        } finally {
            channel.shutdownNow();
            server.close();
            server = warm;
            channel = usual;
        }
    }

    @Test
    void watchesThatAreNeverRead() throws Exception {
        ManagedChannel greedy = connect();
        byte[] watch = WatchListRequest.newBuilder()
                .setType(Fixture.CONFIG_MAP)
                .build()
                .toByteArray();
        for (int i = 0; i < 200; i++) {
            ClientCall<byte[], byte[]> call = start(greedy, "WatchList", MethodType.SERVER_STREAMING);
            call.sendMessage(watch);
            call.halfClose();
        }
        for (int i = 0; i < 30; i++) {
            assertThat(write("watched-" + i, "x".repeat(200_000)).getCode()).isEqualTo(Code.OK);
        }
        assertServed("watches");
        greedy.shutdownNow();
        assertServed("the end of watches");
    }

    @Test
    void moreStreamsThanAreAllowedThatSendNothing() throws Exception {
        ManagedChannel greedy = connect();
        for (int i = 0; i < 1500; i++) {
            var unused = start(greedy, "WriteMany", MethodType.BIDI_STREAMING);
        }
        assertServed("silent streams");
        greedy.shutdownNow();
        assertServed("the end of silent streams");
    }

    @Test
    void streamsOfWritesWhoseResultsAreNeverRead() throws Exception {
        ManagedChannel greedy = connect();
        byte[] write = write(map("written", "x".repeat(100_000))).toByteArray();
        List<ClientCall<byte[], byte[]>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(start(greedy, "WriteMany", MethodType.BIDI_STREAMING));
        }
        for (int i = 0; i < 20; i++) {
            calls.forEach(call -> call.sendMessage(write));
        }
        assertServed("streams of writes");
        greedy.shutdownNow();
        assertServed("the end of streams of writes");
    }

    @Test
    void callsThatAreCancelledAtOnce() throws Exception {
        ManagedChannel greedy = connect();
        byte[] list =
                ListRequest.newBuilder().setType(Fixture.CONFIG_MAP).build().toByteArray();
        for (int i = 0; i < 2000; i++) {
            ClientCall<byte[], byte[]> call = start(greedy, "List", MethodType.UNARY);
            call.sendMessage(list);
            call.halfClose();
            call.cancel("a reset", null);
        }
        assertServed("cancelled calls");
        greedy.shutdownNow();
    }

    @Test
    void manyLargeMessagesAtOnce() throws Exception {
        byte[] message = write(map("large", "x".repeat(2_800_000))).toByteArray();
        List<CompletableFuture<Status>> answers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            answers.add(sendAsync(channel, new Call("large", SERVICE + "Write", message)));
        }
        for (CompletableFuture<Status> answer : answers) {
            Status status = answer.get(120, TimeUnit.SECONDS);
            assertThat(FAILURES).as(status.toString()).doesNotContain(status.getCode());
        }
        assertServed("large messages");
    }

    /** 300 MB, if all were kept. */
    @Test
    void manyConnectionsWithIncompleteMessages() throws Exception {
        HostAndPort address = HostAndPort.fromString(server.address());
        List<IncompleteMessage> messages = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                messages.add(new IncompleteMessage(
                        address.getHost(), address.getPort(), SERVICE + "Write", "unknown-token-" + i, 3_000_000));
            }
            CountDownLatch refused = new CountDownLatch(90);
            messages.forEach(message -> message.ended().thenAccept(answered -> {
                if (answered) {
                    refused.countDown();
                }
            }));
            assertThat(refused.await(120, TimeUnit.SECONDS)).isTrue();
            assertServed("incomplete messages");
        } finally {
            messages.forEach(IncompleteMessage::close);
        }
        assertServed("the end of incomplete messages");
    }

    /** Their responses are not read by the client, so that the server has to keep them. */
    @Test
    void manyLargeListsAtOnce() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(write("listed-" + i, "x".repeat(1_000_000)).getCode()).isEqualTo(Code.OK);
        }
        ManagedChannel greedy = connect();
        byte[] list =
                ListRequest.newBuilder().setType(Fixture.CONFIG_MAP).build().toByteArray();
        List<CompletableFuture<Status>> statuses = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            statuses.add(sendAsync(greedy, new Call("list", SERVICE + "List", list), 0));
        }
        Status refused = CompletableFuture.anyOf(statuses.toArray(CompletableFuture<?>[]::new))
                .thenApply(Status.class::cast)
                .get(120, TimeUnit.SECONDS);
        assertThat(refused.getCode()).isEqualTo(Code.RESOURCE_EXHAUSTED);
        assertServed("large lists");
        greedy.shutdownNow();
        assertServed("the end of large lists");
        for (int i = 0; i < 10; i++) {
            DeleteRequest delete = DeleteRequest.newBuilder()
                    .setId(Fixture.id(Fixture.CONFIG_MAP, "listed-" + i))
                    .build();
            send(channel, new Call("delete", SERVICE + "Delete", delete.toByteArray()));
        }
    }

    /** It names a field that neither the request nor the object has. */
    @Test
    void aMaskOfHalfAMillionNames() throws Exception {
        WriteRequest masked = write(map("masked", "v")).toBuilder()
                .setUpdateMask(FieldMask.newBuilder().addPaths("data" + ".a".repeat(500_000)))
                .build();
        send(channel, new Call("mask", SERVICE + "Write", masked.toByteArray()));
        assertServed("a long mask");
    }

    @Test
    void aDeadlineThatIsOver() throws Exception {
        ReadRequest read = ReadRequest.newBuilder()
                .setId(Fixture.id(Fixture.CONFIG_MAP, "absent"))
                .build();
        for (String timeout : List.of("1n", "1u")) {
            Metadata headers = new Metadata();
            headers.put(Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER), timeout);
            Status status = send(channel, new Call(timeout, SERVICE + "Read", read.toByteArray(), headers, ""));
            // the library resets a call whose time is over before it begins
            assertThat(status.getCode()).isIn(Code.DEADLINE_EXCEEDED, Code.CANCELLED, Code.NOT_FOUND);
        }
        assertServed("deadlines");
    }

    /** All kinds of calls at once for a time, from another user, next to a normal client. */
    @Test
    @EnabledIfSystemProperty(named = HostileSoak.LENGTH, matches = "\\d+[smh]")
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void everythingAtOnceNextToANormalClient() throws Exception {
        List<Call> calls = kinds.stream()
                .flatMap(kind -> kind.calls.stream())
                .map(call -> call.as(HostileGrpcServer.HOSTILE))
                .toList();
        ManagedChannel first = connect();
        ManagedChannel second = connect();
        EventLoopGroup loop =
                new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()); // channels share their threads otherwise
        ManagedChannel own = channel()
                .eventLoopGroup(loop)
                .channelType(NioSocketChannel.class)
                .build();
        List<HostileSoak.HostileClient> hostile = Stream.of(first, second)
                .<HostileSoak.HostileClient>map(to -> random -> {
                    Call call = calls.get(random.nextInt(calls.size()));
                    Status status = send(to, call);
                    return !status.isOk() && FAILURES.contains(status.getCode())
                            ? Optional.of(call.name + ": " + status)
                            : Optional.empty();
                })
                .toList();
        try {
            HostileSoak.run(server, hostile, new HostileSoak.NormalClient() {
                @Override
                public void create(String name) throws Exception {
                    byte[] write = HostileStreamsTest.write(map(name, "v")).toByteArray();
                    assertOk("create", send(own, new Call(name, SERVICE + "Write", write)));
                }

                @Override
                public void get(String name) throws Exception {
                    assertOk("get", send(own, read(name)));
                }

                @Override
                public void delete(String name) throws Exception {
                    byte[] delete = DeleteRequest.newBuilder()
                            .setId(Fixture.id(Fixture.CONFIG_MAP, name))
                            .build()
                            .toByteArray();
                    assertOk("delete", send(own, new Call(name, SERVICE + "Delete", delete)));
                }
            });
        } finally {
            List.of(first, second, own).forEach(ManagedChannel::shutdownNow);
            loop.shutdownGracefully();
        }
    }

    // The calls

    private static List<Call> messages() {
        List<Call> all = new ArrayList<>();
        byte[] garbage = new byte[1000];
        java.util.Arrays.fill(garbage, (byte) 0xff);
        byte[] groups = new byte[2_000_000];
        java.util.Arrays.fill(groups, (byte) 0x7b); // the start of a group, again and again
        for (String method : List.of(
                "Read",
                "Write",
                "Apply",
                "WriteStatus",
                "Delete",
                "List",
                "ListByOwner",
                "MutateAndValidate",
                "Types")) {
            all.add(new Call(method + " of 4 MB", SERVICE + method, new byte[4 << 20]));
            all.add(new Call(method + " of garbage", SERVICE + method, garbage));
            all.add(new Call(method + " of groups", SERVICE + method, groups));
            all.add(new Call(method + " of a string that is cut off", SERVICE + method, new byte[] {10, 127, 1}));
        }
        all.add(new Call("a compressed message", SERVICE + "Write", new byte[64 << 20], new Metadata(), "gzip"));
        all.add(new Call("a small compressed message", SERVICE + "Read", new byte[0], new Metadata(), "gzip"));
        return all;
    }

    private static List<Call> data() {
        List<Call> all = new ArrayList<>();
        Any struct = Any.pack(Struct.getDefaultInstance());
        for (int levels : new int[] {101, 5_000, 10_000}) {
            all.add(write("data of " + levels + " levels", nested(levels)));
        }
        all.add(write("an unknown message", Any.newBuilder().setTypeUrl("x/y.Z").build()));
        all.add(write(
                "a type URL of 1 MB",
                struct.toBuilder().setTypeUrl("x".repeat(1 << 20)).build()));
        all.add(write(
                "an address",
                struct.toBuilder().setTypeUrl("http://localhost:1/x").build()));
        all.add(write(
                "data that is cut off",
                struct.toBuilder()
                        .setValue(ByteString.copyFrom(new byte[] {10, 127}))
                        .build()));
        all.add(write(
                "an infinite number",
                field(Value.newBuilder()
                        .setNumberValue(Double.POSITIVE_INFINITY)
                        .build())));
        all.add(write(
                "not a number",
                field(Value.newBuilder().setNumberValue(Double.NaN).build())));
        all.add(write(
                "a string",
                field(Value.newBuilder().setStringValue("x".repeat(2_000_000)).build())));
        Struct.Builder many = Struct.newBuilder();
        for (int i = 0; i < 100_000; i++) {
            many.putFields("k" + i, Value.newBuilder().setBoolValue(true).build());
        }
        all.add(write(
                "100,000 fields of another type",
                field(Value.newBuilder().setStructValue(many).build())));
        Any large = map("large", "x".repeat(2_000_000)).getData();
        all.add(write("an object that is too large", large));
        all.add(new Call("labels", SERVICE + "Write", write(labels(50_000)).toByteArray()));
        Resource.Builder finalizers = map("n", "").toBuilder();
        for (int i = 0; i < 100_000; i++) {
            finalizers.addFinalizers("x");
        }
        all.add(new Call(
                "finalizers", SERVICE + "Write", write(finalizers.build()).toByteArray()));
        return all;
    }

    private static Resource labels(int count) {
        Resource.Builder resource = map("n", "").toBuilder();
        for (int i = 0; i < count; i++) {
            resource.putLabels("a b" + i, "c d");
        }
        return resource.build();
    }

    private static List<Call> parameters() {
        List<Call> all = new ArrayList<>();
        for (String name :
                List.of("../secrets", "a/b", "A", "\0", "\u001b[31m\n", "x".repeat(300), ".", "x".repeat(1_000_000))) {
            all.add(new Call(
                    "name " + shown(name),
                    SERVICE + "Write",
                    write(map(name, "v")).toByteArray()));
            for (Tenancy tenancy : List.of(Fixture.tenancy(name, ""), Fixture.tenancy("", name))) {
                Resource resource = map("n", "v").toBuilder()
                        .setId(Fixture.id(Fixture.CONFIG_MAP, "n").toBuilder().setTenancy(tenancy))
                        .build();
                all.add(new Call(
                        "tenancy " + shown(name),
                        SERVICE + "Write",
                        write(resource).toByteArray()));
            }
            ListRequest list = ListRequest.newBuilder()
                    .setType(Fixture.type(name, name, name))
                    .build();
            all.add(new Call("type " + shown(name), SERVICE + "List", list.toByteArray()));
        }
        ListRequest.Builder list = ListRequest.newBuilder().setType(Fixture.CONFIG_MAP);
        all.add(new Call(
                "a page of -1",
                SERVICE + "List",
                list.clone().setPageSize(-1).build().toByteArray()));
        for (String token : List.of("x", "x".repeat(1_000_000))) {
            all.add(new Call(
                    "a page token",
                    SERVICE + "List",
                    list.clone().setPageToken(token).build().toByteArray()));
        }
        for (String selector : List.of("(".repeat(100_000), "a in (b", "a in (" + "b,".repeat(200_000))) {
            byte[] message = list.clone().setLabelSelector(selector).build().toByteArray();
            all.add(new Call("selector " + shown(selector), SERVICE + "List", message));
        }
        for (String path : List.of("x", "x".repeat(1_000_000), "")) {
            WriteRequest masked = write(map("n", "v")).toBuilder()
                    .setUpdateMask(FieldMask.newBuilder().addPaths(path))
                    .build();
            all.add(new Call("mask " + shown(path), SERVICE + "Write", masked.toByteArray()));
        }
        ApplyRequest.Builder apply = ApplyRequest.newBuilder().setResource(map("n", "v"));
        all.add(new Call("no manager", SERVICE + "Apply", apply.clone().build().toByteArray()));
        byte[] manager = apply.clone().setManager("m".repeat(1_000_000)).build().toByteArray();
        all.add(new Call("a manager of 1 MB", SERVICE + "Apply", manager));
        byte[] delete = DeleteRequest.newBuilder()
                .setId(Fixture.id(Fixture.NAMESPACE, "default"))
                .setVersion("x".repeat(100_000))
                .build()
                .toByteArray();
        all.add(new Call("a version", SERVICE + "Delete", delete));
        byte[] status = WriteStatusRequest.newBuilder()
                .setId(Fixture.id(Fixture.CONFIG_MAP, "n"))
                .setKey("k".repeat(100_000))
                .build()
                .toByteArray();
        all.add(new Call("a key of a status", SERVICE + "WriteStatus", status));
        return all;
    }

    private static List<Call> headers() {
        List<Call> all = new ArrayList<>();
        byte[] read = ReadRequest.newBuilder()
                .setId(Fixture.id(Fixture.CONFIG_MAP, "absent"))
                .build()
                .toByteArray();
        for (String token :
                List.of("", "x", "Basic x", "Bearer", "Bearer  ", "Bearer " + "x".repeat(10_000), "bearer a b")) {
            Metadata headers = new Metadata();
            headers.put(AUTHORIZATION, token);
            all.add(new Call("credentials " + shown(token), SERVICE + "Read", read, headers, ""));
        }
        for (String name : List.of("impersonate-user", "impersonate-group", "impersonate-extra-x")) {
            Metadata headers = new Metadata();
            headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), "system:masters");
            all.add(new Call(name, SERVICE + "Read", read, headers, ""));
        }
        Metadata binary = new Metadata();
        binary.put(Metadata.Key.of("x-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[1000]);
        all.add(new Call("a binary header", SERVICE + "Read", read, binary, ""));
        for (String method : List.of(
                SERVICE + "Shutdown",
                SERVICE,
                "x/y",
                "grpc.channelz.v1.Channelz/GetServers",
                SERVICE + "x".repeat(5_000),
                "../" + SERVICE + "Read")) {
            all.add(new Call("method " + shown(method), method, read));
        }
        return all;
    }

    private static Call write(String name, Any data) {
        Resource resource = Resource.newBuilder()
                .setId(Fixture.id(Fixture.CONFIG_MAP, "n"))
                .setData(data)
                .build();
        return new Call(name, SERVICE + "Write", write(resource).toByteArray());
    }

    private static WriteRequest write(Resource resource) {
        return WriteRequest.newBuilder().setResource(resource).build();
    }

    private static Any field(Value value) {
        return Any.pack(Struct.newBuilder().putFields("data", value).build());
    }

    private static Resource map(String name, String value) {
        Struct values = Fixture.struct("k", value);
        return Resource.newBuilder()
                .setId(Fixture.id(Fixture.CONFIG_MAP, name))
                .setData(field(Value.newBuilder().setStructValue(values).build()))
                .build();
    }

    /** Encodes lists of lists by hand, from the inside: the library cannot. */
    private static Any nested(int levels) {
        ByteString value = ByteString.EMPTY;
        for (int i = 0; i < levels && value.size() < 2_500_000; i++) {
            value = encoded(6, encoded(1, value));
        }
        ByteString entry = encoded(1, ByteString.copyFromUtf8("data")).concat(encoded(2, value));
        return Any.newBuilder()
                .setTypeUrl("type.googleapis.com/google.protobuf.Struct")
                .setValue(encoded(1, entry))
                .build();
    }

    private static ByteString encoded(int number, ByteString content) {
        UnknownFieldSet.Field field =
                UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build();
        return UnknownFieldSet.newBuilder().addField(number, field).build().toByteString();
    }

    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.chars().limit(40).forEach(c -> shown.append(c > ' ' && c < 127 ? (char) c : '.'));
        return shown + " (" + text.length() + ")";
    }

    // The client

    private ClientCall<byte[], byte[]> start(ManagedChannel to, String method, MethodType type) {
        ClientCall<byte[], byte[]> call = to.newCall(method(SERVICE + method, type), CallOptions.DEFAULT);
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + server.token());
        call.start(new ClientCall.Listener<>() {}, headers);
        return call;
    }

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(BYTES, BYTES)
                .setType(type)
                .setFullMethodName(name)
                .build();
    }

    private Status send(ManagedChannel to, Call call) throws InterruptedException {
        try {
            return sendAsync(to, call).get(120, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(call.name + " has no status", e);
        }
    }

    private CompletableFuture<Status> sendAsync(ManagedChannel to, Call request) {
        return sendAsync(to, request, 2);
    }

    /** Sends a request, and reads as many messages as given. */
    private CompletableFuture<Status> sendAsync(ManagedChannel to, Call request, int read) {
        CallOptions options = request.compression.isEmpty()
                ? CallOptions.DEFAULT
                : CallOptions.DEFAULT.withCompression(request.compression);
        ClientCall<byte[], byte[]> call = to.newCall(method(request.method, MethodType.UNARY), options);
        Metadata headers = request.as(server.token()).headers;
        CompletableFuture<Status> result = new CompletableFuture<>();
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        result.complete(status);
                    }
                },
                headers);
        if (read > 0) {
            call.request(read);
        }
        call.sendMessage(request.message);
        call.halfClose();
        return result;
    }

    private Status write(String name, String value) throws InterruptedException {
        return send(
                channel,
                new Call(name, SERVICE + "Write", write(map(name, value)).toByteArray()));
    }

    private void assertServed(String after) throws InterruptedException {
        server.assertServed(after, () -> {
            String name = "normal-" + objects.incrementAndGet();
            assertOk(after, write(name, "v"));
            assertOk(after, send(channel, read(name)));
        });
    }

    private static void assertOk(String after, Status status) {
        assertThat(status.getCode()).as(status + " after " + after).isEqualTo(Code.OK);
    }

    private static Call read(String name) {
        ReadRequest read = ReadRequest.newBuilder()
                .setId(Fixture.id(Fixture.CONFIG_MAP, name))
                .build();
        return new Call(name, SERVICE + "Read", read.toByteArray());
    }
}
