package dev.evenkeel.grpc;

import static dev.evenkeel.grpc.Fixture.ALBUM;
import static dev.evenkeel.grpc.Fixture.ARTIST;
import static dev.evenkeel.grpc.Fixture.ARTIST_V2;
import static dev.evenkeel.grpc.Fixture.artist;
import static dev.evenkeel.grpc.Fixture.id;
import static dev.evenkeel.grpc.Fixture.refused;
import static dev.evenkeel.grpc.Fixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import com.google.rpc.Code;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.Registration;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.DeleteResponse;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.ListByOwnerRequest;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.Status;
import dev.evenkeel.grpc.resource.v1.WriteStatusRequest;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Deletes, finalizers, owners: consul.md 1.5, 1.8, 1.9, 2.4 and 2.6. */
class DeletionTest {
    private final Fixture fixture = Fixture.start().withDemo();

    @AfterEach
    void stop() {
        fixture.close();
    }

    private DeleteResponse delete(ID id, String version) {
        return fixture.stub.delete(
                DeleteRequest.newBuilder().setId(id).setVersion(version).build());
    }

    private boolean exists(ID id) {
        try {
            fixture.read(id);
            return true;
        } catch (io.grpc.StatusRuntimeException e) {
            return false;
        }
    }

    private static ID withUid(ID id, String uid) {
        return id.toBuilder().setUid(uid).build();
    }

    @Test
    void deletesWhatIsExpected() {
        Resource one = fixture.write(artist("one"));
        assertThat(delete(id(ARTIST, "one"), "")).isEqualTo(DeleteResponse.getDefaultInstance());
        assertThat(exists(one.getId())).isFalse();
        Resource two = fixture.write(artist("one"));
        assertThat(two.getId().getUid()).isNotEqualTo(one.getId().getUid());
        delete(two.getId(), two.getVersion());
        assertThat(exists(two.getId())).isFalse();
    }

    @Test
    void deleteComparesTheVersionWithoutUid() {
        Resource stored = fixture.write(artist("miles"));
        for (String version : List.of("1", "some-version")) {
            assertThat(refused(() -> delete(id(ARTIST, "miles"), version), Code.ABORTED)
                            .reason())
                    .isEqualTo("VERSION_MISMATCH");
        }
        refused(() -> delete(stored.getId(), "1"), Code.ABORTED);
        assertThat(fixture.read(stored.getId())).isEqualTo(stored);
    }

    @Test
    void deleteOfAnotherUidIsRefused() {
        Resource stored = fixture.write(artist("miles"));
        assertThat(refused(() -> delete(withUid(stored.getId(), "u"), stored.getVersion()), Code.FAILED_PRECONDITION)
                        .reason())
                .isEqualTo("UID_MISMATCH");
        assertThat(exists(stored.getId())).isTrue();
    }

    @Test
    void deleteOfWhatIsAbsentSucceeds() {
        delete(id(ARTIST, "absent"), "");
        delete(withUid(id(ARTIST, "absent"), "u"), "7");
        delete(id(ARTIST, "default", "none", "absent"), "");
        delete(id(ARTIST, "none", "default", "absent"), "");
        assertThat(fixture.engine.findPartition("none")).isEmpty();
    }

    @Test
    void deleteAndWriteStatusWorkAcrossGroupVersions() {
        Resource stored = fixture.write(artist("miles"));
        ID second = stored.getId().toBuilder().setType(ARTIST_V2).build();
        Resource changed = fixture.stub
                .writeStatus(WriteStatusRequest.newBuilder()
                        .setId(second)
                        .setKey("k")
                        .setStatus(Status.newBuilder().setObservedGeneration("1"))
                        .build())
                .getResource();
        assertThat(fixture.read(stored.getId()).getStatusMap()).isEqualTo(changed.getStatusMap());
        delete(second, changed.getVersion());
        assertThat(exists(stored.getId())).isFalse();
    }

    private Resource marked(String name) {
        Resource stored = fixture.write(artist(name).toBuilder()
                .addFinalizers("demo/a")
                .addFinalizers("demo/b")
                .putMetadata("m", "1")
                .build());
        Resource marked = delete(stored.getId(), "").getResource();
        assertThat(marked.hasDeletionTimestamp()).isTrue();
        return marked;
    }

    private record Frozen(String name, UnaryOperator<Resource> change, String message) {}

