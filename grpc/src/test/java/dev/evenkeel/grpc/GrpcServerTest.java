package dev.evenkeel.grpc;

import static dev.evenkeel.grpc.Fixture.artist;
import static dev.evenkeel.grpc.Fixture.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.rpc.Code;
import dev.evenkeel.access.ListenerBuilder;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.grpc.resource.v1.ListRequest;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.TypesRequest;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import dev.evenkeel.server.Server;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The server around the service: transport, health, reflection, limits; and the other API of the same engine. */
class GrpcServerTest {
    private static Engine engine() {
        return Engine.builder().executor(Runnable::run).build();
    }

    private static ManagedChannel tls(GrpcServer server, ChannelCredentials credentials) {
        return Grpc.newChannelBuilder(server.target(), credentials).build();
    }

    private static ByteArrayInputStream bytes(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void listensOnLoopbackWithTlsAndARandomToken() throws Exception {
        try (Engine engine = engine();
                GrpcServer server = GrpcServer.builder(engine).start()) {
            ManagedChannel channel = tls(
                    server,
                    TlsChannelCredentials.newBuilder()
                            .trustManager(bytes(server.caCertificate()))
                            .build());
            var stub = ResourceServiceGrpc.newBlockingStub(channel);
            refused(() -> stub.types(TypesRequest.getDefaultInstance()), Code.UNAUTHENTICATED);
            var interceptor = io.grpc.stub.MetadataUtils.newAttachHeadersInterceptor(Fixture.headers(server.token()));
            assertThat(stub.withInterceptors(interceptor)
                            .types(TypesRequest.getDefaultInstance())
                            .getTypesList())
                    .isNotEmpty();
            assertThat(server.target()).startsWith("127.0.0.1:");
            channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        }
    }

    @Test
    void sharesTheCertificateOfTheOtherServer() throws Exception {
        try (Engine engine = engine();
                Server http = Server.builder(engine).start();
                GrpcServer server = GrpcServer.builder(engine)
                        .certificate(http.certificate().orElseThrow())
                        .token(http.token(), User.ADMIN)
                        .start()) {
            assertThat(server.caCertificate()).isEqualTo(http.caCertificate());
        }
    }

    @Test
    void acceptsClientCertificatesOfItsAuthority() throws Exception {
        CertificateAuthority authority =
                CertificateAuthority.create("clients", Clock.systemUTC().instant(), Duration.ofDays(1));
        ServerCertificate forServers = authority.issue(
                "no client", List.of("localhost"), Clock.systemUTC().instant(), Duration.ofDays(1));
        try (Engine engine = engine();
                GrpcServer server = GrpcServer.builder(engine)
                        .clientCa(authority.certificatePem())
                        .start()) {
            // a certificate for servers does not authenticate a client; the answer is a status, not a broken connection
            ManagedChannel channel = tls(
                    server,
                    TlsChannelCredentials.newBuilder()
                            .trustManager(bytes(server.caCertificate()))
                            .keyManager(bytes(forServers.certificatePem()), bytes(forServers.keyPem()))
                            .build());
            refused(
                    () -> ResourceServiceGrpc.newBlockingStub(channel).types(TypesRequest.getDefaultInstance()),
                    Code.UNAUTHENTICATED);
            channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        }
    }

    @Test
    void refusesToListenToTheNetworkWithoutProtection() {
        try (Engine engine = engine()) {
            assertThatThrownBy(() -> GrpcServer.builder(engine)
                            .host("0.0.0.0")
                            .tls(false)
                            .start())
                    .isInstanceOf(ListenerBuilder.InsecureBindException.class)
                    .hasMessageContaining("without TLS would give the whole network access");
            assertThatThrownBy(() -> GrpcServer.builder(engine)
                            .host("0.0.0.0")
                            .authentication(false)
                            .start())
                    .isInstanceOf(ListenerBuilder.InsecureBindException.class);
            try (GrpcServer first = GrpcServer.builder(engine).start()) {
                assertThatThrownBy(() ->
                                GrpcServer.builder(engine).port(first.port()).start())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("cannot listen on 127.0.0.1, port " + first.port());
            }
        }
    }

    @Test
    void healthNeedsNoCredentialsAndReflectionDoes() throws Exception {
        try (Fixture fixture = Fixture.start(engine(), builder -> builder.token("root", User.ADMIN))) {
            assertThat(HealthGrpc.newBlockingStub(fixture.channel(""))
                            .check(HealthCheckRequest.getDefaultInstance())
                            .getStatus())
                    .isEqualTo(ServingStatus.SERVING);
            assertThat(services(fixture, "root").get(120, TimeUnit.SECONDS))
                    .contains("evenkeel.resource.v1.ResourceService", "grpc.health.v1.Health");
            assertThatThrownBy(() -> services(fixture, "").get(120, TimeUnit.SECONDS))
                    .hasMessageContaining("UNAUTHENTICATED");
        }
    }

    private static CompletableFuture<List<String>> services(Fixture fixture, String token) {
        CompletableFuture<List<String>> names = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(fixture.channel(token))
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse answer) {
                        names.complete(answer.getListServicesResponse().getServiceList().stream()
                                .map(ServiceResponse::getName)
                                .toList());
                    }

                    @Override
                    public void onError(Throwable problem) {
                        names.completeExceptionally(problem);
                    }

                    @Override
                    public void onCompleted() {}
                });
        requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
        return names;
    }

    @Test
    void aRequestThatIsTooLargeIsRefused() {
        try (Fixture fixture = Fixture.start(
                engine(),
                builder -> builder.authentication(false).limits(GrpcServer.Limits.DEFAULT.bytes(10_000, 100_000)))) {
            fixture.withDemo();
            Resource large =
                    artist("a").toBuilder().putMetadata("m", "x".repeat(20_000)).build();
            assertThatThrownBy(() -> fixture.write(large))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("RESOURCE_EXHAUSTED");
            fixture.write(artist("a"));
        }
    }

    /** The client cannot send all of it, and has no more streams than the server allows. */
    @Test
    void requestsThatAreTooLargeDoNotKeepTheirStreams() {
        GrpcServer.Limits usual = GrpcServer.Limits.DEFAULT;
        GrpcServer.Limits limits = new GrpcServer.Limits(
                10_000,
                usual.maxHeaderBytes(),
                usual.maxListBytes(),
                10,
                usual.maxInFlight(),
                usual.maxWatches(),
                usual.defaultDeadline(),
                usual.maxDeadline(),
                usual.writeTimeout(),
                usual.bookmarkInterval(),
                usual.checkInterval(),
                usual.keepAliveTime(),
                usual.clientKeepAlive(),
                usual.stopTimeout());
        try (Fixture fixture =
                Fixture.start(engine(), builder -> builder.authentication(false).limits(limits))) {
            fixture.withDemo();
            Resource large = artist("a").toBuilder()
                    .putMetadata("m", "x".repeat(2_500_000))
                    .build();
            for (int i = 0; i < 12; i++) {
                assertThatThrownBy(() -> fixture.write(large))
                        .isInstanceOf(StatusRuntimeException.class)
                        .hasMessageContaining("RESOURCE_EXHAUSTED: the request exceeds maximum size: 10000 bytes");
            }
            fixture.write(artist("a"));
        }
    }

    /** An authorizer that waits stands for anything that takes long. */
    @Test
    void callsEndAtTheirDeadlinesAndAreBounded() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Engine slow = Engine.builder()
                .executor(Runnable::run)
                .authorization(dev.evenkeel.engine.Authorization.RBAC)
                .authorizer(request -> {
                    waiting.countDown();
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return dev.evenkeel.engine.spi.Authorizer.Decision.allow("");
                })
                .build();
        try (Fixture fixture = Fixture.start(
                slow,
                builder -> builder.token("root", User.ADMIN)
                        .token("jane", User.of("jane"))
                        .limits(GrpcServer.Limits.DEFAULT
                                .deadlines(Duration.ofMillis(200), Duration.ofMillis(300))
                                .concurrent(1, 10)))) {
            ListRequest list =
                    ListRequest.newBuilder().setType(Fixture.CONFIG_MAP).build();
            var jane = fixture.stub("jane");
            for (var stub : List.of(jane, jane.withDeadlineAfter(1, TimeUnit.MINUTES))) {
                assertThatThrownBy(() -> stub.list(list))
                        .isInstanceOf(StatusRuntimeException.class)
                        .hasMessageContaining("DEADLINE_EXCEEDED: the call took longer than its deadline");
            }
            CompletableFuture<Throwable> held = CompletableFuture.supplyAsync(() -> {
                try {
                    return new AssertionError(jane.list(list));
                } catch (StatusRuntimeException e) {
                    return e;
                }
            });
            waiting.await();
            assertThat(held.get(120, TimeUnit.SECONDS)).isInstanceOf(StatusRuntimeException.class);
            release.countDown();
            Fixture.await(() -> lists(fixture.stub, list)); // a busy machine may take longer than the deadline, too
        }
    }

    private static boolean lists(ResourceServiceGrpc.ResourceServiceBlockingStub stub, ListRequest list) {
        try {
            stub.list(list);
            return true;
        } catch (StatusRuntimeException e) {
            assertThat(e).hasMessageContaining("DEADLINE_EXCEEDED");
            return false;
        }
    }

    @Test
    void callsAreCountedByMethodAndStatus() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (Fixture fixture =
                Fixture.start(engine(), builder -> builder.authentication(false).metrics(registry))) {
            fixture.stub.types(TypesRequest.getDefaultInstance());
            Fixture.await(() -> registry.get("grpc.server.processing.duration")
                            .tag("method", "Types")
                            .tag("statusCode", "OK")
                            .timer()
                            .count()
                    == 1);
        }
    }

    /** One object, two APIs: a write by one is seen by watchers of the other, with the same revision. */
    @Test
    void bothApisShowTheSameObjectsWithTheSameRevision() throws Exception {
        Engine engine = engine();
        try (Fixture fixture = Fixture.start(engine, builder -> builder.authentication(false))
                        .withDemo();
                Server http =
                        Server.builder(engine).tls(false).authentication(false).start();
                HttpClient client = HttpClient.newHttpClient()) {
            URI artists = URI.create(http.url() + "/apis/demo.example.com/v1/namespaces/default/artists");
            Watcher watcher = fixture.keep(new Watcher(
                    fixture.channel(""),
                    WatchListRequest.newBuilder().setType(Fixture.ARTIST).build(),
                    Integer.MAX_VALUE));
            watcher.snapshot();
            String body = "{\"apiVersion\":\"demo.example.com/v1\",\"kind\":\"Artist\",\"metadata\":{\"name\":\"a\"},"
                    + "\"spec\":{\"name\":\"from http\"}}";
            HttpResponse<String> created = client.send(
                    HttpRequest.newBuilder(artists)
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(created.statusCode()).isEqualTo(201);
            Resource seen = watcher.event().getUpsert().getResource();
            assertThat(created.body())
                    .contains("\"resourceVersion\":\"" + seen.getVersion() + "\"")
                    .contains("\"uid\":\"" + seen.getId().getUid() + "\"");
            assertThat(Fixture.specOf(seen, "name")).isEqualTo("from http");
            var watch = client.send(
                    HttpRequest.newBuilder(URI.create(
                                    artists + "?watch=1&timeoutSeconds=1&resourceVersion=" + seen.getVersion()))
                            .build(),
                    HttpResponse.BodyHandlers.ofLines());
            Resource changed = fixture.stub
                    .write(WriteRequest.newBuilder()
                            .setResource(seen.toBuilder().setData(Fixture.spec("name", "from grpc")))
                            .setManager("demo")
                            .build())
                    .getResource();
            assertThat(watch.body().findFirst().orElseThrow())
                    .startsWith("{\"type\":\"MODIFIED\"")
                    .contains("\"resourceVersion\":\"" + changed.getVersion() + "\"")
                    .contains("from grpc")
                    .contains("\"manager\":\"demo\"");
        }
    }
}
