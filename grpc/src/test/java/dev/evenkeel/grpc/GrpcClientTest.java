package dev.evenkeel.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.evenkeel.client.BadRequestException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.RequestTooLargeException;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.TooManyRequestsException;
import dev.evenkeel.client.UnauthorizedException;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.spi.Authorizer.Decision;
import dev.evenkeel.grpc.resource.v1.Condition;
import dev.evenkeel.grpc.resource.v1.CreateObjectRequest;
import dev.evenkeel.grpc.resource.v1.GetObjectRequest;
import dev.evenkeel.grpc.resource.v1.LeaseFence;
import dev.evenkeel.grpc.resource.v1.ListObjectsRequest;
import dev.evenkeel.grpc.resource.v1.ObjectCollection;
import dev.evenkeel.grpc.resource.v1.ObjectServiceGrpc;
import dev.evenkeel.grpc.resource.v1.ObjectServiceGrpc.ObjectServiceBlockingStub;
import dev.evenkeel.grpc.resource.v1.ObjectWriteOptions;
import dev.evenkeel.grpc.resource.v1.PatchObjectRequest;
import dev.evenkeel.grpc.resource.v1.PatchObjectRequest.PatchType;
import dev.evenkeel.grpc.resource.v1.Reference;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.WatchObjectsRequest;
import dev.evenkeel.protobuf.ProtobufObject;
import dev.evenkeel.protobuf.ProtobufType;
import dev.evenkeel.protobuf.StatusPart;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client against a server: what the contract of clients leaves open. */
@Timeout(300)
class GrpcClientTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Kind<GenericKubernetesResource> ARTISTS =
            Kind.generic("demo.example.com", "v1", "Artist", "artists", true);
    private static final ObjectCollection COLLECTION = ObjectCollection.newBuilder()
            .setVersion("v1")
            .setPlural("configmaps")
            .setNamespace("default")
            .build();

    private final Fixture fixture = Fixture.start();
    private final GrpcClient client = client(fixture, builder -> builder);

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static GrpcClient client(Fixture fixture, UnaryOperator<GrpcClient.Builder> settings) {
        return fixture.keep(
                settings.apply(GrpcClient.builder(fixture.server.target()).tls(false))
                        .build());
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("k", "v")
                .build();
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    // --- the same objects

    @Test
    void objectsAreThoseOfTheResourceService() {
        fixture.withDemo();
        fixture.write(Fixture.artist("nina"));

        GenericKubernetesResource artist = client.get(ARTISTS, key("nina"));
        artist.<Map<String, Object>>get("spec").put("genre", "JAZZ");
        GenericKubernetesResource updated = client.update(ARTISTS, artist, WriteOptions.DEFAULT);

        Resource resource = fixture.read(Fixture.id(Fixture.ARTIST, "nina"));
        assertThat(Fixture.specOf(resource, "genre")).isEqualTo("JAZZ");
        assertThat(resource.getVersion()).isEqualTo(updated.getMetadata().getResourceVersion());
    }

    static final class ConditionObject extends ProtobufObject<Condition> {
        static final Kind<ConditionObject> KIND = ProtobufObject.kind(ConditionObject.class);

        ConditionObject() {
            super(Condition.getDefaultInstance());
        }
    }

    @Test
    void objectsOfProtobufTypesKeepTheirData() throws Exception {
        Fixture own = fixture.keep(Fixture.start(
                Engine.builder()
                        .executor(Runnable::run)
                        .register(
                                ProtobufType.of(Condition.getDefaultInstance()).build())
                        .build(),
                builder -> builder.authentication(false)));
        GrpcClient mine = client(own, builder -> builder);
        Condition data = Condition.newBuilder()
                .setType("Ready")
                .setState(Condition.State.STATE_TRUE)
                .setResource(Reference.newBuilder().setName("a"))
                .build();
        ConditionObject object = new ConditionObject();
        object.getMetadata().setNamespace("default");
        object.getMetadata().setName("c");
        object.data(data);

        ConditionObject created = mine.create(ConditionObject.KIND, object, WriteOptions.DEFAULT);
        created.status("scan", StatusPart.EMPTY.observedGeneration(1).fields(Map.of("documents", 3)));
        mine.updateStatus(ConditionObject.KIND, created, WriteOptions.DEFAULT);

        assertThat(created.data()).isEqualTo(data);
        Resource resource = own.read(Fixture.id(Fixture.type("resource", "v1", "Condition"), "c"));
        assertThat(resource.getData().unpack(Condition.class)).isEqualTo(data);
        assertThat(resource.getStatusOrThrow("scan").getObservedGeneration()).isEqualTo("1");
        try (Watch<ConditionObject> watch = mine.watch(ConditionObject.KIND, ListOptions.in("default"))) {
            assertThat(watch.next().orElseThrow().object().data()).isEqualTo(data);
        }
    }

    @Test
    void warningsArriveWithTheObject() {
        ConfigMap created = client.create(MAPS.in(Encoded.class), Encoded.of("""
                        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"default","name":"a"},"colour":"red"}""".getBytes(UTF_8)), WriteOptions.DEFAULT)
                .decode(ConfigMap.class);
        assertThat(created.getMetadata().getName()).isEqualTo("a");
        assertThat(objects()
                        .create(CreateObjectRequest.newBuilder()
                                .setCollection(COLLECTION)
                                .setObject(
                                        ByteString.copyFromUtf8("{\"metadata\":{\"name\":\"b\"},\"colour\":\"red\"}"))
                                .build())
                        .getWarningsList())
                .containsExactly("unknown field \"colour\"");
    }

    // --- partitions

    @Test
    void eachClientHasOnePartition() {
        GrpcClient team = client(fixture, builder -> builder.partition("team-a"));
        assertThatThrownBy(() -> team.create(map("a")))
                .isInstanceOf(NotFoundException.class)
                .hasMessageContaining("partition \"team-a\" not found");
        fixture.engine.partition("team-a");
        team.create(map("a"));

        assertThat(team.list(MAPS, ListOptions.ALL).items()).hasSize(1);
        assertThat(client.list(MAPS, ListOptions.in("default")).items()).isEmpty();
        assertThat(fixture.engine.partition("team-a").client("test").find(MAPS, key("a")))
                .isPresent();
        assertThatThrownBy(() ->
                        client(fixture, builder -> builder.partition("Team A")).list(MAPS, ListOptions.ALL))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("collection.partition: \"Team A\"");
    }

    // --- lists

    @Test
    void aListLargerThanAResponseIsReadInParts() {
        Fixture small = fixture.keep(Fixture.start(
                Engine.builder().executor(Runnable::run).build(),
                builder -> builder.authentication(false).limits(GrpcServer.Limits.DEFAULT.bytes(1 << 20, 2000))));
        GrpcClient own = client(small, builder -> builder);
        List<ConfigMap> created = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            ConfigMap map = map("m" + (10 + i));
            map.getData().put("large", "x".repeat(i % 7 == 0 ? 3000 : 300));
            created.add(own.create(map));
        }

        for (ListOptions options : List.of(ListOptions.in("default"), ListOptions.ALL.resourceVersion("0"))) {
            Listing<ConfigMap> all = own.list(MAPS, options);
            assertThat(all.items().stream().filter(map -> map.getData().containsKey("large")))
                    .containsExactlyElementsOf(created);
            assertThat(all.continueToken()).isEmpty();
        }
        Listing<ConfigMap> page = own.list(MAPS, ListOptions.in("default").limit(25));
        assertThat(page.items()).hasSizeLessThan(25);
        assertThat(page.continueToken()).isNotEmpty();
    }

    // --- access

    @Test
    void credentialsAreThoseOfTheServer() {
        Set<String> permitted = ConcurrentHashMap.newKeySet();
        Fixture own = fixture.keep(Fixture.start(
                Engine.builder()
                        .executor(Runnable::run)
                        .authorization(Authorization.RBAC)
                        .authorizer(request -> permitted.contains(
                                        request.user().name() + " " + request.verb() + " " + request.resource())
                                ? Decision.allow("")
                                : Decision.NO_OPINION)
                        .build(),
                builder -> builder.token("root", User.ADMIN).token("jane", User.of("jane"))));
        GrpcClient root = client(own, builder -> builder.token("root"));
        GrpcClient jane = client(own, builder -> builder.token("jane"));
        root.create(map("a"));

        assertThatThrownBy(() -> client(own, builder -> builder).list(MAPS, ListOptions.ALL))
                .isInstanceOf(UnauthorizedException.class);
        assertThatThrownBy(() -> client(own, builder -> builder.token("wrong")).watch(MAPS, ListOptions.ALL))
                .isInstanceOf(UnauthorizedException.class);
        assertThat(catchThrowableOfType(ForbiddenException.class, () -> jane.find(MAPS, key("a"))))
                .hasMessage(
                        "configmaps \"a\" is forbidden: User \"jane\" cannot get resource \"configmaps\" in API group"
                                + " \"\" in the namespace \"default\"");
        permitted.add("jane get configmaps");
        assertThat(jane.find(MAPS, key("a"))).isPresent();
        assertThatThrownBy(() -> client(own, builder -> builder.token("root").impersonate("ella", List.of("devs")))
                        .find(MAPS, key("a")))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining("User \"ella\" cannot get");
        assertThatThrownBy(() -> client(own, builder -> builder.token("jane").partition("absent"))
                        .find(MAPS, key("a")))
                .isInstanceOf(ForbiddenException.class);
    }

    @Test
    void everyCallNeedsAKnownUserAndAPermission() {
        Fixture own = fixture.keep(Fixture.start(
                Engine.builder()
                        .executor(Runnable::run)
                        .authorization(Authorization.RBAC)
                        .build(),
                builder -> builder.token("root", User.ADMIN).token("jane", User.of("jane"))));
        client(own, builder -> builder.token("root")).create(map("a"));
        GrpcClient jane = client(own, builder -> builder.token("jane"));
        GrpcClient anyone = client(own, builder -> builder);
        Kind<Deployment> scalable = Kind.of(Deployment.class);
        WriteOptions options = WriteOptions.DEFAULT;
        for (Consumer<Client> call : List.<Consumer<Client>>of(
                client -> client.find(MAPS, key("a")),
                client -> client.list(MAPS, ListOptions.in("default")),
                client -> client.watch(MAPS, ListOptions.in("default")),
                client -> client.create(map("b")),
                client -> client.update(map("a")),
                client -> client.patch(MAPS, key("a"), Patch.merge("{}"), options),
                client -> client.patchStatus(scalable, key("a"), Patch.merge("{}"), options),
                client -> client.apply(map("a"), options),
                client -> client.scale(scalable, key("a")),
                client -> client.scale(scalable, key("a"), 3, options),
                client -> client.delete(map("a")),
                client -> client.deleteAll(MAPS, ListOptions.in("default"), DeleteOptions.DEFAULT))) {
            assertThatThrownBy(() -> call.accept(jane)).isInstanceOf(ForbiddenException.class);
            assertThatThrownBy(() -> call.accept(anyone)).isInstanceOf(UnauthorizedException.class);
        }
        assertThat(own.engine.client().list(MAPS, ListOptions.in("default")).items())
                .hasSize(1);
    }

    @Test
    void aLostPermissionEndsAWatch() throws InterruptedException {
        Set<String> permitted = ConcurrentHashMap.newKeySet();
        permitted.add("watch");
        Fixture own = fixture.keep(Fixture.start(
                Engine.builder()
                        .executor(Runnable::run)
                        .authorization(Authorization.RBAC)
                        .authorizer(request ->
                                permitted.contains(request.verb()) ? Decision.allow("") : Decision.NO_OPINION)
                        .build(),
                builder -> builder.token("root", User.ADMIN)
                        .token("jane", User.of("jane"))
                        .limits(GrpcServer.Limits.DEFAULT.watches(
                                Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofMillis(20)))));
        GrpcClient jane = client(own, builder -> builder.token("jane"));
        ListOptions options = ListOptions.in("default").sendInitialEvents(true);
        try (Watch<ConfigMap> changed = jane.watch(MAPS, options);
                Watch<ConfigMap> idle = jane.watch(MAPS, options)) {
            assertThat(changed.next().orElseThrow().initialEventsEnd()).isTrue();
            assertThat(idle.next().orElseThrow().initialEventsEnd()).isTrue();
            permitted.clear();
            client(own, builder -> builder.token("root")).create(map("secret"));
            assertThatThrownBy(changed::next).isInstanceOf(ForbiddenException.class);
            assertThatThrownBy(idle::next).isInstanceOf(ForbiddenException.class);
            assertThat(changed.next()).isEmpty();
        }
    }

    @Test
    void aClientCertificateIsAUser(@TempDir Path directory) throws Exception {
        KeyStore keys = keys(directory.resolve("keys"));
        String authority =
                pem("CERTIFICATE", requireNonNull(keys.getCertificate("ca")).getEncoded());
        String certificate =
                pem("CERTIFICATE", requireNonNull(keys.getCertificate("ann")).getEncoded());
        String key =
                pem("PRIVATE KEY", keys.getKey("ann", PASSWORD.toCharArray()).getEncoded());
        CertificateAuthority others =
                CertificateAuthority.create("others", Clock.systemUTC().instant(), Duration.ofDays(1));
        ServerCertificate other =
                others.issue("root", List.of("localhost"), Clock.systemUTC().instant(), Duration.ofDays(1));
        try (Engine engine = Engine.builder().executor(Runnable::run).build();
                GrpcServer server =
                        GrpcServer.builder(engine).clientCa(authority).start();
                GrpcClient ann = GrpcClient.builder(server.target())
                        .ca(server.caCertificate())
                        .clientCertificate(certificate, key)
                        .build();
                GrpcClient unknown = GrpcClient.builder(server.target())
                        .ca(server.caCertificate())
                        .clientCertificate(other.certificatePem(), other.keyPem())
                        .build();
                GrpcClient distrustful = GrpcClient.builder(server.target())
                        .retry(RetryPolicy.NONE)
                        .build()) {
            Kind<GenericKubernetesResource> reviews =
                    Kind.generic("authentication.k8s.io", "v1", "SelfSubjectReview", "selfsubjectreviews", false);
            GenericKubernetesResource review = new GenericKubernetesResource();
            review.setApiVersion("authentication.k8s.io/v1");
            review.setKind("SelfSubjectReview");
            GenericKubernetesResource answer = ann.create(reviews, review, WriteOptions.DEFAULT);
            assertThat(answer.<String>get("status", "userInfo", "username")).isEqualTo("ann");
            assertThat(answer.<List<String>>get("status", "userInfo", "groups")).contains("devs");
            assertThatThrownBy(() -> unknown.list(MAPS, ListOptions.ALL)).isInstanceOf(UnauthorizedException.class);
            assertThatThrownBy(() -> distrustful.list(MAPS, ListOptions.ALL))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("unable to find valid certification path");
        }
    }

    private static final String PASSWORD = "changeit";

    /** Creates an authority, and a certificate for clients by it. */
    private static KeyStore keys(Path file) throws Exception {
        keytool(file, "-alias ca -dname CN=ca -ext bc:c");
        keytool(file, "-alias ann -dname CN=ann,O=devs -ext eku=clientAuth -signer ca");
        return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    }

    private static void keytool(Path file, String options) throws Exception {
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> command = new ArrayList<>(List.of(tool, "-genkeypair", "-keyalg", "EC", "-storepass", PASSWORD));
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", file.toString()));
        command.addAll(List.of(options.split(" ")));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + label
                + "-----\n";
    }

    @Test
    void wrongSettingsAreRefused() {
        assertThatThrownBy(() -> GrpcClient.builder(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("target: ");
        assertThatThrownBy(() -> GrpcClient.builder("unknown://x").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown://x");
        assertThatThrownBy(() -> GrpcClient.builder("h:1").ca("no PEM").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("h:1");
        assertThatThrownBy(() ->
                        GrpcClient.builder("h:1").clientCertificate("c", "").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs its key");
        assertThatThrownBy(() -> GrpcClient.builder("h:1").tls(false).ca("pem").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("need TLS");
        assertThatThrownBy(() -> GrpcClient.builder("dns:///example.com:8502")
                        .tls(false)
                        .token("t")
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unencrypted");
        assertThatThrownBy(() -> GrpcClient.builder("h:1").requestTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("requestTimeout");
        GrpcClient.builder("[::1]:8502").tls(false).token("t").build().close();
    }

    // --- watches

    @Test
    void theEndOfTheServerEndsWatchesNormally() throws InterruptedException {
        Watch<ConfigMap> watch = client.watch(MAPS, ListOptions.in("default").sendInitialEvents(true));
        assertThat(watch.next().orElseThrow().initialEventsEnd()).isTrue();
        fixture.server.close();
        assertThat(watch.next()).isEmpty();
        assertThat(watch.ready()).isTrue();
    }

    @Test
    void theEndOfTheClientEndsItsWatches() throws InterruptedException {
        Watch<ConfigMap> watch = client.watch(MAPS, ListOptions.in("default"));
        client.close();
        assertThat(watch.next()).isEmpty();
        fixture.awaitWatches(0);
        assertThatThrownBy(() -> client.watch(MAPS, ListOptions.ALL)).isInstanceOf(ConnectionException.class);
    }

    @Test
    void aClosedWatchIsGoneFromTheServer() {
        Watch<ConfigMap> watch = client.watch(MAPS, ListOptions.in("default"));
        fixture.awaitWatches(1);
        watch.close();
        fixture.awaitWatches(0);
    }

    /** Cannot show a config map. */
    static final class Misfit implements HasMetadata {
        @JsonProperty
        int data;

        private ObjectMeta metadata = new ObjectMeta();

        @Override
        public ObjectMeta getMetadata() {
            return metadata;
        }

        @Override
        public void setMetadata(ObjectMeta value) {
            metadata = value;
        }

        @Override
        public void setApiVersion(String version) {}
    }

    @Test
    void anObjectThatDoesNotFitItsClassEndsTheWatch() throws InterruptedException {
        client.create(map("a"));
        Watch<Misfit> watch = client.watch(MAPS.in(Misfit.class), ListOptions.in("default"));
        assertThatThrownBy(watch::next)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at data");
        assertThat(watch.next()).isEmpty();
        fixture.awaitWatches(0);
    }

    @Test
    void idleWatchesGetBookmarks() throws InterruptedException {
        Fixture own = fixture.keep(Fixture.start(
                Engine.builder().executor(Runnable::run).build(),
                builder -> builder.authentication(false)
                        .limits(GrpcServer.Limits.DEFAULT.watches(
                                Duration.ofSeconds(30), Duration.ofMillis(20), Duration.ofMinutes(1)))));
        GrpcClient mine = client(own, builder -> builder);
        String version = mine.list(MAPS, ListOptions.ALL).resourceVersion();
        try (Watch<PartialObjectMetadata> watch =
                mine.watch(MAPS.metadataOnly(), ListOptions.in("default").resourceVersion(version))) {
            Watch.Event<PartialObjectMetadata> bookmark = watch.next().orElseThrow();
            assertThat(bookmark.type()).isEqualTo(Watch.Type.BOOKMARK);
            assertThat(bookmark.initialEventsEnd()).isFalse();
            assertThat(bookmark.object().getMetadata().getResourceVersion()).isEqualTo(bookmark.resourceVersion());
        }
    }

    @Test
    void aSlowReaderIsDisconnectedAndContinues() throws InterruptedException {
        Fixture own = fixture.keep(Fixture.start(
                Engine.builder().executor(Runnable::run).build(),
                builder -> builder.authentication(false)
                        .limits(GrpcServer.Limits.DEFAULT.watches(
                                Duration.ofMillis(100), Duration.ofMinutes(1), Duration.ofMinutes(1)))));
        GrpcClient mine = client(own, builder -> builder);
        int count = 200;
        for (int i = 0; i < count; i++) {
            ConfigMap map = map("m" + (1000 + i));
            map.getData().put("large", "x".repeat(50_000));
            mine.create(map);
        }
        List<String> seen = new ArrayList<>();
        ListOptions from = ListOptions.in("default");
        try (Watch<ConfigMap> watch = mine.watch(MAPS, from.resourceVersion("1"))) {
            own.awaitWatches(0);
            assertThatThrownBy(() -> {
                        while (true) {
                            seen.add(watch.next().orElseThrow().resourceVersion());
                        }
                    })
                    .isInstanceOf(TooManyRequestsException.class)
                    .hasMessageContaining("took no event for 0 seconds; continue after the resource_version");
        }
        assertThat(seen).isNotEmpty().hasSizeLessThan(count);
        while (seen.size() < count) {
            try (Watch<ConfigMap> watch = mine.watch(MAPS, from.resourceVersion(seen.getLast()))) {
                while (seen.size() < count) {
                    seen.add(watch.next().orElseThrow().resourceVersion());
                }
            } catch (TooManyRequestsException e) {
                continue; // this thread had no processor for too long
            }
        }
        assertThat(seen).doesNotHaveDuplicates();
    }

    @Test
    void tooManyWatchesAreRefused() {
        Fixture own = fixture.keep(Fixture.start(
                Engine.builder().executor(Runnable::run).build(),
                builder -> builder.authentication(false).limits(GrpcServer.Limits.DEFAULT.concurrent(10, 1))));
        GrpcClient mine = client(own, builder -> builder.retry(RetryPolicy.NONE));
        try (Watch<ConfigMap> watch = mine.watch(MAPS, ListOptions.ALL)) {
            assertThatThrownBy(() -> mine.watch(MAPS, ListOptions.ALL))
                    .isInstanceOf(TooManyRequestsException.class)
                    .hasMessageContaining("1 watches open");
            assertThat(watch).isNotNull();
        }
    }

    // --- hostile requests

    private ObjectServiceBlockingStub objects() {
        return ObjectServiceGrpc.newBlockingStub(fixture.channel(""));
    }

    private static GetObjectRequest get(ObjectCollection.Builder collection, String name) {
        return GetObjectRequest.newBuilder()
                .setCollection(collection)
                .setName(name)
                .build();
    }

    @Test
    void wrongRequestsAreRefusedWithTheFieldToFix() {
        ObjectServiceBlockingStub stub = objects();
        refused(() -> stub.get(get(COLLECTION.toBuilder(), "")), "name: must not be empty");
        refused(() -> stub.get(get(COLLECTION.toBuilder(), "a/b")), "name: \"a/b\"");
        refused(() -> stub.get(get(COLLECTION.toBuilder(), "..")), "name: \"..\"");
        refused(() -> stub.get(get(COLLECTION.toBuilder().setNamespace("a/b"), "x")), "collection.namespace: \"a/b\"");
        refused(
                () -> stub.get(get(COLLECTION.toBuilder().clearNamespace(), "x")),
                "collection.namespace: configmaps live in namespaces, and none is given");
        refused(
                () -> stub.get(get(COLLECTION.toBuilder().setPlural("nodes"), "x")),
                "collection.namespace: nodes are cluster-scoped, and \"default\" is given");
        refused(
                () -> stub.get(get(COLLECTION.toBuilder().setPartition("../x"), "x")),
                "collection.partition: \"../x\"");
        refused(
                () -> stub.list(ListObjectsRequest.newBuilder()
                        .setCollection(COLLECTION)
                        .setLimit(-1)
                        .build()),
                "limit: must not be negative: -1");
        refused(
                () -> stub.patch(PatchObjectRequest.newBuilder()
                        .setCollection(COLLECTION)
                        .setName("x")
                        .build()),
                "type: must be a type of patch: 0");
        refused(
                () -> stub.patch(PatchObjectRequest.newBuilder()
                        .setCollection(COLLECTION)
                        .setName("x")
                        .setType(PatchType.PATCH_TYPE_MERGE)
                        .setSubresourceValue(9)
                        .build()),
                "subresource: unknown value 9");
        refused(
                () -> stub.patch(PatchObjectRequest.newBuilder()
                        .setCollection(COLLECTION)
                        .setName("x")
                        .setType(PatchType.PATCH_TYPE_APPLY)
                        .setPatch(ByteString.copyFromUtf8("{}"))
                        .build()),
                "fieldManager: Required value");
        refused(
                () -> stub.create(CreateObjectRequest.newBuilder()
                        .setCollection(COLLECTION)
                        .setOptions(ObjectWriteOptions.newBuilder()
                                .setFence(LeaseFence.newBuilder().setName("l")))
                        .build()),
                "options.fence: a fence needs a lease");
        refused(
                () -> stub.create(CreateObjectRequest.newBuilder()
                        .setCollection(COLLECTION)
                        .setObject(ByteString.copyFromUtf8("[".repeat(100_000)))
                        .build()),
                "");
        refused(
                () -> stub.watch(WatchObjectsRequest.newBuilder()
                                .setCollection(COLLECTION)
                                .setTimeout(com.google.protobuf.Duration.newBuilder()
                                        .setSeconds(-1))
                                .build())
                        .next(),
                "timeout: must not be negative");
        refused(
                () -> stub.watch(WatchObjectsRequest.newBuilder()
                                .setCollection(COLLECTION)
                                .setLabelSelector("a in")
                                .build())
                        .next(),
                "unable to parse requirement");
        assertThat(client.list(MAPS, ListOptions.in("default")).items()).isEmpty();
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
        assertThat(Fixture.refused(call, Code.INVALID_ARGUMENT).message()).contains(message);
    }

    @Test
    void aRequestLargerThanAllowedIsRefused() {
        ConfigMap large = map("a");
        large.getData().put("large", "x".repeat(4 << 20));
        assertThatThrownBy(() -> client.create(large)).isInstanceOf(RequestTooLargeException.class);
    }
}
