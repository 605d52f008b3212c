package dev.evenkeel.server.internal.access;

import dev.evenkeel.access.internal.Authentication;
import dev.evenkeel.access.internal.Credentials;
import dev.evenkeel.access.internal.Impersonation;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Tokens;
import dev.evenkeel.engine.internal.type.WebhookObserver;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.engine.spi.Authorizer.Decision;
import dev.evenkeel.server.internal.audit.AuditEvent;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Transport;
import dev.evenkeel.server.internal.resource.ResourcePath;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Authenticates and authorizes requests before they are handled.
 *
 * @param authentication finds users; empty when every client is an administrator
 */
public record Access(Optional<Authentication> authentication, Impersonation impersonation) {
    /** The prefix of a subprotocol of a WebSocket that is a token. */
    public static final String SOCKET_TOKEN = "base64url.bearer.authorization.k8s.io.";

    /** Creates the access of a server. */
    public Access(Optional<Authentication> authentication) {
        this(authentication, new Impersonation());
    }

    /**
     * Returns the sender of a request, before impersonation.
     *
     * @param partition the partition of the request, if it exists
     * @throws dev.evenkeel.client.UnauthorizedException when there are no credentials, or wrong ones
     */
    public User authenticate(HttpExchange call, Supplier<Optional<ResourceApi>> partition) {
        return authentication
                .map(known -> known.authenticate(credentials(call), call.path().partition(), partition))
                .orElse(User.ADMIN);
    }

    /**
     * Returns the facts of a request that are authorized.
     *
     * @param verb of a request about a resource; ignored for other paths
     */
    public static Attributes attributes(HttpExchange call, User sender, Optional<ResourcePath> resource, String verb) {
        return resource.map(path -> attributes(call, sender, path, verb))
                .orElseGet(() -> Attributes.ofPath(
                        sender,
                        call.method().toLowerCase(Locale.ROOT),
                        call.path().ofPartition() && call.method().equals("PUT")
                                ? call.path().prefix()
                                : call.path().raw()));
    }

    /**
     * Returns the attributes of a request as one of the user that it acts as.
     *
     * @param attributes of the request, as one of the sender
     * @throws dev.evenkeel.client.ForbiddenException when the sender may not act as that user
     */
    public Attributes act(HttpExchange call, Attributes attributes, Permissions permissions) {
        User user = impersonation.act(headers(call), attributes, permissions);
        if (user.equals(attributes.user())) {
            return attributes;
        }
        call.audit().impersonated(user);
        return attributes.user(user);
    }

    /**
     * Checks that a user may make a request.
     *
     * @throws dev.evenkeel.client.ForbiddenException when it is not allowed
     */
    public static void authorize(HttpExchange call, Attributes attributes, Permissions permissions) {
        AuditEvent audit = call.audit();
        Decision decision = permissions.authorize(attributes);
        audit.annotate("authorization.k8s.io/decision", decision.allowed() ? "allow" : "forbid");
        audit.annotate("authorization.k8s.io/reason", decision.reason());
        if (!decision.allowed()) {
            throw Refusal.forbidden(attributes, decision.reason());
        }
    }

    /** Returns the sender for the verbs of a partition. */
    public Requester requester(HttpExchange call, ResourceApi partition, WebhookObserver webhooks) {
        return new Requester(
                call.user(),
                authentication.map(known -> known.tokens(partition)).orElse(Tokens.NONE),
                call.audit()::annotate,
                webhooks);
    }

    /** Returns true if a request has no credentials. */
    public static boolean isAnonymous(HttpExchange call) {
        return credentials(call).absent();
    }

    /** Returns the credentials that a request has tried, in upstream's words. */
    public static String attempted(HttpExchange call) {
        String header = call.header("Authorization");
        List<String> methods = new ArrayList<>(2);
        if (header.regionMatches(true, 0, "Basic ", 0, 6)) {
            methods.add("basic");
        }
        if (header.regionMatches(true, 0, "Bearer ", 0, 7)) {
            methods.add("bearer");
        }
        if (!call.transport().certificates().isEmpty()) {
            methods.add("x509");
        }
        return methods.isEmpty()
                ? "Authentication failed, no credentials provided"
                : "Authentication failed, attempted: " + String.join(", ", methods);
    }

    private static Credentials credentials(HttpExchange call) {
        String header = call.header("Authorization");
        String token = header.regionMatches(true, 0, "Bearer ", 0, 7)
                ? header.substring(7).strip()
                : header.isEmpty() ? ofSocket(call) : "";
        List<X509Certificate> certificates = call.transport().certificates();
        return token.isEmpty() && certificates.isEmpty() ? Credentials.NONE : new Credentials(token, certificates);
    }

    /** Returns the token of a WebSocket: browsers cannot send headers there, so the token is a subprotocol. */
    private static String ofSocket(HttpExchange call) {
        for (String protocol : call.header("Sec-WebSocket-Protocol").split(",", -1)) {
            if (protocol.strip().startsWith(SOCKET_TOKEN)) {
                String text = protocol.strip().substring(SOCKET_TOKEN.length());
                try {
                    return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    return "";
                }
            }
        }
        return "";
    }

    private static Impersonation.Headers headers(HttpExchange call) {
        Transport transport = call.transport();
        return new Impersonation.Headers() {
            @Override
            public Iterable<String> names() {
                return transport.headers();
            }

            @Override
            public List<String> values(String name) {
                return transport.headers(name);
            }
        };
    }

    private static Attributes attributes(HttpExchange call, User user, ResourcePath path, String verb) {
        String subresource = path.subresource();
        int slash = subresource.indexOf('/');
        boolean namespaces = path.group().isEmpty() && path.resource().equals("namespaces");
        String name = path.name();
        if (name.isEmpty() && (verb.equals("list") || verb.equals("watch"))) {
            name = selected(call);
        }
        return Attributes.ofResource(
                user,
                verb,
                path.group(),
                path.version(),
                path.resource(),
                slash < 0 ? subresource : subresource.substring(0, slash),
                namespaces ? path.name() : path.namespace(),
                name);
    }

    /** Returns the only name that a field selector selects; empty when there is none. */
    private static String selected(HttpExchange call) {
        String text = call.query().first("fieldSelector");
        if (text.isEmpty()) {
            return "";
        }
        try {
            return FieldSelector.parse(text)
                    .exactValue("metadata.name")
                    .filter(name -> Names.pathSegment(name).isEmpty())
                    .orElse("");
        } catch (RuntimeException e) {
            return ""; // refused when the request is handled
        }
    }
}
