package dev.evenkeel.kubernetes;

import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trusts the certificate authorities in a file, which is read again at each TLS handshake, since a cluster replaces the
 * authorities of its pods while they run.
 *
 * <p>A file that cannot be read, or is caught while it is written, changes nothing. Connections that are open stay open.
 */
final class AuthorityFile extends X509ExtendedTrustManager {
    private static final Logger LOG = LoggerFactory.getLogger(AuthorityFile.class);

    private record Authorities(String pem, X509ExtendedTrustManager trust) {
        static Authorities of(String pem) {
            return new Authorities(pem, Tls.authorities(pem));
        }
    }

    private final Path file;
    private volatile Authorities last;

    AuthorityFile(Path file) {
        this.file = file;
        this.last = Authorities.of(Connection.read(file));
    }

    private X509ExtendedTrustManager present() {
        try {
            String pem = Connection.read(file);
            if (!pem.equals(last.pem())) {
                last = Authorities.of(pem);
                LOG.info("read changed certificate authorities from {}", file);
            }
        } catch (UncheckedIOException | IllegalArgumentException e) {
            LOG.warn("keeping the last certificate authorities: {}", e.getMessage());
        }
        return last.trust();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        present().checkClientTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        present().checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        present().checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        present().checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        present().checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        present().checkServerTrusted(chain, type, engine);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return present().getAcceptedIssuers();
    }
}
