package dev.evenkeel.policy.internal.sync;

import dev.evenkeel.access.internal.Authentication;
import dev.evenkeel.access.internal.Credentials;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.User;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The client of a call, and what it may read: a node its own state, an administrator that of each host.
 *
 * @param credentials as the client sent them
 * @param authentication empty if each client is an administrator
 */
record Caller(Credentials credentials, Optional<Authentication> authentication) {
    /** The prefix of the user names of nodes, as in the Kubernetes API. */
    private static final String NODE = "system:node:";

    private static final String BEARER = "Bearer ";
    private static final Context.Key<Caller> KEY = Context.key("evenkeel-policy-caller");
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /** Returns the client of the call that this thread handles. */
    static Caller current() {
        return KEY.get();
    }

    /** Returns an interceptor that notes the client of each call. */
    static ServerInterceptor interceptor(Optional<Authentication> authentication) {
        return new ServerInterceptor() {
            @Override
            public <Q, A> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                Caller caller =
                        new Caller(new Credentials(token(headers), certificates(call.getAttributes())), authentication);
                return Contexts.interceptCall(Context.current().withValue(KEY, caller), call, headers, next);
            }
        };
    }

    private static String token(Metadata headers) {
        String header = headers.get(AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? header.substring(BEARER.length()).strip()
                : "";
    }

    private static List<X509Certificate> certificates(Attributes transport) {
        SSLSession session = transport.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        if (session == null) {
            return List.of();
        }
        try {
            Certificate[] chain = session.getPeerCertificates();
            return Arrays.stream(chain)
                    .filter(X509Certificate.class::isInstance)
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // the client has none
        }
    }

    /**
     * Checks that the client may read the state of a host, also when its credentials may have expired since.
     *
     * @throws io.grpc.StatusRuntimeException if not
     */
    void checkMayRead(String host) {
        if (authentication.isEmpty()) {
            return;
        }
        User user;
        try {
            user = authentication.get().authenticate(credentials, "default", Optional::empty);
        } catch (ApiException e) {
            throw Status.UNAUTHENTICATED
                    .withDescription("the credentials are missing, wrong or expired: send a token as \"authorization:"
                            + " Bearer TOKEN\", or a client certificate")
                    .withCause(e)
                    .asRuntimeException();
        }
        if (!user.master() && !user.name().equals(NODE + host)) {
            throw Status.PERMISSION_DENIED
                    .withDescription("user \"" + user.name() + "\" may not read the state of host \"" + host
                            + "\": that is for user \"" + NODE + host + "\" and for the group " + User.MASTERS)
                    .asRuntimeException();
        }
    }
}
