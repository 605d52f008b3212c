package dev.evenkeel.kubernetes;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Creates TLS contexts from trusted authorities and client certificates. */
final class Tls {
    private Tls() {}

    /** Returns the TLS settings of a client. Null trusts the servers that the JDK trusts; the PEM may be empty. */
    static SSLContext context(@Nullable X509ExtendedTrustManager trust, String certificate, String key) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    certificate.isEmpty() ? null : identity(certificate, key),
                    trust == null ? null : new TrustManager[] {trust},
                    null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static KeyManager[] identity(String certificate, String key) throws GeneralSecurityException, IOException {
        List<Certificate> chain = Pem.certificates(certificate, "client certificate");
        KeyStore store = empty();
        store.setKeyEntry("client", Pem.privateKey(key, "client key"), new char[0], chain.toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    /** Trusts certificates of these authorities, in PEM. */
    static X509ExtendedTrustManager authorities(String pem) {
        try {
            KeyStore store = empty();
            int number = 0;
            for (Certificate certificate : Pem.certificates(pem, "certificate authority")) {
                store.setCertificateEntry("ca-" + number++, certificate);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /**
     * Trusts any certificate. An extended manager, for otherwise the JDK would still check the name in the certificate.
     */
    static final class Anyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
