package dev.evenkeel.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.access.ListenerBuilder;
import dev.evenkeel.client.Backoff;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.User;
import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stream of updates over real connections. */
class PolicySyncTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String PASSWORD = "changeit";
    private static final Backoff QUICK = Backoff.constant(Duration.ofMillis(10));

    private final PolicyCase world = PolicyCase.all().stream()
            .filter(one -> one.name().startsWith("the example policy"))
            .findFirst()
            .orElseThrow();

    private final CertificateAuthority authority =
            CertificateAuthority.create("test-ca", Instant.now(), Duration.ofDays(1));

    /** The certificate of servers that follow each other at an address. */
    private final ServerCertificate shared =
            authority.issue("server", List.of("127.0.0.1", "localhost"), Instant.now(), Duration.ofDays(1));

    private static PolicyCalculation calculation(PolicyCase world) {
        PolicyCalculation calculation = PolicyCalculation.forAllHosts();
        calculation.transact(tx -> {
            world.world().objects().forEach(tx::put);
            PolicyCalculation.kinds().forEach(tx::synced);
        });
        return calculation;
    }

    private static HostState state(PolicyCalculation calculation, String host) {
        try (Cursor<Update> cursor = calculation.open(host)) {
            return new HostState().apply(cursor.poll().messages());
        }
    }

    private static PolicySyncClient client(PolicySyncServer server, String token) {
        return PolicySyncClient.builder(server.target())
                .ca(server.caCertificate())
                .token(token)
                .backoff(QUICK)
                .build();
    }

    private static void await(PolicySubscription stream, HostState state, Predicate<HostState> wanted)
            throws InterruptedException {
        long end = System.nanoTime() + LONG.toNanos();
        while (!wanted.test(state)) {
            assertThat(System.nanoTime())
                    .as("received: %s, failure: %s", state, stream.failure())
                    .isLessThan(end);
            state.apply(stream.poll(LONG));
        }
    }

    private static void awaitFailure(PolicySubscription stream, String text) throws InterruptedException {
        long end = System.nanoTime() + LONG.toNanos();
        while (!stream.failure().filter(reason -> reason.contains(text)).isPresent()) {
            assertThat(System.nanoTime()).as("failure: %s", stream.failure()).isLessThan(end);
            assertThat(stream.poll(Duration.ofMillis(10))).isEmpty();
        }
    }

    private Pod pod(String label) {
        Pod first = world.world().all(Pod.class).getFirst();
        return new PodBuilder(first)
                .editMetadata()
                .withLabels(Map.of("role", label))
                .endMetadata()
                .build();
    }

    @Test
    void hostsReceiveTheirStateAndItsChanges() throws Exception {
        PolicyCalculation calculation = calculation(world);
        try (PolicySyncServer server = PolicySyncServer.builder(calculation).start();
                PolicySyncClient client = client(server, server.token());
                PolicySubscription one = client.open("n1");
                PolicySubscription two = client.open("n2")) {
            HostState first = new HostState();
            HostState second = new HostState();
            await(one, first, HostState::isInSync);
            await(two, second, HostState::isInSync);
            assertThat(first).hasToString(state(calculation, "n1").toString());
            assertThat(second).hasToString(state(calculation, "n2").toString());
            assertThat(one.failure()).isEmpty();

            calculation.transact(tx -> tx.put(pod("db")));
            String expected = state(calculation, "n1").toString();
            await(one, first, host -> host.toString().equals(expected));
            assertThat(server.streams()).isEqualTo(2);
        }
    }

    @Test
    void aNewConnectionContinuesWithTheDifference() throws Exception {
        PolicyCalculation calculation = calculation(world);
        PolicySyncServer server = PolicySyncServer.builder(calculation)
                .certificate(shared)
                .token("t", User.ADMIN)
                .start();
        try (PolicySyncClient client = PolicySyncClient.builder(server.target())
                        .ca(server.caCertificate())
                        .token("t")
                        .backoff(QUICK)
                        .build();
                PolicySubscription stream = client.open("n1")) {
            HostState state = new HostState();
            await(stream, state, HostState::isInSync);
            int before = state.messages();
            int port = server.port();
            server.close();
            awaitFailure(stream, "");

            // another server, which has not listed the objects yet, and then other ones
            PolicyCalculation other = PolicyCalculation.forAllHosts();
            try (PolicySyncServer next = PolicySyncServer.builder(other)
                    .port(port)
                    .certificate(shared)
                    .token("t", User.ADMIN)
                    .start()) {
                other.transact(tx -> tx.put(world.world().objects().getFirst()));
                assertThat(next.port()).isEqualTo(port);
                other.transact(tx -> {
                    world.world().objects().forEach(tx::put);
                    tx.put(pod("frontend")).put(pod("other"));
                    PolicyCalculation.kinds().forEach(tx::synced);
                });
                String expected = state(other, "n1").toString();
                await(stream, state, host -> host.toString().equals(expected));
                assertThat(state.messages() - before)
                        .as("only what differs was sent")
                        .isBetween(1, 3);
            }
        } finally {
            server.close();
        }
    }

    @Test
    void aNodeReadsItsOwnHostOnly(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("keys");
        keytool(file, "-alias ca -dname CN=ca -ext bc:c");
        keytool(file, "-alias node -dname CN=system:node:n2,O=system:nodes -ext eku=clientAuth -signer ca");
        KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        try (PolicySyncServer server = PolicySyncServer.builder(calculation(world))
                        .token("one", User.of("system:node:n1"))
                        .clientCa(pem("CERTIFICATE", keys.getCertificate("ca").getEncoded()))
                        .start();
                PolicySyncClient one = client(server, "one");
                PolicySyncClient two = PolicySyncClient.builder(server.target())
                        .ca(server.caCertificate())
                        .certificate(
                                pem("CERTIFICATE", keys.getCertificate("node").getEncoded()),
                                pem(
                                        "PRIVATE KEY",
                                        keys.getKey("node", PASSWORD.toCharArray())
                                                .getEncoded()))
                        .build();
                PolicySyncClient stranger = client(server, "wrong");
                PolicySubscription own = one.open("n1");
                PolicySubscription other = one.open("n2");
                PolicySubscription byCertificate = two.open("n2");
                PolicySubscription otherByCertificate = two.open("n1");
                PolicySubscription none = stranger.open("n1")) {
            await(own, new HostState(), HostState::isInSync);
            await(byCertificate, new HostState(), HostState::isInSync);
            awaitFailure(other, "PERMISSION_DENIED: user \"system:node:n1\" may not read the state of host \"n2\"");
            awaitFailure(otherByCertificate, "PERMISSION_DENIED: user \"system:node:n2\"");
            awaitFailure(none, "UNAUTHENTICATED: the credentials are missing, wrong or expired");
        }
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
    void unsafeSettingsAreRefused() {
        PolicyCalculation calculation = PolicyCalculation.forAllHosts();
        assertThatThrownBy(() -> PolicySyncServer.builder(calculation)
                        .host("0.0.0.0")
                        .authentication(false)
                        .start())
                .isInstanceOf(ListenerBuilder.InsecureBindException.class);
        assertThatThrownBy(() -> PolicySyncClient.builder("127.0.0.1:1")
                        .tls(false)
                        .token("t")
                        .build())
                .hasMessage("token: would be sent without encryption: enable TLS, or leave out the token");
    }

    @Test
    void aHostThatIsNotCalculated() throws Exception {
        try (PolicySyncServer server = PolicySyncServer.builder(PolicyCalculation.forHost("n1"))
                        .start();
                PolicySyncClient client = client(server, server.token());
                PolicySubscription other = client.open("n2");
                PolicySubscription unnamed = client.open("")) {
            awaitFailure(other, "NOT_FOUND: host: \"n2\" is not \"n1\", the only one that is calculated");
            awaitFailure(unnamed, "INVALID_ARGUMENT: host: must be the name of a node");
        }
    }
}
