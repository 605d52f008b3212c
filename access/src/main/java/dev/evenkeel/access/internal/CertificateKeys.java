package dev.evenkeel.access.internal;

import dev.evenkeel.client.ServerCertificate;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents one certificate to every peer that accepts the algorithm of its key and one of its issuers. A key store could
 * do the same, but encrypts the key under a password that is next to it.
 */
public final class CertificateKeys extends X509ExtendedKeyManager {
    private static final String ALIAS = "certificate";

    private final ServerCertificate certificate;

    /** Presents this certificate, and proves that it has its key. */
    public CertificateKeys(ServerCertificate certificate) {
        this.certificate = certificate;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return aliases(keyType, issuers);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return aliases(keyType, issuers);
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(Arrays.stream(keyTypes), issuers).orElse(null);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(Arrays.stream(keyTypes), issuers).orElse(null);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(Stream.of(keyType), issuers).orElse(null);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(Stream.of(keyType), issuers).orElse(null);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return alias.equals(ALIAS) ? certificate.chain().toArray(X509Certificate[]::new) : null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return alias.equals(ALIAS) ? certificate.key() : null;
    }

    private String @Nullable [] aliases(String keyType, Principal @Nullable [] issuers) {
        return alias(Stream.of(keyType), issuers)
                .map(alias -> new String[] {alias})
                .orElse(null);
    }

    private Optional<String> alias(Stream<String> keyTypes, Principal @Nullable [] issuers) {
        return keyTypes.anyMatch(this::isOfType) && isFrom(issuers) ? Optional.of(ALIAS) : Optional.empty();
    }

    /** A type may be followed by that of the signature, such as {@code EC_RSA}. */
    private boolean isOfType(String keyType) {
        String own = certificate.certificate().getPublicKey().getAlgorithm();
        return keyType.equals(own) || keyType.startsWith(own + "_");
    }

    private boolean isFrom(Principal @Nullable [] issuers) {
        if (issuers == null || issuers.length == 0) {
            return true;
        }
        List<Principal> accepted = List.of(issuers);
        return certificate.chain().stream().anyMatch(signed -> accepted.contains(signed.getIssuerX500Principal()));
    }
}
