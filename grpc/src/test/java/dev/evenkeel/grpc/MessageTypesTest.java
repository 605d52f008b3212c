package dev.evenkeel.grpc;

import static dev.evenkeel.grpc.Fixture.id;
import static dev.evenkeel.grpc.Fixture.refused;
import static dev.evenkeel.grpc.Fixture.type;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileOptions;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Struct;
import com.google.protobuf.UnknownFieldSet;
import com.google.rpc.Code;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.spi.Authorizer.Decision;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.ListRequest;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc.ResourceServiceBlockingStub;
import dev.evenkeel.grpc.resource.v1.Status;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import dev.evenkeel.grpc.resource.v1.Type;
import dev.evenkeel.grpc.resource.v1.TypesRequest;
import dev.evenkeel.grpc.resource.v1.WatchEvent;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import dev.evenkeel.grpc.resource.v1.WriteStatusRequest;
import dev.evenkeel.protobuf.ProtobufType;
import dev.evenkeel.protobuf.type.v1.Scope;
import dev.evenkeel.protobuf.type.v1.TypeProto;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Types whose data is a message: over gRPC, next to the JSON of the Kubernetes API. */
class MessageTypesTest {
    private static final Type RECORD = type("music_shop", "v1", "Record");
    private static final Type CHART = type("music_shop", "v1", "Chart");
    private static final FileDescriptor FILE = file();
    static final Descriptor MESSAGE = FILE.findMessageTypeByName("Record");
    private static final Kind<GenericKubernetesResource> KIND =
            Kind.generic("music-shop.example.com", "v1", "Record", "records", true);

    private final Fixture fixture = Fixture.start(
            Engine.builder()
                    .executor(Runnable::run)
                    .authorization(Authorization.RBAC)
                    .authorizer(request ->
                            request.group().startsWith("music-shop") ? Decision.allow("") : Decision.NO_OPINION)
                    .register(ProtobufType.of(MESSAGE)
                            .mutate(data -> data.toBuilder()
                                    .setField(
                                            field("title"), text(data, "title").strip())
                                    .build())
                            .validate((data, old) -> text(data, "title").isEmpty()
                                    ? List.of(FieldError.required("title", "a record needs a title"))
                                    : text(data, "title").equals("defect") ? fail() : List.of())
                            .authorizeRead((access, id, data) -> mayUse(access.user(), data.get()))
                            .authorizeWrite((access, id, data) -> mayUse(access.user(), data.get()))
                            .build())
                    .register(
                            ProtobufType.of(FILE.findMessageTypeByName("Chart")).build())
                    .build(),
            builder -> builder.token("root", User.ADMIN)
                    .token("jane", User.of("jane"))
                    .token("ella", User.of("ella")));
    private final ResourceServiceBlockingStub jane = fixture.stub("jane");
    private final ResourceServiceBlockingStub ella = fixture.stub("ella");

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static List<FieldError> fail() {
        throw new IllegalStateException("a defect");
    }

    private static boolean mayUse(User user, DynamicMessage data) {
        return text(data, "owner").isEmpty() || text(data, "owner").equals(user.name());
    }

