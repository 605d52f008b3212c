package dev.evenkeel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc.ResourceServiceBlockingStub;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import dev.evenkeel.grpc.resource.v1.Type;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * A server of a fresh engine for one test, and a client of it over loopback.
 *
 * <p>The types of the demo: artists and albums in namespaces, labels in partitions. Their status is a map.
 */
final class Fixture implements AutoCloseable {
    static final Type ARTIST = type("demo.example.com", "v1", "Artist");
    static final Type ARTIST_V2 = type("demo.example.com", "v2", "Artist");
    static final Type ALBUM = type("demo.example.com", "v1", "Album");
    static final Type LABEL = type("demo.example.com", "v1", "RecordLabel");
    static final Type CONFIG_MAP = type("", "v1", "ConfigMap");
    static final Type NAMESPACE = type("", "v1", "Namespace");

    private static final String STATUS = """
            {type: object, additionalProperties: {type: object, x-kubernetes-preserve-unknown-fields: true,
             properties: {observedGeneration: {type: integer}, updatedAt: {type: string}}}}""";

    private static final String DEFINITION = """
            {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
             metadata: {name: %s.demo.example.com},
             spec: {group: demo.example.com, scope: %s, names: {plural: %s, kind: %s},
              versions: [%s]}}""";

    private static final String VERSION = """
            {name: %s, served: true, storage: %s, subresources: {status: {}},
             schema: {openAPIV3Schema: {type: object, properties: {
              spec: {type: object, properties: {name: {type: string, maxLength: 40}, genre: {type: string, enum: [JAZZ, FOLK, POP]},
               members: {type: integer}, tags: {type: array, items: {type: string}},
               place: {type: object, properties: {city: {type: string}, country: {type: string}}}}},
              status: %s}}}}""";

    private final List<AutoCloseable> open = new ArrayList<>();
    final Engine engine;
    final GrpcServer server;
    final ResourceServiceBlockingStub stub;

    private Fixture(Engine engine, GrpcServer.Builder builder, String token) {
        this.engine = engine;
        open.addFirst(engine);
        server = keep(builder.start());
        stub = stub(token);
    }

    /** Starts a server without access control. */
    static Fixture start() {
        return start(Engine.builder().executor(Runnable::run).build(), builder -> builder.authentication(false));
    }

    /** Starts a server on an engine, which it closes. */
    static Fixture start(Engine engine, UnaryOperator<GrpcServer.Builder> settings) {
        GrpcServer.Builder builder = settings.apply(GrpcServer.builder(engine).tls(false));
        return new Fixture(
                engine,
                builder,
                builder.settings().tokens().keySet().stream().findFirst().orElse(""));
    }

    <T extends AutoCloseable> T keep(T resource) {
        open.addFirst(resource);
        return resource;
    }

    /** Defines the types of the demo in partitions. */
    Fixture withDemo(String... partitions) {
        for (String partition : partitions.length == 0 ? new String[] {"default"} : partitions) {
            define(engine, partition);
        }
        return this;
    }

    /** Defines the types of the demo in a partition. */
    static void define(Engine engine, String partition) {
        ResourceApi api = ResourceApi.of(engine.partition(partition));
        Target definitions = api.resource("apiextensions.k8s.io", "v1", "customresourcedefinitions")
                .orElseThrow();
        for (String[] type : new String[][] {
            {"artists", "Namespaced", "Artist"},
            {"albums", "Namespaced", "Album"},
            {"recordlabels", "Cluster", "RecordLabel"}
        }) {
            String versions = VERSION.formatted("v1", "true", STATUS);
            if (type[0].equals("artists")) {
                versions += ", " + VERSION.formatted("v2", "false", STATUS);
            }
            Body body = Body.yaml(DEFINITION.formatted(type[0], type[1], type[0], type[2], versions));
            api.create(definitions, body, WriteOptions.DEFAULT);
        }
    }

