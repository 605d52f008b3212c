package dev.evenkeel.grpc;

import static dev.evenkeel.grpc.Fixture.ARTIST;
import static dev.evenkeel.grpc.Fixture.ARTIST_V2;
import static dev.evenkeel.grpc.Fixture.LABEL;
import static dev.evenkeel.grpc.Fixture.artist;
import static dev.evenkeel.grpc.Fixture.id;
import static dev.evenkeel.grpc.Fixture.refused;
import static dev.evenkeel.grpc.Fixture.tenancy;
import static dev.evenkeel.grpc.Fixture.type;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.ListByOwnerRequest;
import dev.evenkeel.grpc.resource.v1.ListRequest;
import dev.evenkeel.grpc.resource.v1.MutateAndValidateRequest;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc.ResourceServiceBlockingStub;
import dev.evenkeel.grpc.resource.v1.Status;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import dev.evenkeel.grpc.resource.v1.TypeInfo;
import dev.evenkeel.grpc.resource.v1.TypesRequest;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import dev.evenkeel.grpc.resource.v1.WriteStatusRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Reads, types, and the identifiers of all calls. */
class ReadTest {
    private final Fixture fixture = Fixture.start().withDemo();

    @AfterEach
    void stop() {
        fixture.close();
    }

    /** The calls that name a resource, with the field that does. */
    private Map<String, Consumer<ID>> calls() {
        ResourceServiceBlockingStub stub = fixture.stub;
        Map<String, Consumer<ID>> calls = new LinkedHashMap<>();
        calls.put("id", id -> stub.read(ReadRequest.newBuilder().setId(id).build()));
        calls.put("id ", id -> stub.delete(DeleteRequest.newBuilder().setId(id).build()));
        calls.put(
                "id  ",
                id -> stub.writeStatus(WriteStatusRequest.newBuilder()
                        .setId(id.toBuilder().setUid("u"))
                        .setKey("k")
                        .setStatus(Status.newBuilder().setObservedGeneration("1"))
                        .build()));
        calls.put(
                "resource.id",
                id -> stub.write(WriteRequest.newBuilder()
                        .setResource(Resource.newBuilder().setId(id))
                        .build()));
        calls.put(
                "resource.id ",
                id -> stub.mutateAndValidate(MutateAndValidateRequest.newBuilder()
                        .setResource(Resource.newBuilder().setId(id))
                        .build()));
        calls.put(
                "resource.owner",
                id -> stub.write(WriteRequest.newBuilder()
                        .setResource(artist("owned").toBuilder().setOwner(id))
                        .build()));
        calls.put(
                "owner",
                id -> stub.listByOwner(ListByOwnerRequest.newBuilder()
                        .setOwner(id.toBuilder().setUid("u"))
                        .build()));
        return calls;
    }

    private record Wrong(String name, ID id, String field, String message) {}

