package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Problems of certificates and keys, in the words of Go's TLS library. */
class TlsPairTest {
    /** One of {@code CN=x} that signed itself. */
    private static final String CERTIFICATE = block(
            "CERTIFICATE",
            "MIIBLjCB4aADAgECAhRZI2tO//tiExNzsiUpqIzR6kyKVjAFBgMrZXAwDDEKMAgGA1UEAwwBeDAgFw0yNjExMjgxNDA3MzVaGA8y"
                    + "MTI2MTEwNDE0MDczNVowDDEKMAgGA1UEAwwBeDAqMAUGAytlcAMhAD0k+fhMBkyJIJgdGLY+IeyQFr1kZ2hGvwTFtbKfLa25o1Mw"
                    + "UTAdBgNVHQ4EFgQU3snN7QkUHCKXsN5qZoxIALUcnoswHwYDVR0jBBgwFoAU3snN7QkUHCKXsN5qZoxIALUcnoswDwYDVR0TAQH/"
                    + "BAUwAwEB/zAFBgMrZXADQQBECVrWTOfmJUi7H12dTAxoClamc62iD7k5s85Jq2HO7dT3RwGtTuyRiAR0FuNyXDUiszwfe9KI0tAa"
                    + "ZznM9qoH");

    private static final String KEY = block("EC PRIVATE KEY", "MAEA");

    private static String block(String type, String content) {
        return "-----BEGIN " + type + "-----\n" + content + "\n-----END " + type + "-----\n";
    }

    private static Optional<String> problem(String certificate, String key) {
        return TlsPair.problem(
                certificate.getBytes(StandardCharsets.US_ASCII), key.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void blocksOfOtherTypesArePassedOver() {
        assertThat(problem(KEY + CERTIFICATE, CERTIFICATE + KEY)).isEmpty();
    }

    @Test
    void aPairHasACertificate() {
        assertThat(problem("x", "x")).contains("tls: failed to find any PEM data in certificate input");
        assertThat(problem(KEY, CERTIFICATE))
                .contains("tls: failed to find certificate PEM data in certificate input, but did find a private key;"
                        + " PEM inputs may have been switched");
        assertThat(problem(KEY + block("A", ""), KEY))
                .contains("tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM blocks"
                        + " of the following types: [EC PRIVATE KEY A]");
        assertThat(problem(block("CERTIFICATE", "MAE="), KEY)).contains("x509: malformed certificate");
    }

    @Test
    void aPairHasAKey() {
        assertThat(problem(CERTIFICATE, "x")).contains("tls: failed to find any PEM data in key input");
        assertThat(problem(CERTIFICATE, CERTIFICATE))
                .contains("tls: found a certificate rather than a key in the PEM for the private key");
        assertThat(problem(CERTIFICATE, block("A", "MAEA")))
                .contains(
                        "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after skipping"
                                + " PEM blocks of the following types: [A]");
        assertThat(problem(CERTIFICATE, block("PRIVATE KEY", ""))).contains("tls: failed to parse private key");
    }
}
