package dev.evenkeel.grpc;

import static dev.evenkeel.grpc.Fixture.ALBUM;
import static dev.evenkeel.grpc.Fixture.ARTIST;
import static dev.evenkeel.grpc.Fixture.ARTIST_V2;
import static dev.evenkeel.grpc.Fixture.CONFIG_MAP;
import static dev.evenkeel.grpc.Fixture.LABEL;
import static dev.evenkeel.grpc.Fixture.artist;
import static dev.evenkeel.grpc.Fixture.id;
import static dev.evenkeel.grpc.Fixture.refused;
import static dev.evenkeel.grpc.Fixture.spec;
import static dev.evenkeel.grpc.Fixture.specOf;
import static dev.evenkeel.grpc.Fixture.struct;
import static dev.evenkeel.grpc.Fixture.tenancy;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import com.google.rpc.Code;
import dev.evenkeel.grpc.resource.v1.ApplyRequest;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.MutateAndValidateRequest;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.Status;
import dev.evenkeel.grpc.resource.v1.WriteManyResponse;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Writes: versions and uids, owners, masks, server-side apply, dry runs, streams. */
class WriteTest {
    private final Fixture fixture = Fixture.start().withDemo();

    @AfterEach
    void stop() {
        fixture.close();
    }

    private record Case(String name, boolean stored, Function<Resource, Resource> request, Code code, String reason) {}

    private static Resource with(Resource base, String version, String uid) {
        return base.toBuilder()
                .setVersion(version)
                .setId(base.getId().toBuilder().setUid(uid))
                .setData(spec("name", "changed"))
                .build();
    }

    @Test
    void resourcesHaveLimitedNumbersOfEntriesAndValues() {
        Resource.Builder many = artist("many").toBuilder();
        for (int i = 0; i <= 1000; i++) {
            many.putLabels("label-" + i, "").putMetadata("entry-" + i, "").addFinalizers("a/finalizer-" + i);
        }
        assertThat(refused(() -> fixture.write(many.build()), Code.INVALID_ARGUMENT)
                        .message())
                .contains("resource.labels invalid: it has 1001 entries, at most 1000 are allowed")
                .contains("resource.metadata invalid: it has 1001 entries")
                .contains("resource.finalizers invalid: it has 1001 entries");
        Struct.Builder values = Struct.newBuilder();
        for (int i = 0; i < 50_000; i++) {
            values.putFields("k" + i, Value.newBuilder().setBoolValue(true).build());
        }
        Resource large = artist("large").toBuilder()
                .setId(id(Fixture.CONFIG_MAP, "large"))
                .setData(Any.pack(values.build()))
                .build();
        assertThat(refused(() -> fixture.write(large), Code.INVALID_ARGUMENT).message())
                .contains("it has more than 50000 values");
    }