    /** Returns a channel to the server. */
    Channel channel(String token) {
        ManagedChannel channel = NettyChannelBuilder.forTarget(server.target())
                .usePlaintext()
                .userAgent("fixture/1")
                .directExecutor()
                .build();
        keep(() -> {
            channel.shutdownNow();
            channel.awaitTermination(5, TimeUnit.SECONDS);
        });
        return token.isEmpty()
                ? channel
                : ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers(token)));
    }

    static Metadata headers(String token) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return headers;
    }

    /** Returns a client with a token. */
    ResourceServiceBlockingStub stub(String token) {
        return ResourceServiceGrpc.newBlockingStub(channel(token));
    }

    /** Creates a namespace. */
    Fixture withNamespace(String partition, String name) {
        engine.partition(partition)
                .client("test")
                .create(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build());
        return this;
    }

    static Type type(String group, String version, String kind) {
        return Type.newBuilder()
                .setGroup(group)
                .setGroupVersion(version)
                .setKind(kind)
                .build();
    }

    static Tenancy tenancy(String partition, String namespace) {
        return Tenancy.newBuilder()
                .setPartition(partition)
                .setNamespace(namespace)
                .build();
    }

    static ID id(Type type, String name) {
        return ID.newBuilder().setType(type).setName(name).build();
    }

    static ID id(Type type, String partition, String namespace, String name) {
        return id(type, name).toBuilder()
                .setTenancy(tenancy(partition, namespace))
                .build();
    }

    /** Returns data for types of the demo: {@code spec} with these fields. */
    static Any spec(Object... keysAndValues) {
        return Any.pack(Struct.newBuilder()
                .putFields(
                        "spec",
                        Value.newBuilder().setStructValue(struct(keysAndValues)).build())
                .build());
    }

    static Struct struct(Object... keysAndValues) {
        Struct.Builder struct = Struct.newBuilder();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            Value.Builder value = Value.newBuilder();
            switch (keysAndValues[i + 1]) {
                case String text -> value.setStringValue(text);
                case Number number -> value.setNumberValue(number.doubleValue());
                case Struct nested -> value.setStructValue(nested);
                default -> throw new IllegalArgumentException();
            }
            struct.putFields((String) keysAndValues[i], value.build());
        }
        return struct.build();
    }

    static Resource artist(String name) {
        return Resource.newBuilder()
                .setId(id(ARTIST, name))
                .setData(spec("name", name))
                .build();
    }

    Resource write(Resource resource) {
        return stub.write(WriteRequest.newBuilder().setResource(resource).build())
                .getResource();
    }

    Resource read(ID id) {
        return stub.read(ReadRequest.newBuilder().setId(id).build()).getResource();
    }

    /** Returns a field of the spec, as text. */
    static String specOf(Resource resource, String field) {
        try {
            Struct spec = resource.getData()
                    .unpack(Struct.class)
                    .getFieldsOrThrow("spec")
                    .getStructValue();
            Value value = spec.getFieldsOrDefault(field, Value.getDefaultInstance());
            return value.hasNumberValue() ? Double.toString(value.getNumberValue()) : value.getStringValue();
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    /** Checks that a call is refused, and returns the error with its details. */
    static Refusal refused(ThrowingCallable call, Code code) {
        StatusRuntimeException thrown = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(thrown).as("the call was not refused").isNotNull();
        Status status = StatusProto.fromThrowable(thrown);
        assertThat(status).isNotNull();
        assertThat(Code.forNumber(status.getCode())).as(status.getMessage()).isEqualTo(code);
        return new Refusal(status);
    }

    /** An error of the service. */
    record Refusal(Status status) {
        String message() {
            return status.getMessage();
        }

        private <T extends Message> T detail(Class<T> type) {
            for (Any detail : status.getDetailsList()) {
                if (detail.is(type)) {
                    try {
                        return detail.unpack(type);
                    } catch (InvalidProtocolBufferException e) {
                        throw new AssertionError(e);
                    }
                }
            }
            throw new AssertionError("no " + type.getSimpleName() + " in " + status);
        }

        String reason() {
            return detail(ErrorInfo.class).getReason();
        }

        List<String> fields() {
            return detail(BadRequest.class).getFieldViolationsList().stream()
                    .map(BadRequest.FieldViolation::getField)
                    .toList();
        }
    }

    /** Waits until the server has this number of watches open. */
    void awaitWatches(int count) {
        await(() -> server.openWatches() == count);
    }

    /** Waits until something is true that the server does after it has answered. */
    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time at which it is so").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        for (AutoCloseable resource : open) {
            try {
                resource.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
