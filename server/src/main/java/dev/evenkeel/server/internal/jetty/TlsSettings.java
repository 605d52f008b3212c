package dev.evenkeel.server.internal.jetty;

import dev.evenkeel.access.internal.Endpoint;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** The TLS settings of a server: its certificate, and the authorities whose client certificates it asks for. */
public final class TlsSettings extends SslContextFactory.Server {
    /** Creates those of an endpoint with TLS. */
    public TlsSettings(Endpoint endpoint) {
        setSslContext(endpoint.tls());
        setIncludeProtocols("TLSv1.3", "TLSv1.2");
        setSniRequired(false);
        setWantClientAuth(!endpoint.clientCa().isEmpty());
    }
}