    private static FieldDescriptorProto.Builder declared(String name, int number) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                .setType(FieldDescriptorProto.Type.TYPE_STRING);
    }

    private static FileDescriptor file() {
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("music_shop.proto")
                .setPackage("music_shop.v1")
                .setSyntax("proto3")
                .setOptions(FileOptions.newBuilder().setExtension(TypeProto.domain, "example.com"))
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Record")
                        .setOptions(MessageOptions.newBuilder()
                                .setExtension(
                                        TypeProto.resource,
                                        dev.evenkeel.protobuf.type.v1.Resource.newBuilder()
                                                .addStatus(dev.evenkeel.protobuf.type.v1.Status.newBuilder()
                                                        .setKey("sales")
                                                        .setMessage("music_shop.v1.Sales"))
                                                .build()))
                        .addField(declared("title", 1))
                        .addField(declared("owner", 2))
                        .addField(declared("release_year", 3).setType(FieldDescriptorProto.Type.TYPE_INT64)))
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Sales")
                        .addField(declared("copies_sold", 1).setType(FieldDescriptorProto.Type.TYPE_INT64)))
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Chart")
                        .setOptions(MessageOptions.newBuilder()
                                .setExtension(
                                        TypeProto.resource,
                                        dev.evenkeel.protobuf.type.v1.Resource.newBuilder()
                                                .setScope(Scope.SCOPE_CLUSTER)
                                                .build()))
                        .addField(declared("title", 1)))
                .build();
        try {
            return FileDescriptor.buildFrom(file, new FileDescriptor[0]);
        } catch (DescriptorValidationException e) {
            throw new AssertionError(e);
        }
    }

    private static com.google.protobuf.Descriptors.FieldDescriptor field(String name) {
        return MESSAGE.findFieldByName(name);
    }

    private static String text(DynamicMessage data, String field) {
        return (String) data.getField(field(field));
    }

    private static DynamicMessage data(Resource resource) {
        try {
            return DynamicMessage.parseFrom(MESSAGE, resource.getData().getValue());
        } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private static Resource record(String name, String title, String owner) {
        DynamicMessage data = DynamicMessage.newBuilder(MESSAGE)
                .setField(field("title"), title)
                .setField(field("owner"), owner)
                .setField(field("release_year"), 9007199254740993L)
                .build();
        return Resource.newBuilder()
                .setId(id(RECORD, name))
                .setData(Any.pack(data))
                .build();
    }

    private static Resource write(ResourceServiceBlockingStub stub, Resource resource, String... mask) {
        return stub.write(WriteRequest.newBuilder()
                        .setResource(resource)
                        .setUpdateMask(FieldMask.newBuilder().addAllPaths(List.of(mask)))
                        .build())
                .getResource();
    }

    private static Resource read(ResourceServiceBlockingStub stub, String name) {
        return stub.read(ReadRequest.newBuilder().setId(id(RECORD, name)).build())
                .getResource();
    }

    @Test
    void theMessageIsTheSpecOfTheObject() {
        Resource written = write(jane, record("blue", " Kind of Blue ", "jane"));
        assertThat(text(data(written), "title")).isEqualTo("Kind of Blue");
        GenericKubernetesResource object = fixture.engine.client().get(KIND, ObjectKey.of("default", "blue"));
        assertThat(object.<String>get("spec", "releaseYear")).isEqualTo("9007199254740993");
        assertThat(object.getMetadata().getResourceVersion()).isEqualTo(written.getVersion());
        assertThat(read(jane, "blue")).isEqualTo(written);
        assertThat(write(jane, written)).isEqualTo(written);
        assertThat(jane.types(TypesRequest.getDefaultInstance()).getTypesList())
                .filteredOn(type -> type.getType().equals(RECORD))
                .singleElement()
                .satisfies(type -> {
                    assertThat(type.getData()).isEqualTo("music_shop.v1.Record");
                    assertThat(type.getApiVersion()).isEqualTo("music-shop.example.com/v1");
                });
    }

    @Test
    void aMaskHasTheNamesOfTheMessage() {
        write(jane, record("blue", "Blue", "jane"));
        DynamicMessage year = DynamicMessage.newBuilder(MESSAGE)
                .setField(field("release_year"), 1959L)
                .build();
        Resource bare = Resource.newBuilder()
                .setId(id(RECORD, "blue"))
                .setData(Any.pack(year))
                .build();
        Resource changed = write(jane, bare, "data.release_year");
        assertThat(data(changed).getField(field("release_year"))).isEqualTo(1959L);
        assertThat(text(data(changed), "title")).isEqualTo("Blue");
    }

    @Test
    void unknownFieldsSurvive() {
        Resource known = record("blue", "Blue", "jane");
        UnknownFieldSet later = UnknownFieldSet.newBuilder()
                .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
                .build();
        ByteString bytes = known.getData().getValue().concat(later.toByteString());
        Resource written = write(
                jane,
                known.toBuilder()
                        .setData(known.getData().toBuilder().setValue(bytes))
                        .build());
        assertThat(data(written).getUnknownFields()).isEqualTo(later);
        fixture.engine
                .client()
                .patch(
                        KIND,
                        ObjectKey.of("default", "blue"),
                        Patch.merge("{\"spec\":{\"title\":\"Bluer\"}}"),
                        WriteOptions.DEFAULT);
        Resource read = read(jane, "blue");
        assertThat(text(data(read), "title")).isEqualTo("Bluer");
        assertThat(data(read).getUnknownFields()).isEqualTo(later);
    }

    @Test
    void hooksRefuseWithThePathOfTheField() {
        assertThat(refused(() -> write(jane, record("a", " ", "jane")), Code.INVALID_ARGUMENT)
                        .fields())
                .containsExactly("resource.data.title");
        assertThat(refused(() -> write(jane, record("a", "defect", "jane")), Code.INTERNAL)
                        .message())
                .contains("validate hook");
        refused(() -> read(fixture.stub, "a"), Code.NOT_FOUND);
        Resource wrong = record("a", "A", "jane").toBuilder()
                .setData(Any.pack(Struct.getDefaultInstance()))
                .build();
        assertThat(refused(() -> write(jane, wrong), Code.INVALID_ARGUMENT).message())
                .isEqualTo("resource.data is of wrong type (expected=\"music_shop.v1.Record\","
                        + " got=\"google.protobuf.Struct\")");
    }

    /** Theirs authorises the new content only. */
    @Test
    void aForeignResourceIsNotOverwrittenByContentThatMayBeWritten() {
        Resource hers = write(jane, record("blue", "Blue", "jane"));
        // what must not be read is not found, so that its existence is not revealed
        refused(() -> write(ella, record("blue", "Mine", "ella")), Code.NOT_FOUND);
        refused(() -> write(ella, record("other", "Not mine", "jane")), Code.PERMISSION_DENIED);
        ella.delete(DeleteRequest.newBuilder().setId(hers.getId()).build());
        assertThat(read(jane, "blue")).isEqualTo(hers);
    }

    @Test
    void contentThatMustNotBeReadIsNotFoundAndNotListed() {
        write(jane, record("blue", "Blue", "jane"));
        write(ella, record("scat", "Scat", "ella"));
        refused(() -> read(ella, "blue"), Code.NOT_FOUND);
        ListRequest list = ListRequest.newBuilder().setType(RECORD).build();
        assertThat(ella.list(list).getResourcesList())
                .extracting(one -> one.getId().getName())
                .containsExactly("scat");
        assertThat(fixture.stub.list(list).getResourcesList()).hasSize(2);
    }

    @Test
    void aWatchDeletesWhatMustNotBeReadAnyMore() {
        Resource hers = write(jane, record("blue", "Blue", "jane"));
        Watcher watcher = fixture.keep(new Watcher(
                fixture.channel("jane"),
                WatchListRequest.newBuilder().setType(RECORD).build(),
                Integer.MAX_VALUE));
        assertThat(watcher.snapshot()).hasSize(1);
        write(fixture.stub, record("blue", "Blue", "ella"));
        WatchEvent event = watcher.event();
        assertThat(event.getDelete().getResource().getId()).isEqualTo(hers.getId());
        assertThat(event.toString()).doesNotContain("ella");
        write(fixture.stub, record("blue", "Blue again", "jane"));
        assertThat(text(data(watcher.event().getUpsert().getResource()), "title"))
                .isEqualTo("Blue again");
    }

    @Test
    void statusesHaveKeys() {
        Resource written = write(jane, record("blue", "Blue", "jane"));
        Resource status = jane.writeStatus(WriteStatusRequest.newBuilder()
                        .setId(written.getId())
                        .setKey("demo/indexer")
                        .setStatus(Status.newBuilder()
                                .setObservedGeneration(written.getGeneration())
                                .setData(Any.pack(Fixture.struct("documents", 3))))
                        .build())
                .getResource();
        assertThat(status.getStatusMap()).containsOnlyKeys("demo/indexer");
        assertThat(status.getData()).isEqualTo(written.getData());
        GenericKubernetesResource object = fixture.engine.client().get(KIND, ObjectKey.of("default", "blue"));
        assertThat(object.<Integer>get("status", "demo/indexer", "documents")).isEqualTo(3);
    }

    private Resource writeSales(Resource of, Any data) {
        return jane.writeStatus(WriteStatusRequest.newBuilder()
                        .setId(of.getId())
                        .setKey("sales")
                        .setStatus(Status.newBuilder()
                                .setObservedGeneration(of.getGeneration())
                                .setData(data))
                        .build())
                .getResource();
    }

    @Test
    void aStatusIsTheMessageThatTheTypeHasForItsKey() {
        Resource written = write(jane, record("blue", "Blue", "jane"));
        Descriptor sales = FILE.findMessageTypeByName("Sales");
        Any sold = Any.pack(DynamicMessage.newBuilder(sales)
                .setField(sales.findFieldByName("copies_sold"), 9007199254740993L)
                .build());
        Resource reported = writeSales(written, sold);
        assertThat(reported.getStatusOrThrow("sales").getData()).isEqualTo(sold);
        GenericKubernetesResource object = fixture.engine.client().get(KIND, ObjectKey.of("default", "blue"));
        assertThat(object.<String>get("status", "sales", "copiesSold")).isEqualTo("9007199254740993");

        Resource again = writeSales(written, Any.pack(Fixture.struct("copiesSold", "9007199254740993")));
        assertThat(again).isEqualTo(reported);
        Any broken =
                sold.toBuilder().setValue(ByteString.copyFrom(new byte[] {8})).build();
        assertThat(refused(() -> writeSales(written, broken), Code.INVALID_ARGUMENT)
                        .message())
                .contains("status.data: ", "cannot be decoded");
        assertThat(refused(() -> writeSales(written, written.getData()), Code.INVALID_ARGUMENT)
                        .message())
                .contains("expected=\"music_shop.v1.Sales\", got=\"music_shop.v1.Record\"");
    }

    /** Theirs stores such a resource below a partition, where it cannot be read. */
    @Test
    void aClusterScopedResourceIsOneForAllPartitions() {
        fixture.engine.partition("other");
        Resource written =
                write(jane, Resource.newBuilder().setId(id(CHART, "top")).build());
        assertThat(written.getId().getTenancy()).isEqualTo(Tenancy.getDefaultInstance());
        assertThat(jane.read(ReadRequest.newBuilder().setId(id(CHART, "top")).build())
                        .getResource())
                .isEqualTo(written);
        for (Tenancy tenancy : List.of(Fixture.tenancy("default", ""), Fixture.tenancy("", "default"))) {
            Resource below = written.toBuilder()
                    .setId(id(CHART, "top").toBuilder().setTenancy(tenancy))
                    .build();
            assertThat(refused(() -> write(jane, below), Code.INVALID_ARGUMENT).message())
                    .startsWith("cluster scoped resource music_shop.v1.Chart cannot have a ");
            refused(
                    () -> jane.list(ListRequest.newBuilder()
                            .setType(CHART)
                            .setTenancy(tenancy)
                            .build()),
                    Code.INVALID_ARGUMENT);
        }
        for (Tenancy tenancy : List.of(Tenancy.getDefaultInstance(), Fixture.tenancy("*", "*"))) {
            assertThat(jane.list(ListRequest.newBuilder()
                                    .setType(CHART)
                                    .setTenancy(tenancy)
                                    .build())
                            .getResourcesList())
                    .containsExactly(written);
        }
        Watcher watcher = fixture.keep(new Watcher(
                fixture.channel("jane"),
                WatchListRequest.newBuilder().setType(CHART).build(),
                Integer.MAX_VALUE));
        assertThat(watcher.snapshot()).hasSize(1);
        jane.delete(DeleteRequest.newBuilder().setId(written.getId()).build());
        assertThat(watcher.event().getDelete().getResource().getId()).isEqualTo(written.getId());
    }
}
