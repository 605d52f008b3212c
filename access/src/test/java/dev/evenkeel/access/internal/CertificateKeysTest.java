package dev.evenkeel.access.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertificateKeysTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final CertificateAuthority authority = CertificateAuthority.create("own", NOW, Duration.ofDays(1));
    private final ServerCertificate certificate =
            authority.issue("server", List.of("localhost"), NOW, Duration.ofDays(1));
    private final CertificateKeys keys = new CertificateKeys(certificate);

    @Test
    void theCertificateIsPresentedForItsAlgorithm() {
        String alias = keys.chooseEngineServerAlias("EC", null, null);

        assertThat(alias).isNotNull();
        assertThat(keys.getCertificateChain(alias)).containsExactlyElementsOf(certificate.chain());
        assertThat(keys.getPrivateKey(alias)).isEqualTo(certificate.key());
        assertThat(keys.chooseEngineServerAlias("EC_RSA", null, null)).isEqualTo(alias);
        assertThat(keys.chooseEngineServerAlias("RSA", null, null)).isNull();
        assertThat(keys.getServerAliases("RSA", null)).isNull();
        assertThat(keys.chooseServerAlias("EdDSA", null, null)).isNull();
    }

    @Test
    void aClientPresentsItToServersThatAcceptItsIssuer() {
        Principal own = authority.certificate().getSubjectX500Principal();
        Principal foreign = CertificateAuthority.create("foreign", NOW, Duration.ofDays(1))
                .certificate()
                .getSubjectX500Principal();

        assertThat(keys.chooseClientAlias(new String[] {"RSA", "EC"}, new Principal[] {foreign, own}, null))
                .isNotNull();
        assertThat(keys.chooseEngineClientAlias(new String[] {"EC"}, new Principal[0], null))
                .isNotNull();
        assertThat(keys.chooseEngineClientAlias(new String[] {"EC"}, new Principal[] {foreign}, null))
                .isNull();
        assertThat(keys.getClientAliases("EC", new Principal[] {own})).hasSize(1);
    }

    @Test
    void otherAliasesAreUnknown() {
        assertThat(keys.getCertificateChain("other")).isNull();
        assertThat(keys.getPrivateKey("other")).isNull();
    }
}
