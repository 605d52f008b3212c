package dev.evenkeel.grpc;

import static dev.evenkeel.grpc.Fixture.ALBUM;
import static dev.evenkeel.grpc.Fixture.ARTIST;
import static dev.evenkeel.grpc.Fixture.LABEL;
import static dev.evenkeel.grpc.Fixture.artist;
import static dev.evenkeel.grpc.Fixture.id;
import static dev.evenkeel.grpc.Fixture.refused;
import static dev.evenkeel.grpc.Fixture.spec;
import static dev.evenkeel.grpc.Fixture.tenancy;
import static dev.evenkeel.grpc.Fixture.type;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.evenkeel.access.internal.Authentication;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Tokens;
import dev.evenkeel.engine.spi.Authorizer.Decision;
import dev.evenkeel.grpc.resource.v1.ApplyRequest;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.ListByOwnerRequest;
import dev.evenkeel.grpc.resource.v1.ListRequest;
import dev.evenkeel.grpc.resource.v1.MutateAndValidateRequest;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc.ResourceServiceBlockingStub;
import dev.evenkeel.grpc.resource.v1.Status;
import dev.evenkeel.grpc.resource.v1.TypesRequest;
import dev.evenkeel.grpc.resource.v1.WatchEvent;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import dev.evenkeel.grpc.resource.v1.WriteStatusRequest;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Credentials and permissions: consul.md 2.10, and what its calls leak. */
class AccessTest {
    /** The verbs that jane may use, as {@code verb resource namespace}. */
    private final Set<String> permitted = ConcurrentHashMap.newKeySet();

    private final Fixture fixture = Fixture.start(
                    Engine.builder()
                            .executor(Runnable::run)
                            .authorization(Authorization.RBAC)
                            .authorizer(request -> permitted.contains(
                                            request.verb() + " " + request.resourcePath() + " " + request.namespace())
                                    ? Decision.allow("")
                                    : Decision.NO_OPINION)
                            .build(),
                    builder -> builder.token("root", User.ADMIN)
                            .token("jane", User.of("jane", "devs"))
                            .limits(GrpcServer.Limits.DEFAULT.watches(
                                    Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofMillis(20))))
            .withDemo();
    private final ResourceServiceBlockingStub jane = fixture.stub("jane");

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static Map<String, Consumer<ResourceServiceBlockingStub>> calls() {
        Map<String, Consumer<ResourceServiceBlockingStub>> calls = new LinkedHashMap<>();
        calls.put(
                "get",
                stub -> stub.read(
                        ReadRequest.newBuilder().setId(id(ARTIST, "a")).build()));
        calls.put(
                "update",
                stub -> stub.write(
                        WriteRequest.newBuilder().setResource(artist("a")).build()));
        calls.put(
                "update ",
                stub -> stub.mutateAndValidate(MutateAndValidateRequest.newBuilder()
                        .setResource(artist("a"))
                        .build()));
        calls.put(
                "patch",
                stub -> stub.apply(ApplyRequest.newBuilder()
                        .setResource(artist("a"))
                        .setManager("m")
                        .build()));
        calls.put(
                "delete",
                stub -> stub.delete(
                        DeleteRequest.newBuilder().setId(id(ARTIST, "a")).build()));
        calls.put(
                "list",
                stub -> stub.list(ListRequest.newBuilder().setType(ARTIST).build()));
        calls.put(
                "watch",
                stub -> stub.watchList(
                                WatchListRequest.newBuilder().setType(ARTIST).build())
                        .next());
        calls.put(
                "get ",
                stub -> stub.listByOwner(ListByOwnerRequest.newBuilder()
                        .setOwner(id(ARTIST, "a").toBuilder().setUid("u"))
                        .build()));
        calls.put(
                "update/status",
                stub -> stub.writeStatus(WriteStatusRequest.newBuilder()
                        .setId(id(ARTIST, "a").toBuilder().setUid("u"))
                        .setKey("k")
                        .setStatus(Status.newBuilder().setObservedGeneration("1"))
                        .build()));
        return calls;
    }