    /** The table of consul.md 1.5, with the codes that ours gives. */
    @TestFactory
    Stream<DynamicTest> versionsAndUids() {
        List<Case> cases = List.of(
                new Case("create", false, r -> with(r, "", ""), Code.OK, ""),
                new Case(
                        "writeWithTheUidOfAGoneResourceDoesNotCreate",
                        false,
                        r -> with(r, "", "u"),
                        Code.NOT_FOUND,
                        "NOT_FOUND"),
                new Case("a version of nothing", false, r -> with(r, "7", ""), Code.ABORTED, "VERSION_MISMATCH"),
                new Case(
                        "a version and uid of nothing",
                        false,
                        r -> with(r, "7", "u"),
                        Code.ABORTED,
                        "VERSION_MISMATCH"),
                new Case("blanket", true, r -> with(r, "", ""), Code.OK, ""),
                new Case("blanket with uid", true, r -> with(r, "", r.getId().getUid()), Code.OK, ""),
                new Case("compared", true, r -> with(r, r.getVersion(), ""), Code.OK, ""),
                new Case(
                        "compared with uid",
                        true,
                        r -> with(r, r.getVersion(), r.getId().getUid()),
                        Code.OK,
                        ""),
                new Case("stale", true, r -> with(r, "1", ""), Code.ABORTED, "VERSION_MISMATCH"),
                new Case(
                        "bogus",
                        true,
                        r -> with(r, "some-version", r.getId().getUid()),
                        Code.ABORTED,
                        "VERSION_MISMATCH"),
                new Case("another uid", true, r -> with(r, "", "u"), Code.FAILED_PRECONDITION, "UID_MISMATCH"),
                new Case(
                        "the uid is checked first",
                        true,
                        r -> with(r, "1", "u"),
                        Code.FAILED_PRECONDITION,
                        "UID_MISMATCH"));
        return cases.stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> {
                    String name = "a" + cases.indexOf(one);
                    Resource base = one.stored() ? fixture.write(artist(name)) : artist(name);
                    Resource request = one.request().apply(base);
                    if (one.code() == Code.OK) {
                        Resource written = fixture.write(request);
                        assertThat(specOf(written, "name")).isEqualTo("changed");
                        assertThat(written.getVersion()).isNotEmpty().isNotEqualTo(base.getVersion());
                        assertThat(written.getGeneration()).isEqualTo(one.stored() ? "2" : "1");
                        if (one.stored()) {
                            assertThat(written.getId()).isEqualTo(base.getId());
                        }
                    } else {
                        assertThat(refused(() -> fixture.write(request), one.code())
                                        .reason())
                                .isEqualTo(one.reason());
                        if (one.stored()) {
                            assertThat(fixture.read(base.getId())).isEqualTo(base);
                        } else {
                            refused(() -> fixture.read(id(ARTIST, name)), Code.NOT_FOUND);
                        }
                    }
                }));
    }

    @Test
    void aWriteThatChangesNothingWritesNothing() {
        Resource written = fixture.write(artist("miles"));
        assertThat(fixture.write(artist("miles"))).isEqualTo(written);
        assertThat(fixture.write(written)).isEqualTo(written);
    }

    @Test
    void ofConcurrentComparedWritesOneWins() throws Exception {
        Resource base = fixture.write(artist("miles"));
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<String>> results = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                Resource mine = base.toBuilder().setData(spec("members", i)).build();
                results.add(threads.submit(() -> {
                    try {
                        return fixture.write(mine).getVersion();
                    } catch (StatusRuntimeException e) {
                        return e.getStatus().getCode().name();
                    }
                }));
            }
            List<String> answers = new ArrayList<>();
            for (Future<String> result : results) {
                answers.add(result.get());
            }
            assertThat(answers).filteredOn("ABORTED"::equals).hasSize(15);
        }
    }

    @Test
    void concurrentBlanketWritesAllSucceedAndVersionsGrowInTheOrderOfCommits() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Resource>> results = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                Resource mine =
                        artist("miles").toBuilder().setData(spec("members", i)).build();
                results.add(threads.submit(() -> fixture.write(mine)));
            }
            List<Long> versions = new ArrayList<>();
            for (Future<Resource> result : results) {
                versions.add(Long.parseLong(result.get().getVersion()));
            }
            assertThat(versions).doesNotHaveDuplicates();
            assertThat(fixture.read(id(ARTIST, "miles")).getVersion())
                    .isEqualTo(Long.toString(
                            versions.stream().mapToLong(v -> v).max().orElseThrow()));
        }
    }

    @Test
    void updateInAnotherGroupVersionKeepsTypeAndDataTogether() {
        Resource first = fixture.write(artist("miles"));
        Resource second = fixture.write(first.toBuilder()
                .setId(first.getId().toBuilder().setType(ARTIST_V2))
                .setData(spec("name", "second"))
                .build());
        assertThat(second.getId().getType()).isEqualTo(ARTIST_V2);
        Resource read = fixture.read(id(ARTIST, "miles"));
        assertThat(read.getId().getType()).isEqualTo(ARTIST);
        assertThat(specOf(read, "name")).isEqualTo("second");
        assertThat(read.getVersion()).isEqualTo(second.getVersion());
    }

    @Test
    void statusIsNotWrittenByWrite() {
        Resource.Builder withStatus = artist("miles").toBuilder()
                .putStatus("k", Status.newBuilder().setObservedGeneration("1").build());
        String message = "resource.status can only be set using the WriteStatus endpoint";
        assertThat(refused(() -> fixture.write(withStatus.build()), Code.INVALID_ARGUMENT)
                        .message())
                .startsWith(message);
        Resource stored = fixture.write(artist("miles"));
        assertThat(refused(
                                () -> fixture.write(stored.toBuilder()
                                        .putAllStatus(withStatus.getStatusMap())
                                        .build()),
                                Code.INVALID_ARGUMENT)
                        .fields())
                .containsExactly("resource.status");
    }

    @Test
    void dataMustBeOfTheTypesMessage() {
        Resource wrong = artist("miles").toBuilder()
                .setData(Any.pack(Timestamp.getDefaultInstance()))
                .build();
        assertThat(refused(() -> fixture.write(wrong), Code.INVALID_ARGUMENT).message())
                .isEqualTo("resource.data is of wrong type (expected=\"google.protobuf.Struct\","
                        + " got=\"google.protobuf.Timestamp\")");
        Resource garbled = artist("miles").toBuilder()
                .setData(Any.newBuilder()
                        .setTypeUrl("type.googleapis.com/google.protobuf.Struct")
                        .setValue(com.google.protobuf.ByteString.copyFromUtf8("\u0007x")))
                .build();
        assertThat(refused(() -> fixture.write(garbled), Code.INVALID_ARGUMENT).fields())
                .containsExactly("resource.data");
    }

    @Test
    void wrongFieldsOfDataAreNamed() {
        Resource wrong = artist("miles").toBuilder()
                .setData(spec("name", "x".repeat(41), "genre", "NOISE", "members", "many"))
                .build();
        assertThat(refused(() -> fixture.write(wrong), Code.INVALID_ARGUMENT).fields())
                .contains("resource.data.spec.name", "resource.data.spec.genre", "resource.data.spec.members");
        Resource unknown = artist("miles").toBuilder().setData(spec("nme", "x")).build();
        assertThat(refused(() -> fixture.write(unknown), Code.INVALID_ARGUMENT).message())
                .contains("unknown field \"spec.nme\"");
        Resource labels =
                artist("miles").toBuilder().putLabels("no spaces", "x").build();
        assertThat(refused(() -> fixture.write(labels), Code.INVALID_ARGUMENT).fields())
                .containsExactly("resource.labels");
    }

    @Test
    void tenanciesMustExistAndStay() {
        assertThat(refused(
                                () -> fixture.write(artist("a").toBuilder()
                                        .setId(id(ARTIST, "default", "none", "a"))
                                        .build()),
                                Code.INVALID_ARGUMENT)
                        .message())
                .isEqualTo("namespace not found: none");
        fixture.withNamespace("default", "ending");
        Resource inside = fixture.write(artist("a").toBuilder()
                .setId(id(ARTIST, "default", "ending", "a"))
                .addFinalizers("demo/f")
                .build());
        fixture.stub.delete(DeleteRequest.newBuilder()
                .setId(id(Fixture.NAMESPACE, "ending"))
                .build());
        assertThat(refused(
                                () -> fixture.write(artist("b").toBuilder()
                                        .setId(id(ARTIST, "default", "ending", "b"))
                                        .build()),
                                Code.INVALID_ARGUMENT)
                        .message())
                .startsWith("tenancy marked for deletion: ");
        assertThat(fixture.read(inside.getId()).hasDeletionTimestamp()).isTrue();
    }

    @Test
    void noWriteCreatesAPartition() {
        Resource map = Resource.newBuilder()
                .setId(id(CONFIG_MAP, "fresh", "", "m"))
                .setData(Any.pack(struct("data", struct("k", "v"))))
                .build();
        assertThat(refused(() -> fixture.write(map), Code.INVALID_ARGUMENT).message())
                .contains("partition not found: fresh");
        assertThat(fixture.engine.partitions()).doesNotContain("fresh");
        fixture.engine.partition("fresh");
        assertThat(fixture.write(map).getId().getTenancy()).isEqualTo(tenancy("fresh", "default"));
    }

    @Test
    void mutateAndValidateWritesNothing() {
        Resource shown = fixture.stub
                .mutateAndValidate(MutateAndValidateRequest.newBuilder()
                        .setResource(artist("miles"))
                        .build())
                .getResource();
        assertThat(shown.getId().getUid()).isNotEmpty();
        refused(() -> fixture.read(id(ARTIST, "miles")), Code.NOT_FOUND);
        Resource wrong =
                artist("miles").toBuilder().setData(spec("genre", "NOISE")).build();
        assertThat(refused(
                                () -> fixture.stub.mutateAndValidate(MutateAndValidateRequest.newBuilder()
                                        .setResource(wrong)
                                        .build()),
                                Code.INVALID_ARGUMENT)
                        .fields())
                .containsExactly("resource.data.spec.genre");
    }

    private Resource write(Resource resource, String... mask) {
        return fixture.stub
                .write(WriteRequest.newBuilder()
                        .setResource(resource)
                        .setUpdateMask(FieldMask.newBuilder().addAllPaths(Arrays.asList(mask)))
                        .build())
                .getResource();
    }

    @Test
    void aMaskLimitsTheWriteToItsFields() {
        fixture.write(artist("miles").toBuilder()
                .setData(spec("name", "miles", "members", 5, "place", struct("city", "Alton", "country", "US")))
                .putLabels("l", "1")
                .putMetadata("m", "1")
                .build());
        Resource bare = Resource.newBuilder().setId(id(ARTIST, "miles")).build();
        Resource changed = write(
                bare.toBuilder()
                        .setData(spec("members", 6, "place", struct("city", "Paris")))
                        .putLabels("l", "2")
                        .build(),
                "data.spec.members",
                "data.spec.place.city",
                "labels");
        assertThat(specOf(changed, "name")).isEqualTo("miles");
        assertThat(specOf(changed, "members")).isEqualTo("6.0");
        assertThat(changed.getLabelsMap()).containsEntry("l", "2");
        assertThat(changed.getMetadataMap()).containsEntry("m", "1");
        assertThat(changed.toString()).contains("Paris", "US").doesNotContain("Alton");
        Resource removed = write(bare, "data.spec.members", "metadata");
        assertThat(specOf(removed, "members")).isEmpty();
        assertThat(removed.getMetadataMap()).isEmpty();
        assertThat(removed.getLabelsMap()).containsEntry("l", "2");
        assertThat(write(bare, "data").hasData()).isFalse();
        for (String wrong : List.of("status", "owner", "id", "data.", "labels.l")) {
            assertThat(refused(() -> write(bare, wrong), Code.INVALID_ARGUMENT).fields())
                    .containsExactly("update_mask");
        }
    }

    @Test
    void largeWholeNumbersSurviveAWriteOfWhatWasRead() {
        Resource written = fixture.write(artist("miles"));
        var client = fixture.engine.client();
        var kind = dev.evenkeel.client.Kind.generic("demo.example.com", "v1", "Artist", "artists", true);
        client.patch(
                kind,
                dev.evenkeel.client.ObjectKey.of("default", "miles"),
                dev.evenkeel.client.Patch.merge("{\"spec\":{\"members\":9007199254740993}}"),
                dev.evenkeel.client.WriteOptions.DEFAULT);
        Resource read = fixture.read(written.getId());
        assertThat(specOf(read, "members")).isEqualTo("9007199254740993");
        Resource again = fixture.write(read.toBuilder().putLabels("l", "1").build());
        assertThat(specOf(again, "members")).isEqualTo("9007199254740993");
    }

    @Test
    void theOwnerIsSetOnceAndMustExist() {
        ID missing = id(ARTIST, "missing");
        Resource.Builder album = Resource.newBuilder().setId(id(ALBUM, "blue")).setData(spec("name", "blue"));
        assertThat(refused(() -> fixture.write(album.clone().setOwner(missing).build()), Code.INVALID_ARGUMENT)
                        .message())
                .startsWith("resource.owner does not exist");
        Resource artist = fixture.write(artist("miles"));
        assertThat(refused(
                                () -> fixture.write(album.clone()
                                        .setOwner(artist.getId().toBuilder().setUid("u"))
                                        .build()),
                                Code.INVALID_ARGUMENT)
                        .fields())
                .containsExactly("resource.owner");
        Resource owned =
                fixture.write(album.clone().setOwner(id(ARTIST, "miles")).build());
        assertThat(owned.getOwner()).isEqualTo(artist.getId());
        // an apply without the uid can be repeated
        assertThat(fixture.write(album.clone().setOwner(id(ARTIST, "miles")).build()))
                .isEqualTo(owned);
        Resource other = fixture.write(artist("ella"));
        for (Resource change : List.of(
                owned.toBuilder().clearOwner().build(),
                owned.toBuilder().setOwner(other.getId()).build(),
                owned.toBuilder()
                        .setOwner(owned.getOwner().toBuilder().setUid("u"))
                        .build(),
                artist.toBuilder().setOwner(other.getId()).build())) {
            assertThat(refused(() -> fixture.write(change), Code.INVALID_ARGUMENT)
                            .message())
                    .isEqualTo("owner cannot be changed");
        }
        fixture.withNamespace("default", "elsewhere");
        assertThat(refused(
                                () -> fixture.write(Resource.newBuilder()
                                        .setId(id(ALBUM, "default", "elsewhere", "x"))
                                        .setOwner(artist.getId())
                                        .build()),
                                Code.INVALID_ARGUMENT)
                        .fields())
                .containsExactly("resource.owner.tenancy.namespace");
        Resource label =
                fixture.write(Resource.newBuilder().setId(id(LABEL, "prestige")).build());
        Resource signed =
                fixture.write(artist("john").toBuilder().setOwner(label.getId()).build());
        assertThat(signed.getOwner().getTenancy()).isEqualTo(tenancy("default", ""));
    }

    private Resource apply(String manager, boolean force, Resource resource) {
        return fixture.stub
                .apply(ApplyRequest.newBuilder()
                        .setResource(resource)
                        .setManager(manager)
                        .setForce(force)
                        .build())
                .getResource();
    }

    @Test
    void applyMergesTheFieldsOfManagers() {
        Resource.Builder bare = Resource.newBuilder().setId(id(ARTIST, "miles"));
        apply(
                "one",
                false,
                bare.clone().setData(spec("name", "miles", "members", 5)).build());
        Resource both =
                apply("two", false, bare.clone().setData(spec("genre", "JAZZ")).build());
        assertThat(specOf(both, "name")).isEqualTo("miles");
        assertThat(specOf(both, "genre")).isEqualTo("JAZZ");
        Fixture.Refusal conflict = refused(
                () -> apply(
                        "two", false, bare.clone().setData(spec("members", 6)).build()),
                Code.FAILED_PRECONDITION);
        assertThat(conflict.reason()).isEqualTo("FIELD_MANAGER_CONFLICT");
        Resource forced =
                apply("two", true, bare.clone().setData(spec("members", 6)).build());
        assertThat(specOf(forced, "members")).isEqualTo("6.0");
        assertThat(specOf(forced, "genre")).isEmpty();
        assertThat(apply("two", false, bare.clone().setData(spec("members", 6)).build()))
                .isEqualTo(forced);
        assertThat(refused(() -> apply("", false, bare.build()), Code.INVALID_ARGUMENT)
                        .fields())
                .containsExactly("manager");
    }

    @Test
    void applyComparesVersionAndUid() {
        Resource.Builder bare = Resource.newBuilder().setId(id(ARTIST, "miles"));
        refused(() -> apply("one", false, bare.clone().setVersion("7").build()), Code.ABORTED);
        refused(
                () -> apply(
                        "one",
                        false,
                        bare.clone().setId(bare.getId().toBuilder().setUid("u")).build()),
                Code.NOT_FOUND);
        Resource stored = fixture.write(artist("miles"));
        refused(() -> apply("one", false, bare.clone().setVersion("1").build()), Code.ABORTED);
        refused(
                () -> apply(
                        "one",
                        false,
                        bare.clone().setId(bare.getId().toBuilder().setUid("u")).build()),
                Code.FAILED_PRECONDITION);
        Resource applied = apply(
                "one",
                false,
                bare.clone()
                        .setId(stored.getId())
                        .setVersion(stored.getVersion())
                        .setData(spec("genre", "JAZZ"))
                        .build());
        assertThat(specOf(applied, "genre")).isEqualTo("JAZZ");
    }

    @Test
    void aStreamOfWritesAnswersEachInOrder() throws Exception {
        List<WriteManyResponse> answers = new ArrayList<>();
        CompletableFuture<Void> end = new CompletableFuture<>();
        StreamObserver<WriteRequest> requests = ResourceServiceGrpc.newStub(fixture.channel(""))
                .writeMany(new StreamObserver<>() {
                    @Override
                    public void onNext(WriteManyResponse answer) {
                        answers.add(answer);
                    }

                    @Override
                    public void onError(Throwable problem) {
                        end.completeExceptionally(problem);
                    }

                    @Override
                    public void onCompleted() {
                        end.complete(null);
                    }
                });
        for (int i = 0; i < 200; i++) {
            Resource resource = artist(i == 100 ? "No" : "a" + i);
            requests.onNext(WriteRequest.newBuilder().setResource(resource).build());
        }
        requests.onCompleted();
        end.get(120, TimeUnit.SECONDS);
        assertThat(answers).hasSize(200);
        for (int i = 0; i < 200; i++) {
            assertThat(answers.get(i).getIndex()).isEqualTo(i);
            assertThat(answers.get(i).hasError()).isEqualTo(i == 100);
        }
        assertThat(answers.get(100).getError().getCode()).isEqualTo(Code.INVALID_ARGUMENT.getNumber());
        assertThat(fixture.read(id(ARTIST, "a199"))).isEqualTo(answers.get(199).getResource());
    }

    @Test
    void builtInKindsAreStructs() {
        Any data = Any.pack(Struct.newBuilder()
                .putAllFields(struct("data", struct("k", "v")).getFieldsMap())
                .build());
        Resource map = fixture.write(
                Resource.newBuilder().setId(id(CONFIG_MAP, "m")).setData(data).build());
        assertThat(map.getData()).isEqualTo(data);
        assertThat(map.getGeneration()).isEmpty();
        assertThat(refused(
                                () -> fixture.write(map.toBuilder()
                                        .setData(Any.pack(struct("metadata", struct("name", "x"))))
                                        .build()),
                                Code.INVALID_ARGUMENT)
                        .fields())
                .containsExactly("resource.data.metadata");
    }
}
