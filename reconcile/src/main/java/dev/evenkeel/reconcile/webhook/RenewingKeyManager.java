package dev.evenkeel.reconcile.webhook;

import dev.evenkeel.client.ServerCertificate;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents the current certificate to each client that connects, so that it can be renewed while the server runs. A
 * handshake reads it several times, and gets the same one each time, even if it is renewed meanwhile: the last few are
 * kept.
 */
final class RenewingKeyManager extends X509ExtendedKeyManager {
    private static final int KEPT = 4;

    private final Supplier<ServerCertificate> present;
    private final Deque<ServerCertificate> shown = new ArrayDeque<>();

    private RenewingKeyManager(Supplier<ServerCertificate> present) {
        this.present = present;
    }

    static SSLContext context(Supplier<ServerCertificate> present) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new RenewingKeyManager(present)}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no TLS: " + e.getMessage(), e);
        }
    }

    private static String alias(ServerCertificate certificate) {
        return certificate.certificate().getSerialNumber().toString();
    }

    private @Nullable String choose(String keyType) {
        ServerCertificate chosen = present.get();
        if (!keyType.startsWith(chosen.key().getAlgorithm())) {
            return null;
        }
        synchronized (shown) {
            shown.removeIf(chosen::equals);
            shown.addFirst(chosen);
            if (shown.size() > KEPT) {
                shown.removeLast();
            }
        }
        return alias(chosen);
    }

    private Optional<ServerCertificate> chosen(String alias) {
        synchronized (shown) {
            return shown.stream().filter(one -> alias(one).equals(alias)).findFirst();
        }
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return choose(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return choose(keyType);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return chosen(alias)
                .map(one -> one.chain().toArray(X509Certificate[]::new))
                .orElse(null);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return chosen(alias).map(ServerCertificate::key).orElse(null);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal[] issuers) {
        String alias = choose(keyType);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal[] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return null;
    }
}
