package dev.evenkeel.grpc;

import static dev.evenkeel.grpc.Fixture.ARTIST;
import static dev.evenkeel.grpc.Fixture.LABEL;
import static dev.evenkeel.grpc.Fixture.artist;
import static dev.evenkeel.grpc.Fixture.id;
import static dev.evenkeel.grpc.Fixture.refused;
import static dev.evenkeel.grpc.Fixture.struct;
import static dev.evenkeel.grpc.Fixture.type;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Timestamp;
import com.google.rpc.Code;
import dev.evenkeel.grpc.resource.v1.Condition;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.Reference;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.Status;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import dev.evenkeel.grpc.resource.v1.WriteStatusRequest;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Statuses: consul.md 2.3. */
class StatusTest {
    private final Fixture fixture = Fixture.start().withDemo();
    private Resource stored = Resource.getDefaultInstance();

    @BeforeEach
    void write() {
        stored = fixture.write(artist("miles"));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static Condition condition(String type, Condition.State state) {
        return Condition.newBuilder()
                .setType(type)
                .setState(state)
                .setReason("Because")
                .setMessage("it is so")
                .build();
    }

    private WriteStatusRequest request() {
        return WriteStatusRequest.newBuilder()
                .setId(stored.getId())
                .setKey("demo.example.com/tuner")
                .setStatus(Status.newBuilder()
                        .setObservedGeneration("1")
                        .addConditions(condition("Tuned", Condition.State.STATE_TRUE)))
                .build();
    }

    private Resource write(WriteStatusRequest request) {
        return fixture.stub.writeStatus(request).getResource();
    }

    private record Wrong(String name, UnaryOperator<WriteStatusRequest.Builder> change, String field, String message) {}

    @TestFactory
    Stream<DynamicTest> wrongRequestsAreRefused() {
        UnaryOperator<WriteStatusRequest.Builder> noType = r -> {
            r.getStatusBuilder().addConditions(Condition.getDefaultInstance());
            return r;
        };
        List<Wrong> cases = List.of(
                new Wrong("no id", r -> r.clearId(), "id", "id is required"),
                new Wrong("no uid", r -> r.setId(id(ARTIST, "miles")), "id.uid", "id.uid is required"),
                new Wrong("no key", r -> r.clearKey(), "key", "key is required"),
                new Wrong("long key", r -> r.setKey("k".repeat(129)), "key", "key invalid: must be at most 128"),
                new Wrong("a field as key", r -> r.setKey("conditions"), "key", "key invalid"),
                new Wrong("no status", r -> r.clearStatus(), "status", "status is required"),
                new Wrong(
                        "no generation",
                        r -> r.setStatus(r.getStatus().toBuilder().clearObservedGeneration()),
                        "status.observed_generation",
                        "status.observed_generation is required"),
                new Wrong(
                        "no such form",
                        r -> r.setStatus(r.getStatus().toBuilder().setObservedGeneration("one")),
                        "status.observed_generation",
                        "status.observed_generation is not valid"),
                new Wrong(
                        "a later generation",
                        r -> r.setStatus(r.getStatus().toBuilder().setObservedGeneration("2")),
                        "status.observed_generation",
                        "status.observed_generation is not valid: 2, the present generation is 1"),
                new Wrong(
                        "updated_at",
                        r -> r.setStatus(r.getStatus().toBuilder().setUpdatedAt(Timestamp.getDefaultInstance())),
                        "status.updated_at",
                        "status.updated_at is automatically set and cannot be provided"),
                new Wrong("a condition without type", noType, "status.conditions[1].type", "is required"),
                new Wrong(
                        "a condition twice",
                        r -> {
                            r.getStatusBuilder().addConditions(condition("Tuned", Condition.State.STATE_FALSE));
                            return r;
                        },
                        "status.conditions[1].type",
                        "another condition has the type Tuned"),
                new Wrong(
                        "a reference without name",
                        r -> {
                            r.getStatusBuilder()
                                    .getConditionsBuilder(0)
                                    .setResource(Reference.newBuilder().setType(ARTIST));
                            return r;
                        },
                        "status.conditions[0].resource.name",
                        "status.conditions[0].resource.name is required"),
                new Wrong(
                        "a reference without type",
                        r -> {
                            r.getStatusBuilder()
                                    .getConditionsBuilder(0)
                                    .setResource(Reference.newBuilder().setName("a"));
                            return r;
                        },
                        "status.conditions[0].resource.type",
                        "status.conditions[0].resource.type is required"),
                new Wrong(
                        "removed and given",
                        r -> r.setRemove(true),
                        "status",
                        "a status that is removed must be left out"));
        return cases.stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> {
                    WriteStatusRequest request =
                            one.change().apply(request().toBuilder()).build();
                    Fixture.Refusal refusal = refused(() -> write(request), Code.INVALID_ARGUMENT);
                    assertThat(refusal.fields()).contains(one.field());
                    assertThat(refusal.message()).contains(one.message());
                    assertThat(fixture.read(stored.getId())).isEqualTo(stored);
                }));
    }

    @Test
    void everyWrongConditionIsReported() {
        WriteStatusRequest.Builder request = request().toBuilder();
        request.getStatusBuilder()
                .clearConditions()
                .addConditions(Condition.getDefaultInstance())
                .addConditions(condition("Good", Condition.State.STATE_TRUE))
                .addConditions(Condition.getDefaultInstance());
        assertThat(refused(() -> write(request.build()), Code.INVALID_ARGUMENT).fields())
                .containsExactly("status.conditions[0].type", "status.conditions[2].type");
    }

    @Test
    void aStatusChangesTheVersionAndNotTheGeneration() {
        Resource written = write(request());
        Status status = written.getStatusOrThrow("demo.example.com/tuner");
        assertThat(status.getObservedGeneration()).isEqualTo("1");
        assertThat(status.hasUpdatedAt()).isTrue();
        assertThat(status.getConditions(0).hasLastTransitionTime()).isTrue();
        assertThat(status.getConditions(0).toBuilder().clearLastTransitionTime().build())
                .isEqualTo(condition("Tuned", Condition.State.STATE_TRUE));
        assertThat(written.getGeneration()).isEqualTo(stored.getGeneration());
        assertThat(written.getVersion()).isNotEqualTo(stored.getVersion());
        assertThat(written.getData()).isEqualTo(stored.getData());
        assertThat(fixture.read(stored.getId())).isEqualTo(written);
        Resource other = write(request().toBuilder().setKey("other").build());
        assertThat(other.getStatusMap()).hasSize(2).containsEntry("demo.example.com/tuner", status);
        // a write of what was read, and one without a status, keep the statuses
        assertThat(fixture.write(other)).isEqualTo(other);
        assertThat(fixture.write(artist("miles"))).isEqualTo(other);
    }

    @Test
    void theSameStatusWritesNothing() {
        Resource written = write(request());
        assertThat(write(request())).isEqualTo(written);
        WriteStatusRequest.Builder changed = request().toBuilder();
        changed.getStatusBuilder().getConditionsBuilder(0).setState(Condition.State.STATE_FALSE);
        assertThat(write(changed.build()).getVersion()).isNotEqualTo(written.getVersion());
    }

    @Test
    void versionAndUidAreCompared() {
        assertThat(refused(() -> write(request().toBuilder().setVersion("1").build()), Code.ABORTED)
                        .reason())
                .isEqualTo("VERSION_MISMATCH");
        ID other = stored.getId().toBuilder().setUid("u").build();
        assertThat(refused(() -> write(request().toBuilder().setId(other).build()), Code.FAILED_PRECONDITION)
                        .reason())
                .isEqualTo("UID_MISMATCH");
        ID absent = stored.getId().toBuilder().setName("absent").build();
        refused(() -> write(request().toBuilder().setId(absent).build()), Code.NOT_FOUND);
        write(request().toBuilder().setVersion(stored.getVersion()).build());
    }

    @Test
    void aStatusIsRemoved() {
        write(request());
        write(request().toBuilder().setKey("other").build());
        Resource left =
                write(request().toBuilder().clearStatus().setRemove(true).build());
        assertThat(left.getStatusMap()).containsOnlyKeys("other");
        Resource none = write(request().toBuilder()
                .clearStatus()
                .setKey("other")
                .setRemove(true)
                .build());
        assertThat(none.getStatusMap()).isEmpty();
        assertThat(write(request().toBuilder().clearStatus().setRemove(true).build()))
                .isEqualTo(none);
    }

    @Test
    void aKeyHasOneManager() {
        WriteStatusRequest mine = request().toBuilder().setManager("tuner-1").build();
        WriteStatusRequest.Builder theirs = request().toBuilder().setManager("tuner-2");
        theirs.getStatusBuilder().getConditionsBuilder(0).setState(Condition.State.STATE_FALSE);
        write(mine);
        Fixture.Refusal refusal = refused(() -> write(theirs.build()), Code.FAILED_PRECONDITION);
        assertThat(refusal.reason()).isEqualTo("FIELD_MANAGER_CONFLICT");
        assertThat(refusal.message()).contains("is owned by tuner-1");
        write(theirs.clone().setKey("other").build());
        write(theirs.clone().setForce(true).build());
        refused(() -> write(mine), Code.FAILED_PRECONDITION);
        write(theirs.build());
    }

    @Test
    void conditionsReferToResourcesOfEveryScope() {
        for (Reference reference : List.of(
                Reference.newBuilder()
                        .setType(LABEL)
                        .setTenancy(Tenancy.newBuilder().setPartition("default"))
                        .setName("prestige")
                        .setSection("spec.name")
                        .build(),
                Reference.newBuilder()
                        .setType(LABEL)
                        .setTenancy(Tenancy.getDefaultInstance())
                        .setName("verve")
                        .build(),
                Reference.newBuilder()
                        .setType(type("gone.example.com", "v1", "Gone"))
                        .setTenancy(Fixture.tenancy("default", "default"))
                        .setName("x")
                        .build())) {
            WriteStatusRequest.Builder request = request().toBuilder();
            request.getStatusBuilder().getConditionsBuilder(0).setResource(reference);
            assertThat(write(request.build())
                            .getStatusOrThrow("demo.example.com/tuner")
                            .getConditions(0)
                            .getResource())
                    .isEqualTo(reference);
        }
    }

    @Test
    void furtherFieldsAreData() {
        WriteStatusRequest.Builder request = request().toBuilder();
        request.getStatusBuilder().setData(Any.pack(struct("plays", 7)));
        assertThat(write(request.build())
                        .getStatusOrThrow("demo.example.com/tuner")
                        .getData())
                .isEqualTo(Any.pack(struct("plays", 7)));
        request.getStatusBuilder().setData(Any.pack(Timestamp.getDefaultInstance()));
        assertThat(refused(() -> write(request.build()), Code.INVALID_ARGUMENT).fields())
                .containsExactly("status.data");
    }

    @Test
    void aKindWithoutKeyedStatusHasOneStatus() {
        Resource budget = fixture.write(Resource.newBuilder()
                .setId(id(type("policy", "v1", "PodDisruptionBudget"), "b"))
                .setData(Any.pack(struct("spec", struct("maxUnavailable", 1))))
                .build());
        Any healthy =
                Any.pack(struct("disruptionsAllowed", 1, "currentHealthy", 3, "desiredHealthy", 2, "expectedPods", 3));
        WriteStatusRequest.Builder request = WriteStatusRequest.newBuilder()
                .setId(budget.getId())
                .setStatus(Status.newBuilder().setData(healthy));
        Resource written = write(request.build());
        assertThat(written.getStatusMap()).containsOnlyKeys("");
        assertThat(written.getStatusOrThrow("").getData()).isEqualTo(healthy);
        assertThat(write(request.build())).isEqualTo(written);
        assertThat(refused(() -> write(request.clone().setKey("k").build()), Code.INVALID_ARGUMENT)
                        .fields())
                .containsExactly("key");
        ID map = fixture.write(
                        Resource.newBuilder().setId(id(Fixture.CONFIG_MAP, "m")).build())
                .getId();
        assertThat(refused(() -> write(request.clone().setId(map).build()), Code.INVALID_ARGUMENT)
                        .message())
                .isEqualTo("resource type v1.ConfigMap has no status");
    }
}
