package dev.evenkeel.server.internal.access;

import dev.evenkeel.server.User;
import dev.evenkeel.server.internal.http.ApiPath;
import dev.evenkeel.server.internal.http.Digests;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Labels;
import dev.evenkeel.server.internal.http.Negotiator;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Authenticates users by the token they send.
 *
 * <p>Tokens are stored and compared as SHA-256 digests, all of them for each request: the duration does not reveal how
 * much of a token was right.
 */
public final class BearerTokens implements Access {
    @SuppressWarnings("ArrayRecordComponent") // never leaves this class
    private record Holder(byte[] digest, User user) {}

    private final List<Holder> holders = new ArrayList<>();

    public BearerTokens(Map<String, User> tokens) {
        tokens.forEach((token, user) -> holders.add(new Holder(Digests.sha256(token), authenticated(user))));
    }

    private static User authenticated(User user) {
        Set<String> groups = new LinkedHashSet<>(user.groups());
        groups.add("system:authenticated");
        return new User(user.name(), user.uid(), List.copyOf(groups));
    }

    @Override
    public User authenticate(HttpExchange call) {
        String header = call.header("Authorization");
        String token = header.regionMatches(true, 0, "Bearer ", 0, 7)
                ? header.substring(7).strip()
                : header.isEmpty() ? ofSocket(call) : "";
        return user(token).orElseThrow(Failures::unauthorized);
    }

    @Override
    public Optional<User> user(String token) {
        byte[] digest = Digests.sha256(token);
        User found = null;
        for (Holder holder : holders) {
            if (MessageDigest.isEqual(holder.digest, digest)) {
                found = holder.user;
            }
        }
        return token.isEmpty() ? Optional.empty() : Optional.ofNullable(found);
    }

    @Override
    public void authorize(User user, Labels what, ApiPath path) {
        // every user with a token has full access
    }

    /** Returns the token of a WebSocket: browsers cannot send headers there, so the token is a subprotocol. */
    private static String ofSocket(HttpExchange call) {
        for (String protocol : call.header("Sec-WebSocket-Protocol").split(",", -1)) {
            if (protocol.strip().startsWith(Negotiator.TOKEN_PREFIX)) {
                String text = protocol.strip().substring(Negotiator.TOKEN_PREFIX.length());
                try {
                    return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    return "";
                }
            }
        }
        return "";
    }
}