    @TestFactory
    Stream<DynamicTest> aWrongIdentifierIsRefusedByEveryCallInTheSameWords() {
        ID good = id(ARTIST, "miles");
        String dns = "a lowercase RFC 1123 ";
        List<Wrong> wrong = List.of(
                new Wrong("no type", good.toBuilder().clearType().build(), ".type", " is required"),
                new Wrong("no kind", id(type("demo.example.com", "v1", ""), "a"), ".type.kind", " is required"),
                new Wrong(
                        "no version",
                        id(type("demo.example.com", "", "Artist"), "a"),
                        ".type.group_version",
                        " is required"),
                new Wrong(
                        "unknown type",
                        id(type("demo.example.com", "v9", "Artist"), "a"),
                        ".type",
                        "resource type demo.example.com.v9.Artist not registered"),
                new Wrong("no name", id(ARTIST, ""), ".name", " is required"),
                new Wrong("mixed case", id(ARTIST, "Miles"), ".name", " invalid: " + dns),
                new Wrong("long name", id(ARTIST, "x".repeat(254)), ".name", " invalid: must be no more than 253"),
                new Wrong("a wildcard", id(ARTIST, "*"), ".name", " invalid: " + dns),
                new Wrong("a separator", id(ARTIST, "a\0b"), ".name", " invalid: " + dns),
                new Wrong("a path", id(ARTIST, "../a"), ".name", " invalid: " + dns),
                new Wrong("partition", id(ARTIST, "Default", "default", "a"), ".tenancy.partition", " invalid: " + dns),
                new Wrong("all partitions", id(ARTIST, "*", "default", "a"), ".tenancy.partition", " invalid: "),
                new Wrong(
                        "long partition",
                        id(ARTIST, "p".repeat(64), "default", "a"),
                        ".tenancy.partition",
                        " invalid: must be no more than 63"),
                new Wrong("namespace", id(ARTIST, "default", "Default", "a"), ".tenancy.namespace", " invalid: " + dns),
                new Wrong("all namespaces", id(ARTIST, "default", "*", "a"), ".tenancy.namespace", " invalid: "),
                new Wrong(
                        "long namespace",
                        id(ARTIST, "default", "n".repeat(64), "a"),
                        ".tenancy.namespace",
                        " invalid: must be no more than 63"),
                new Wrong(
                        "scopeIsEnforcedByEveryCall",
                        id(LABEL, "default", "default", "a"),
                        ".tenancy.namespace",
                        "partition scoped resource demo.example.com.v1.RecordLabel cannot have a namespace. got: default"));
        return calls().entrySet().stream()
                .flatMap(call -> wrong.stream()
                        .map(one -> DynamicTest.dynamicTest(call.getKey() + ": " + one.name(), () -> {
                            String field = call.getKey().strip() + one.field();
                            Fixture.Refusal refusal =
                                    refused(() -> call.getValue().accept(one.id()), Code.INVALID_ARGUMENT);
                            assertThat(refusal.fields()).contains(field);
                            assertThat(refusal.message())
                                    .contains(one.message().startsWith(" ") ? field + one.message() : one.message());
                            assertThat(refusal.reason()).isEqualTo("INVALID");
                        })));
    }

    @Test
    void anAbsentIdentifierIsRequired() {
        for (var call : List.<Runnable>of(
                () -> fixture.stub.read(ReadRequest.getDefaultInstance()),
                () -> fixture.stub.delete(DeleteRequest.getDefaultInstance()),
                () -> fixture.stub.writeStatus(WriteStatusRequest.getDefaultInstance()))) {
            assertThat(refused(call::run, Code.INVALID_ARGUMENT).message()).isEqualTo("id is required");
        }
        assertThat(refused(() -> fixture.stub.write(WriteRequest.getDefaultInstance()), Code.INVALID_ARGUMENT)
                        .message())
                .isEqualTo("resource is required");
        assertThat(refused(() -> fixture.write(Resource.getDefaultInstance()), Code.INVALID_ARGUMENT)
                        .message())
                .isEqualTo("resource.id is required");
        assertThat(refused(
                                () -> fixture.stub.listByOwner(ListByOwnerRequest.getDefaultInstance()),
                                Code.INVALID_ARGUMENT)
                        .message())
                .isEqualTo("owner is required");
        assertThat(refused(() -> fixture.stub.list(ListRequest.getDefaultInstance()), Code.INVALID_ARGUMENT)
                        .message())
                .isEqualTo("type is required");
        assertThat(refused(
                                () -> fixture.stub
                                        .watchList(WatchListRequest.getDefaultInstance())
                                        .hasNext(),
                                Code.INVALID_ARGUMENT)
                        .message())
                .isEqualTo("type is required");
    }

    @Test
    void allWrongFieldsAreReportedTogether() {
        ID id = id(ARTIST, "No", "Pe", "Ns");
        assertThat(refused(() -> fixture.read(id), Code.INVALID_ARGUMENT).fields())
                .containsExactly("id.name", "id.tenancy.partition", "id.tenancy.namespace");
    }

