package dev.evenkeel.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionTest {
    @TempDir
    private Path directory;

    @Test
    void aPodFindsItsCluster() throws IOException {
        Files.writeString(directory.resolve("token"), "pod\n");
        Files.writeString(directory.resolve("ca.crt"), Certificates.selfSigned().certificatePem());
        Files.writeString(directory.resolve("namespace"), "shop\n");

        Connection six = Connection.inCluster(
                Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443"), directory);
        Connection four = Connection.inCluster(
                Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "KUBERNETES_SERVICE_PORT", "6443"), directory);

        assertThat(six.server()).isEqualTo(URI.create("https://[fd00::1]:443"));
        assertThat(four.server()).isEqualTo(URI.create("https://10.0.0.1:6443"));
        assertThat(four.namespace()).isEqualTo("shop");
        assertThat(four.tokens().orElseThrow().token()).isEqualTo("pod");
    }

    @Test
    void outsideOfAPodIsReported() {
        assertThatThrownBy(() -> Connection.inCluster(Map.of(), directory))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("KUBERNETES_SERVICE_HOST");
        assertThatThrownBy(() -> Connection.inCluster(
                        Map.of("KUBERNETES_SERVICE_HOST", "a", "KUBERNETES_SERVICE_PORT", "1"), directory))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("token");
    }

    @Test
    void addressesAreChecked() {
        for (String bad : new String[] {"", "a", "ftp://a", "https:///a", "//a"}) {
            assertThatThrownBy(() -> Connection.to(URI.create(bad)))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("https://api.example.com:6443");
        }
        Connection.Builder clear =
                Connection.to(URI.create("http://a.example.com")).token("t");
        assertThatThrownBy(clear::build).hasMessageContaining("unencrypted");
        assertThat(clear.insecure(true).build().insecure()).isTrue();
        assertThat(Connection.to(URI.create("http://[::1]:80"))
                        .token("t")
                        .build()
                        .toString())
                .isEqualTo("Connection[http://[::1]:80, token]");
    }

    @Test
    void aTokenFileIsReadEachMinute() throws IOException {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        Path file = Files.writeString(directory.resolve("token"), " one \n");
        FileToken tokens = new FileToken(file, now::get);

        assertThat(tokens.token()).isEqualTo("one");
        Files.writeString(file, "two");
        now.set(Instant.EPOCH.plusSeconds(59));
        assertThat(tokens.token()).isEqualTo("one");
        now.set(Instant.EPOCH.plus(Duration.ofMinutes(1)));
        assertThat(tokens.token()).isEqualTo("two");
        Files.writeString(file, "three");
        assertThat(tokens.refresh("two")).isEqualTo("three");
        Files.writeString(file, "");
        assertThat(tokens.refresh("three")).as("caught while it is written").isEqualTo("three");
        Files.delete(file);
        assertThat(tokens.refresh("three")).isEqualTo("three");
        assertThatThrownBy(() -> new FileToken(file, now::get).token()).hasMessageContaining(file.toString());
    }
}