    /** The table of 1.8: writes of a resource that is marked for deletion. */
    @TestFactory
    Stream<DynamicTest> aMarkedResourceIsFrozen() {
        List<Frozen> cases = List.of(
                new Frozen(
                        "drop timestamp",
                        r -> r.toBuilder().clearDeletionTimestamp().build(),
                        "cannot remove"),
                new Frozen(
                        "change timestamp",
                        r -> r.toBuilder()
                                .setDeletionTimestamp(Timestamp.newBuilder().setSeconds(1))
                                .build(),
                        "cannot modify deletionTimestamp"),
                new Frozen("metadata", r -> r.toBuilder().putMetadata("m", "2").build(), "cannot modify metadata"),
                new Frozen("labels", r -> r.toBuilder().putLabels("m", "2").build(), "cannot modify metadata"),
                new Frozen("data", r -> r.toBuilder().setData(spec("name", "x")).build(), "cannot modify data"),
                new Frozen(
                        "data without version",
                        r -> r.toBuilder()
                                .clearVersion()
                                .setData(spec("name", "x"))
                                .build(),
                        "cannot modify data"),
                new Frozen(
                        "add a finalizer",
                        r -> r.toBuilder().addFinalizers("demo/c").build(),
                        "expected at least one finalizer to be removed"),
                new Frozen(
                        "replace a finalizer",
                        r -> r.toBuilder().setFinalizers(0, "demo/c").build(),
                        "expected at least one finalizer to be removed"),
                new Frozen(
                        "data, with a finalizer removed",
                        r -> r.toBuilder()
                                .clearFinalizers()
                                .addFinalizers("demo/b")
                                .setData(spec("name", "x"))
                                .build(),
                        "cannot modify data"));
        return cases.stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> {
                    Resource marked = marked("m" + cases.indexOf(one));
                    assertThat(refused(() -> fixture.write(one.change().apply(marked)), Code.INVALID_ARGUMENT)
                                    .message())
                            .startsWith(one.message());
                    assertThat(fixture.read(marked.getId())).isEqualTo(marked);
                }));
    }

    @Test
    void aTimestampIsSetByDeleteOnly() {
        Timestamp time = Timestamp.newBuilder().setSeconds(1).build();
        assertThat(refused(
                                () -> fixture.write(artist("a").toBuilder()
                                        .setDeletionTimestamp(time)
                                        .build()),
                                Code.INVALID_ARGUMENT)
                        .message())
                .isEqualTo("resource.deletion_timestamp can't be set on resource creation");
        Resource stored = fixture.write(artist("a"));
        assertThat(refused(
                                () -> fixture.write(stored.toBuilder()
                                        .setDeletionTimestamp(time)
                                        .build()),
                                Code.INVALID_ARGUMENT)
                        .message())
                .isEqualTo("resource.deletion_timestamp can only be set by Delete");
    }

    @Test
    void aSecondDeleteAndAWriteWithoutChangeWriteNothing() {
        Resource marked = marked("m");
        assertThat(delete(marked.getId(), "").getResource()).isEqualTo(marked);
        assertThat(fixture.write(marked)).isEqualTo(marked);
        // timestamp and finalizers are kept by a write without a version that leaves them out
        assertThat(fixture.write(marked.toBuilder()
                        .clearVersion()
                        .clearDeletionTimestamp()
                        .clearFinalizers()
                        .build()))
                .isEqualTo(marked);
    }

    @Test
    void theLastFinalizerDeletesTheResource() {
        Resource marked = marked("m");
        Resource one = fixture.write(
                marked.toBuilder().clearFinalizers().addFinalizers("demo/b").build());
        assertThat(one.getFinalizersList()).containsExactly("demo/b");
        Resource status = fixture.stub
                .writeStatus(WriteStatusRequest.newBuilder()
                        .setId(one.getId())
                        .setKey("k")
                        .setStatus(Status.newBuilder().setObservedGeneration("1"))
                        .build())
                .getResource();
        fixture.write(status.toBuilder().clearFinalizers().build());
        assertThat(exists(marked.getId())).isFalse();
    }

    /** A rule that came later does not make old resources undeletable, and a mutating hook does not either. */
    @Test
    void aResourceThatNewRulesRefuseIsDeleted() {
        AtomicBoolean strict = new AtomicBoolean();
        var kind = dev.evenkeel.client.Kind.generic("demo.example.com", "v1", "Concept", "concepts", true);
        Registration<GenericKubernetesResource> registration = Registration.of(kind)
                .mutate(object -> {
                    if (strict.get()) {
                        object.setAdditionalProperty("spec", java.util.Map.of("mutated", true));
                    }
                    return object;
                })
                .validate((object, old) -> strict.get() ? List.of(FieldError.required("spec.new", "")) : List.of())
                .build();
        Engine engine =
                Engine.builder().executor(Runnable::run).register(registration).build();
        try (Fixture own = Fixture.start(engine, builder -> builder.authentication(false))) {
            ID id = id(Fixture.type("demo.example.com", "v1", "Concept"), "old");
            own.write(Resource.newBuilder()
                    .setId(id)
                    .addFinalizers("demo/f")
                    .setData(spec("a", "1"))
                    .build());
            strict.set(true);
            Resource marked = own.stub
                    .delete(DeleteRequest.newBuilder().setId(id).build())
                    .getResource();
            own.write(marked.toBuilder().clearFinalizers().build());
            refused(() -> own.read(id), Code.NOT_FOUND);
        }
    }

    private Resource album(String name, Resource owner) {
        return fixture.write(Resource.newBuilder()
                .setId(id(ALBUM, name))
                .setOwner(owner.getId())
                .build());
    }

    private List<Resource> owned(ID owner) {
        return fixture.stub
                .listByOwner(ListByOwnerRequest.newBuilder().setOwner(owner).build())
                .getResourcesList();
    }

    @Test
    void aFailedCompareAndDeleteDeletesNoChild() {
        Resource owner = fixture.write(artist("miles"));
        Resource child = album("blue", owner);
        refused(() -> delete(owner.getId(), "1"), Code.ABORTED);
        refused(() -> delete(withUid(owner.getId(), "u"), ""), Code.FAILED_PRECONDITION);
        assertThat(fixture.read(child.getId())).isEqualTo(child);
    }

    @Test
    void childrenOfAnOwnerWithALongNameAreDeletedWithItAtOnce() {
        Resource owner =
                fixture.write(artist("n".repeat(63)).toBuilder().clearData().build());
        Resource child = album("blue", owner);
        Resource grandchild = fixture.write(Resource.newBuilder()
                .setId(id(ALBUM, "track"))
                .setOwner(child.getId())
                .build());
        delete(owner.getId(), "");
        assertThat(exists(child.getId())).isFalse();
        assertThat(exists(grandchild.getId())).isFalse();
    }

    @Test
    void dependentsStayOrGoFirstOnRequest() {
        Resource owner = fixture.write(artist("miles"));
        Resource child = album("blue", owner);
        fixture.stub.delete(DeleteRequest.newBuilder()
                .setId(owner.getId())
                .setDependents(DeleteRequest.Dependents.DEPENDENTS_ORPHAN)
                .build());
        assertThat(fixture.read(child.getId()).hasOwner()).isFalse();
        Resource second = fixture.write(artist("ella"));
        Resource held = fixture.write(Resource.newBuilder()
                .setId(id(ALBUM, "held"))
                .setOwner(second.getId())
                .addFinalizers("demo/f")
                .build());
        Resource waiting = fixture.stub
                .delete(DeleteRequest.newBuilder()
                        .setId(second.getId())
                        .setDependents(DeleteRequest.Dependents.DEPENDENTS_FOREGROUND)
                        .build())
                .getResource();
        assertThat(waiting.getFinalizersList()).containsExactly("foregroundDeletion");
        fixture.write(fixture.read(held.getId()).toBuilder().clearFinalizers().build());
        assertThat(exists(second.getId())).isFalse();
        assertThat(refused(
                                () -> fixture.stub.delete(DeleteRequest.newBuilder()
                                        .setId(child.getId())
                                        .setDependentsValue(9)
                                        .build()),
                                Code.INVALID_ARGUMENT)
                        .fields())
                .containsExactly("dependents");
    }

    /** 3.3, ListByOwner. */
    @Test
    void childrenAreListedByTheUidOfTheirOwner() {
        Resource owner = fixture.write(artist("owner"));
        Resource r1 = album("r1", owner);
        Resource r2 = fixture.write(artist("r2").toBuilder()
                .setId(id(ARTIST_V2, "r2"))
                .setOwner(owner.getId())
                .build());
        assertThat(owned(owner.getId()))
                .extracting(one -> one.getId().getName())
                .containsExactlyInAnyOrder("r1", "r2");
        assertThat(owned(owner.getId())).contains(r1);
        assertThat(owned(withUid(owner.getId(), "another"))).isEmpty();
        delete(r2.getId(), "");
        assertThat(owned(owner.getId())).containsExactly(r1);
        delete(owner.getId(), "");
        assertThat(owned(owner.getId())).isEmpty();
        assertThat(refused(() -> owned(id(ARTIST, "owner")), Code.INVALID_ARGUMENT)
                        .message())
                .isEqualTo("owner.uid is required");
        assertThat(owned(withUid(id(ARTIST, "none", "default", "a"), "u"))).isEmpty();
    }
}