    @Test
    void readReturnsTheResourceWithAllItHas() {
        Resource written = fixture.write(artist("miles").toBuilder()
                .putMetadata("a", "1")
                .putLabels("l", "2")
                .build());
        assertThat(written.getId().getUid()).isNotEmpty();
        assertThat(written.getId().getTenancy()).isEqualTo(tenancy("default", "default"));
        assertThat(written.getVersion()).isNotEmpty();
        assertThat(written.getGeneration()).isEqualTo("1");
        assertThat(written.hasCreationTimestamp()).isTrue();
        assertThat(written.getMetadataMap()).containsExactly(Map.entry("a", "1"));
        assertThat(written.getLabelsMap()).containsExactly(Map.entry("l", "2"));
        assertThat(Fixture.specOf(written, "name")).isEqualTo("miles");
        assertThat(fixture.read(id(ARTIST, "miles"))).isEqualTo(written);
        assertThat(fixture.read(written.getId())).isEqualTo(written);
        assertThat(fixture.read(id(ARTIST, "default", "", "miles"))).isEqualTo(written);
    }

    @Test
    void anotherNameUidNamespaceOrPartitionIsNotFound() {
        Resource written = fixture.write(artist("miles"));
        assertThat(refused(() -> fixture.read(id(ARTIST, "different")), Code.NOT_FOUND)
                        .message())
                .isEqualTo("resource not found");
        refused(() -> fixture.read(written.getId().toBuilder().setUid("other").build()), Code.NOT_FOUND);
        refused(() -> fixture.read(id(ARTIST, "default", "none", "miles")), Code.NOT_FOUND);
        assertThat(refused(() -> fixture.read(id(ARTIST, "none", "default", "miles")), Code.NOT_FOUND)
                        .message())
                .isEqualTo("partition not found: none");
        assertThat(fixture.engine.findPartition("none")).isEmpty();
    }

    /** Theirs: an error, or an object of a type with the data of another. */
    @Test
    void anotherGroupVersionIsConverted() {
        Resource written = fixture.write(artist("miles"));
        Resource second = fixture.read(id(ARTIST_V2, "miles"));
        assertThat(second.getId().getType()).isEqualTo(ARTIST_V2);
        assertThat(second.getId().getUid()).isEqualTo(written.getId().getUid());
        assertThat(second.getVersion()).isEqualTo(written.getVersion());
        assertThat(second.getData()).isEqualTo(written.getData());
    }

    @Test
    void aResourceWithoutDataIsRead() {
        Resource written = fixture.write(artist("miles").toBuilder().clearData().build());
        assertThat(written.hasData()).isFalse();
        assertThat(fixture.read(written.getId())).isEqualTo(written);
    }

    @Test
    void typesHaveScopeDataAndNames() {
        List<TypeInfo> types =
                fixture.stub.types(TypesRequest.getDefaultInstance()).getTypesList();
        assertThat(types)
                .contains(TypeInfo.newBuilder()
                        .setType(ARTIST)
                        .setScope(TypeInfo.Scope.SCOPE_NAMESPACE)
                        .setData("google.protobuf.Struct")
                        .setApiVersion("demo.example.com/v1")
                        .setPlural("artists")
                        .setStored(true)
                        .setKeyedStatus(true)
                        .build())
                .anySatisfy(type -> {
                    assertThat(type.getType()).isEqualTo(LABEL);
                    assertThat(type.getScope()).isEqualTo(TypeInfo.Scope.SCOPE_PARTITION);
                })
                .anySatisfy(type -> {
                    assertThat(type.getType()).isEqualTo(Fixture.CONFIG_MAP);
                    assertThat(type.getKeyedStatus()).isFalse();
                });
        Tenancy other = tenancy("none", "");
        assertThat(fixture.stub
                        .types(TypesRequest.newBuilder().setTenancy(other).build())
                        .getTypesList())
                .isNotEmpty();
    }
}
