package dev.evenkeel.server.internal.jetty;

import dev.evenkeel.access.internal.Endpoint;
import dev.evenkeel.access.internal.RequestedCertificates;
import dev.evenkeel.client.ServerCertificate;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.util.Collection;
import javax.net.ssl.TrustManager;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** The TLS settings of a server: its certificate, and the authorities whose client certificates it asks for. */
public final class TlsSettings extends SslContextFactory.Server {
    private final RequestedCertificates requested;

    /**
     * Creates the settings.
     *
     * @param clientCaPem authorities of client certificates; empty when none are requested
     */
    public TlsSettings(ServerCertificate certificate, String clientCaPem) {
        requested = new RequestedCertificates(clientCaPem);
        setKeyStore(Endpoint.keyStore(certificate));
        setKeyStorePassword(Endpoint.PASSWORD);
        setIncludeProtocols("TLSv1.3", "TLSv1.2");
        setSniRequired(false);
        setWantClientAuth(!clientCaPem.isEmpty());
    }

    @Override
    protected TrustManager[] getTrustManagers(@Nullable KeyStore trustStore, @Nullable Collection<? extends CRL> crls) {
        return new TrustManager[] {requested};
    }
}