    @TestFactory
    Stream<DynamicTest> everyCallNeedsAKnownUserAndAPermission() {
        return calls().entrySet().stream()
                .map(call -> DynamicTest.dynamicTest(call.getKey(), () -> {
                    for (String token : List.of("", "wrong", "a.b.c", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.")) {
                        assertThat(refused(() -> call.getValue().accept(fixture.stub(token)), Code.UNAUTHENTICATED)
                                        .reason())
                                .isEqualTo("Unauthorized");
                    }
                    Fixture.Refusal absent = refused(() -> call.getValue().accept(jane), Code.PERMISSION_DENIED);
                    assertThat(absent.message())
                            .contains("User \"jane\" cannot "
                                    + call.getKey().strip().split("/", -1)[0] + " resource \"artists");
                    // existing or not, the answer is the same
                    fixture.write(artist("a"));
                    assertThat(refused(() -> call.getValue().accept(jane), Code.PERMISSION_DENIED))
                            .isEqualTo(absent);
                }));
    }

    @Test
    void typesNeedCredentialsOnly() {
        refused(() -> fixture.stub("").types(TypesRequest.getDefaultInstance()), Code.UNAUTHENTICATED);
        assertThat(jane.types(TypesRequest.getDefaultInstance()).getTypesList()).isNotEmpty();
    }

    @Test
    void anAbsentPartitionLooksLikeOneWithoutPermissions() {
        ReadRequest absent = ReadRequest.newBuilder()
                .setId(id(type("", "v1", "ConfigMap"), "none", "default", "a"))
                .build();
        Fixture.Refusal one = refused(() -> jane.read(absent), Code.PERMISSION_DENIED);
        fixture.engine.partition("none");
        assertThat(refused(() -> jane.read(absent), Code.PERMISSION_DENIED)).isEqualTo(one);
    }

    @Test
    void validationIsNoOracleForThoseWithoutPermission() {
        Resource wrong = artist("a").toBuilder().setData(spec("genre", "NOISE")).build();
        refused(() -> jane.write(WriteRequest.newBuilder().setResource(wrong).build()), Code.PERMISSION_DENIED);
    }

    @Test
    void writeNeedsCreateForNewAndUpdateForOldResources() {
        WriteRequest request =
                WriteRequest.newBuilder().setResource(artist("a")).build();
        permitted.add("update artists default");
        refused(() -> jane.write(request), Code.PERMISSION_DENIED);
        permitted.clear();
        permitted.add("create artists default");
        jane.write(request);
        WriteRequest change = WriteRequest.newBuilder()
                .setResource(artist("a").toBuilder().setData(spec("name", "x")))
                .build();
        refused(() -> jane.write(change), Code.PERMISSION_DENIED);
        permitted.add("update artists default");
        jane.write(change);
    }

    @Test
    void anOwnerMustBeReadable() {
        Resource owner = fixture.write(artist("a"));
        permitted.addAll(List.of("create albums default", "update albums default"));
        WriteRequest request = WriteRequest.newBuilder()
                .setResource(Resource.newBuilder().setId(id(ALBUM, "b")).setOwner(owner.getId()))
                .build();
        assertThat(refused(() -> jane.write(request), Code.INVALID_ARGUMENT).fields())
                .containsExactly("resource.owner");
        permitted.add("get artists default");
        jane.write(request);
        ListByOwnerRequest children =
                ListByOwnerRequest.newBuilder().setOwner(owner.getId()).build();
        assertThat(jane.listByOwner(children).getResourcesList()).isEmpty();
        permitted.add("list albums default");
        assertThat(jane.listByOwner(children).getResourcesList()).hasSize(1);
    }

    @Test
    void wildcardsNeedThePermissionForAll() {
        permitted.addAll(List.of("list artists default", "watch artists default"));
        jane.list(ListRequest.newBuilder().setType(ARTIST).build());
        for (var scope : List.of(tenancy("default", "*"), tenancy("*", "default"))) {
            boolean namespaces = scope.getNamespace().equals("*");
            fixture.engine.partition("other");
            ListRequest request =
                    ListRequest.newBuilder().setType(ARTIST).setTenancy(scope).build();
            if (namespaces) {
                refused(() -> jane.list(request), Code.PERMISSION_DENIED);
                permitted.add("list artists ");
            }
            jane.list(request);
        }
        refused(
                () -> jane.list(ListRequest.newBuilder()
                        .setType(LABEL)
                        .setTenancy(tenancy("*", "*"))
                        .build()),
                Code.PERMISSION_DENIED);
    }

    @Test
    void aLostPermissionIsADeleteOfEverything() {
        permitted.add("watch artists default");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            fixture.write(artist("a" + i));
            names.add("a" + i);
        }
        Watcher watcher = fixture.keep(new Watcher(
                fixture.channel("jane"),
                WatchListRequest.newBuilder().setType(ARTIST).build(),
                Integer.MAX_VALUE));
        watcher.snapshot();
        permitted.clear();
        List<String> deleted = new ArrayList<>();
        Fixture.Refusal refusal = refused(
                () -> {
                    while (true) {
                        WatchEvent event = next(watcher);
                        Resource gone = event.getDelete().getResource();
                        assertThat(gone.hasData()).isFalse();
                        deleted.add(gone.getId().getName());
                    }
                },
                Code.PERMISSION_DENIED);
        assertThat(deleted).containsExactlyElementsOf(names);
        assertThat(refusal.reason()).isEqualTo("PERMISSION_LOST");
    }

