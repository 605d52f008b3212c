package dev.evenkeel.server.internal.access;

import dev.evenkeel.client.internal.tls.CertificateAuthority;
import java.net.Socket;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** The TLS settings of a server: its certificate, and the authorities whose client certificates it asks for. */
public final class TlsSettings extends SslContextFactory.Server {
    private final List<X509Certificate> authorities;

    /**
     * Creates the settings.
     *
     * @param clientCaPem authorities of client certificates; empty when none are requested
     */
    public TlsSettings(Certificates certificates, String clientCaPem) {
        authorities = clientCaPem.isEmpty() ? List.of() : CertificateAuthority.trusted(clientCaPem);
        setKeyStore(certificates.keyStore());
        setKeyStorePassword(Certificates.PASSWORD);
        setIncludeProtocols("TLSv1.3", "TLSv1.2");
        setSniRequired(false);
        setWantClientAuth(!authorities.isEmpty());
    }

    /**
     * Accepts every client certificate in the handshake, which proves that the client has its key. Whether it is trusted is
     * decided for each request, so that a wrong or expired one is answered with 401 instead of a broken connection.
     */
    @Override
    protected TrustManager[] getTrustManagers(@Nullable KeyStore trustStore, @Nullable Collection<? extends CRL> crls) {
        return new TrustManager[] {new Requesting(authorities)};
    }

    private static final class Requesting extends X509ExtendedTrustManager {
        private final List<X509Certificate> authorities;

        Requesting(List<X509Certificate> authorities) {
            this.authorities = authorities;
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return authorities.toArray(X509Certificate[]::new);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw refused();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw refused();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw refused();
        }

        private static CertificateException refused() {
            return new CertificateException("no certificate of another server is trusted");
        }
    }
}
