package dev.evenkeel.grpc.internal.call;

import dev.evenkeel.access.internal.Credentials;
import dev.evenkeel.access.internal.Impersonation;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import java.net.InetSocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The facts of a call that do not depend on its request.
 *
 * @param credentials as the client sent them
 * @param headers of the call
 * @param userAgent empty when the client sent none
 * @param address of the client; empty when it has none
 */
public record CallInfo(Credentials credentials, Impersonation.Headers headers, String userAgent, String address) {
    static final Context.Key<CallInfo> KEY = Context.key("evenkeel-call");

    private static final String BEARER = "Bearer ";
    private static final Metadata.Key<String> AUTHORIZATION = text("authorization");
    private static final Metadata.Key<String> USER_AGENT = text("user-agent");

    /** Returns the facts of the call that this thread handles. */
    public static CallInfo current() {
        return KEY.get();
    }

    static CallInfo of(Metadata headers, Attributes transport) {
        String header = first(headers, AUTHORIZATION);
        String token = header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? header.substring(BEARER.length()).strip()
                : "";
        return new CallInfo(
                new Credentials(token, certificates(transport)),
                headers(headers),
                first(headers, USER_AGENT),
                transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress client
                        ? client.getAddress().getHostAddress()
                        : "");
    }

    /** Returns what tells users apart once their credentials are checked: the token, or else the name in the certificate. */
    String sender() {
        return credentials.token().isEmpty() && !credentials.certificates().isEmpty()
                ? credentials
                        .certificates()
                        .getFirst()
                        .getSubjectX500Principal()
                        .getName()
                : credentials.token();
    }

    /** Returns the first word of the user agent, the default of field managers. */
    public String manager() {
        int end = 0;
        while (end < userAgent.length() && userAgent.charAt(end) > ' ' && userAgent.charAt(end) != '/') {
            end++;
        }
        return end == 0 ? "grpc" : userAgent.substring(0, Math.min(end, 128));
    }

    private static List<X509Certificate> certificates(Attributes transport) {
        SSLSession session = transport.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        if (session == null) {
            return List.of();
        }
        List<X509Certificate> chain = new ArrayList<>();
        try {
            for (Certificate certificate : session.getPeerCertificates()) {
                if (certificate instanceof X509Certificate one) {
                    chain.add(one);
                }
            }
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // the client has none
        }
        return chain;
    }

    private static Impersonation.Headers headers(Metadata headers) {
        return new Impersonation.Headers() {
            @Override
            public Iterable<String> names() {
                return headers.keys();
            }

            @Override
            public List<String> values(String name) {
                List<String> values = new ArrayList<>();
                if (!name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
                    Iterable<String> all = headers.getAll(text(name));
                    if (all != null) {
                        all.forEach(values::add);
                    }
                }
                return values;
            }
        };
    }

    private static String first(Metadata headers, Metadata.Key<String> key) {
        String value = headers.get(key);
        return value == null ? "" : value;
    }

    private static Metadata.Key<String> text(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
