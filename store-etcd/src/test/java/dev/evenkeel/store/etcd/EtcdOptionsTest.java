package dev.evenkeel.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdOptionsTest {
    @Test
    void endpointsAreAddresses() {
        assertThat(Endpoint.parse("https://etcd-0.example:1234")).isEqualTo(new Endpoint("etcd-0.example", 1234, true));
        assertThat(Endpoint.parse("http://[::1]:1/")).isEqualTo(new Endpoint("[::1]", 1, false));
        assertThat(Endpoint.parse("localhost")).isEqualTo(new Endpoint("localhost", 2379, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ftp://a:1", "http://", "http://a:1/x", "http://u:p@a", "a b", "http://a?x=y"})
    void otherEndpointsAreRefused(String endpoint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdOptions.at(endpoint))
                .withMessage("endpoint \"" + endpoint
                        + "\": must be http://HOST:PORT or https://HOST:PORT, such as http://127.0.0.1:2379");
    }

    @Test
    void otherSettingsAreChecked() {
        EtcdOptions options = EtcdOptions.at("http://a");
        assertThatIllegalArgumentException()
                .isThrownBy(EtcdOptions::at)
                .withMessageStartingWith("endpoints: at least one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.prefix("x"))
                .withMessageContaining("prefix \"x\": must begin and end with a slash");
        assertThatIllegalArgumentException().isThrownBy(() -> options.timeout(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> options.compaction(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EtcdTls(Optional.empty(), Optional.of(Path.of("c")), Optional.empty()))
                .withMessageContaining("both are needed");
    }

    @Test
    void thePasswordIsNotShown() {
        assertThat(EtcdOptions.at("http://a").credentials("root", "secret").toString())
                .contains("root")
                .doesNotContain("secret");
    }
}