    private static WatchEvent next(Watcher watcher) throws Throwable {
        return watcher.take(1).getFirst();
    }

    @Test
    void aPermissionThatIsLostWithAChangeHidesTheChange() {
        permitted.add("watch artists default");
        Fixture own = fixture.keep(Fixture.start(
                fixture.engine, builder -> builder.token("root", User.ADMIN).token("jane", User.of("jane", "devs"))));
        Watcher watcher = own.keep(new Watcher(
                own.channel("jane"),
                WatchListRequest.newBuilder().setType(ARTIST).build(),
                Integer.MAX_VALUE));
        watcher.snapshot();
        permitted.clear();
        fixture.write(artist("secret"));
        refused(watcher::end, Code.PERMISSION_DENIED);
    }

    @Test
    void anotherUserIsImpersonatedWithPermission() {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("impersonate-user", Metadata.ASCII_STRING_MARSHALLER), "jane");
        ReadRequest request = ReadRequest.newBuilder().setId(id(ARTIST, "a")).build();
        fixture.write(artist("a"));
        ResourceServiceBlockingStub root = ResourceServiceGrpc.newBlockingStub(fixture.channel("root"))
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        assertThat(refused(() -> root.read(request), Code.PERMISSION_DENIED).message())
                .contains("User \"jane\" cannot get");
        permitted.add("get artists default");
        root.read(request);
        ResourceServiceBlockingStub other = jane.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        refused(() -> other.read(request), Code.PERMISSION_DENIED);
    }

    @Test
    void tokensOfAPartitionAreValidThereOnly() {
        try (Fixture http = Fixture.start(
                Engine.builder().authorization(Authorization.RBAC).build(),
                builder -> builder.token("t", User.ADMIN))) {
            String token = accountToken(http.engine);
            TypesRequest types = TypesRequest.getDefaultInstance();
            http.engine.partition("other");
            http.stub(token).types(types);
            refused(
                    () -> http.stub(token)
                            .types(types.toBuilder()
                                    .setTenancy(tenancy("other", ""))
                                    .build()),
                    Code.UNAUTHENTICATED);
            ListRequest all = ListRequest.newBuilder()
                    .setType(type("", "v1", "ConfigMap"))
                    .setTenancy(tenancy("*", "default"))
                    .build();
            refused(() -> http.stub(token).list(all), Code.PERMISSION_DENIED);
        }
    }

    /** Returns a token of the service account of the default partition, as the other API issues it. */
    private static String accountToken(Engine engine) {
        ResourceApi partition = ResourceApi.of(engine.partition("default"));
        Authentication authentication = new Authentication(new Authentication.Settings(
                Map.of(), "", List.of(), false, Tokens.AUDIENCE, java.time.Clock.systemUTC()));
        WriteOptions options = WriteOptions.of("test");
        WriteOptions sent = new WriteOptions(
                "test",
                false,
                options.validation(),
                false,
                options.fence(),
                new Requester(User.ADMIN, authentication.tokens(partition)));
        Target account = partition.types().kind("v1", "ServiceAccount").orElseThrow();
        Target target = new Target(account.type(), account.version(), "default", "default", "token");
        Reply reply = partition.create(target, Body.json("{\"spec\":{}}"), sent);
        return ((Reply.Shown) reply).document().tree().string("status", "token");
    }
}
