package dev.evenkeel.client.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ServerCertificate;
import java.security.Signature;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CertificateAuthorityTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration YEAR = Duration.ofDays(365);

    private final CertificateAuthority authority = CertificateAuthority.create("ca", NOW, YEAR.multipliedBy(10));

    @Test
    void issuedCertificatesAreTrustedByAllThatTrustTheIssuer() throws Exception {
        ServerCertificate server = authority.issue("web", List.of("web.shop.svc", "127.0.0.1"), NOW, YEAR);
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(authority.certificate(), null)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(NOW));
        assertThatCode(() -> CertPathValidator.getInstance("PKIX")
                        .validate(
                                CertificateFactory.getInstance("X.509").generateCertPath(List.of(server.certificate())),
                                parameters))
                .doesNotThrowAnyException();
        PKIXParameters others = new PKIXParameters(Set.of(
                new TrustAnchor(CertificateAuthority.create("ca", NOW, YEAR).certificate(), null)));
        others.setRevocationEnabled(false);
        others.setDate(Date.from(NOW));
        assertThatThrownBy(() -> CertPathValidator.getInstance("PKIX")
                        .validate(
                                CertificateFactory.getInstance("X.509").generateCertPath(List.of(server.certificate())),
                                others))
                .isInstanceOf(java.security.cert.CertPathValidatorException.class);
    }

    @Test
    void itSaysWhoWhereAndHowLong() throws Exception {
        ServerCertificate server = authority.issue("web", List.of("web.shop.svc", "10.0.0.7", "::1"), NOW, YEAR);
        assertThat(server.certificate().getSubjectX500Principal()).hasToString("CN=web");
        assertThat(server.certificate().getSubjectAlternativeNames())
                .extracting(name -> (Object) name.get(1))
                .containsExactly("web.shop.svc", "10.0.0.7", "0:0:0:0:0:0:0:1");
        assertThat(server.begins()).isEqualTo(NOW.minus(Duration.ofHours(1)));
        assertThat(server.ends()).isEqualTo(NOW.plus(YEAR));
        assertThat(authority.certificate().getBasicConstraints()).isNotNegative();
        assertThat(server.certificate().getBasicConstraints()).isNegative();
    }

    @Test
    void asTextItIsTheSame() throws Exception {
        ServerCertificate server = authority.issue("web", List.of("localhost"), NOW, YEAR);
        ServerCertificate read = ServerCertificate.of(server.certificatePem(), server.keyPem());
        assertThat(read.chain()).isEqualTo(server.chain());
        byte[] text = "signed".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(read.key());
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(server.certificate());
        signature.update(text);
        assertThat(signature.verify(signed)).isTrue();
        CertificateAuthority again = CertificateAuthority.of(authority.certificatePem(), authority.keyPem());
        assertThat(again.certificate()).isEqualTo(authority.certificate());
        assertThat(again.issue("more", List.of("localhost"), NOW, YEAR)
                        .certificate()
                        .getIssuerX500Principal())
                .isEqualTo(authority.certificate().getSubjectX500Principal());
    }

    @Test
    void keysAreNotShown() {
        assertThat(authority.toString()).startsWith("CN=ca, 2026-").doesNotContain("PRIVATE");
        assertThat(authority.issue("web", List.of("localhost"), NOW, YEAR).toString())
                .startsWith("CN=web, 2026-");
    }

    @Test
    void invalidAuthoritiesAreReported() {
        assertThatThrownBy(() -> ServerCertificate.of("", ""))
                .hasMessage("not PEM: missing \"-----BEGIN PRIVATE KEY-----\"");
        assertThatThrownBy(() -> ServerCertificate.of("-----BEGIN CERTIFICATE-----\nAAAA", authority.keyPem()))
                .hasMessageContaining("without \"-----END CERTIFICATE-----\"");
        assertThatThrownBy(() -> authority.issue("web", List.of(), NOW, YEAR)).hasMessageStartingWith("hosts:");
    }
}
