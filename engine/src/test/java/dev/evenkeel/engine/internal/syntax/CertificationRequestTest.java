package dev.evenkeel.engine.internal.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests for certificates, and the PEM texts they are in. */
class CertificationRequestTest {
    private static final String EDWARDS =
            "MIGLMD8CAQAwDDEKMAgGA1UEAwwBeDAqMAUGAytlcAMhAADNJ0KPoeEzo1Wh7nu2XCQ6jsAqzrKSavbecLRK8Jq0oAAwBQYDK2VwA0EAUZ"
                    + "iOWTqxEJggGQkSEpvQxO/nv7UFr1zhM0CQE4SniO7Gd8gY6tZ1oUvDs0F9oGySaKEB64803Pz1NQShc+2gCA==";

    private static final String ELLIPTIC =
            "MIHTMHwCAQAwGjEMMAoGA1UECgwDZGV2MQowCAYDVQQDDAF4MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEgRjVPyTbrHIWCPtOxhKf+n"
                    + "E5tTdTCnvustyECgQNI3Eao5hmFDmU+VfeozC16+8AtOrP65wJTUcpCrWrFzzYjqAAMAoGCCqGSM49BAMCA0cAMEQCIFfv8IOg"
                    + "Poamzz7xlbOYEh64VU9JEjeag0bo7K6PPIKqAiARqaSQ0nxT90YNuWJpLylDLyEpYGYYoBL+8h9O4we0dw==";

    private static byte[] pem(String type, String body) {
        return ("-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static CertificationRequest parse(byte[] content) {
        return CertificationRequest.parse(
                pem("CERTIFICATE REQUEST", Base64.getEncoder().encodeToString(content)));
    }

    @ParameterizedTest
    @ValueSource(strings = {EDWARDS, ELLIPTIC})
    void signedByItsKey(String body) {
        byte[] content = Base64.getDecoder().decode(body);
        CertificationRequest request = parse(content);
        assertThat(request.subject().getName()).startsWith("CN=x");
        assertThat(request.wrongSignature()).isEmpty();
    }

    @Test
    void signedByAnotherKey() {
        byte[] content = Base64.getDecoder().decode(EDWARDS);
        content[content.length - 40] ^= 1;
        assertThat(parse(content).wrongSignature()).contains("x509: Ed25519 verification failure");
        byte[] other = Base64.getDecoder().decode(ELLIPTIC);
        other[other.length - 1] ^= 1;
        assertThat(parse(other).wrongSignature()).contains("x509: ECDSA verification failure");
    }

    @Test
    void signedInAnUnknownWay() {
        byte[] content = Base64.getDecoder().decode(EDWARDS);
        content[content.length - 68] ^= 1;
        assertThat(parse(content).wrongSignature()).contains("x509: cannot verify signature: algorithm unimplemented");
    }

    @Test
    void trailingAndMissingContent() {
        byte[] content = Base64.getDecoder().decode(EDWARDS);
        assertThatThrownBy(() -> parse(Arrays.copyOf(content, content.length + 1)))
                .hasMessage("asn1: syntax error: trailing data");
        assertThatThrownBy(() -> parse(Arrays.copyOf(content, content.length - 1)))
                .hasMessage("asn1: syntax error: data truncated");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\" | asn1: syntax error: sequence truncated",
                "MA== | asn1: syntax error: truncated tag or length",
                "MIA= | asn1: syntax error: indefinite length found (not DER)",
                "MIEA | asn1: structure error: superfluous leading zeros in length",
                "MIEB | asn1: structure error: non-minimal length",
                "MIX/////fw== | asn1: structure error: length too large",
                "MAA= | asn1: syntax error: sequence truncated",
                "BAA= | asn1: structure error: tags don't match (16 vs {class:0 tag:4 length:0 isCompound:false}) {optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false} certificateRequest @2",
            })
    void contentThatIsNoRequest(String body, String error) {
        assertThatThrownBy(() -> CertificationRequest.parse(pem("CERTIFICATE REQUEST", body)))
                .hasMessage(error);
    }

    @Test
    void textThatIsNoRequest() {
        assertThatThrownBy(() -> CertificationRequest.parse(pem("CERTIFICATE", EDWARDS)))
                .hasMessage("PEM block type must be CERTIFICATE REQUEST");
        assertThatThrownBy(() -> CertificationRequest.parse(new byte[] {1}))
                .hasMessage("PEM block type must be CERTIFICATE REQUEST");
    }

    @Test
    void blocksOfATextInTurn() {
        PemBlock first = PemBlock.first(("words\n-----BEGIN A-----\nx: y\n\neA==\n-----END A-----\n"
                                + "-----BEGIN B-----\n?\n-----END B-----\n-----BEGIN C-----\n-----END C-----\n"
                                + "-----BEGIN D-----\neA==\n")
                        .getBytes(StandardCharsets.US_ASCII))
                .orElseThrow();
        assertThat(first.type()).isEqualTo("A");
        assertThat(first.headers()).isTrue();
        assertThat(first.content()).containsExactly('x');
        PemBlock next = first.next().orElseThrow();
        assertThat(next.type()).isEqualTo("C");
        assertThat(next.headers()).isFalse();
        assertThat(next.content()).isEmpty();
        assertThat(next.next()).isEmpty();
    }
}
