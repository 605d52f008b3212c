package dev.evenkeel.access.internal;

import dev.evenkeel.client.internal.tls.CertificateAuthority;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts every client certificate in the handshake, which proves that the client has its key. Whether it is trusted is
 * decided for each request, so that a wrong or expired one is answered with a refusal instead of a broken connection.
 */
public final class RequestedCertificates extends X509ExtendedTrustManager {
    private final List<X509Certificate> authorities;

    /** Names these authorities to clients, in PEM; empty for none. */
    public RequestedCertificates(String clientCaPem) {
        authorities = clientCaPem.isEmpty() ? List.of() : CertificateAuthority.trusted(clientCaPem);
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
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        throw refused();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        throw refused();
    }

    private static CertificateException refused() {
        return new CertificateException("no certificate of another server is trusted");
    }
}
