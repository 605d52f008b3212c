package dev.evenkeel.server.internal.aggregation;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Trusts certificates of the servers of one API service.
 *
 * <p>Such a server is reached by the address of an endpoint, and its certificate is for the name of the service: {@code
 * name.namespace.svc}. The JDK would compare the certificate with the address.
 */
final class NamedTrust extends X509ExtendedTrustManager {
    private static final int DNS = 2;
    private static final int ADDRESS = 7;

    private final Optional<X509TrustManager> authorities;
    private final Set<String> names;

    /**
     * Creates a trust.
     *
     * @param authorities that issue the certificates; empty to accept any certificate
     * @param names of which a certificate must have one
     */
    NamedTrust(Optional<X509TrustManager> authorities, Set<String> names) {
        this.authorities = authorities;
        this.names = names;
    }

    private void check(X509Certificate[] chain, String authType) throws CertificateException {
        if (authorities.isEmpty()) {
            return;
        }
        authorities.get().checkServerTrusted(chain, authType);
        Collection<List<?>> alternatives = alternatives(chain[0]);
        boolean named = alternatives.stream()
                .filter(each -> each.get(0).equals(DNS) || each.get(0).equals(ADDRESS))
                .anyMatch(each -> names.contains(each.get(1)));
        if (!named) {
            throw new CertificateException("certificate is valid for "
                    + alternatives.stream()
                            .map(each -> String.valueOf(each.get(1)))
                            .toList()
                    + ", not " + names.iterator().next());
        }
    }

    private static Collection<List<?>> alternatives(X509Certificate certificate) throws CertificateParsingException {
        Collection<List<?>> found = certificate.getSubjectAlternativeNames();
        return found == null ? List.of() : found;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("no clients are trusted");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("no clients are trusted");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("no clients are trusted");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
