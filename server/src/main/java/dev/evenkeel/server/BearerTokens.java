package dev.evenkeel.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Knows users by the token they send.
 *
 * <p>Tokens are kept and compared as SHA-256 digests, all of them for each request: how long that takes says nothing
 * about how much of a token was right.
 */
final class BearerTokens implements Access {
    @SuppressWarnings("ArrayRecordComponent") // never leaves this class
    private record Holder(byte[] digest, User user) {}

    private final List<Holder> holders = new ArrayList<>();

    BearerTokens(Map<String, User> tokens) {
        tokens.forEach((token, user) -> holders.add(new Holder(digest(token), user)));
    }

    @Override
    public User authenticate(Call call) {
        String header = call.header("Authorization");
        if (header.regionMatches(true, 0, "Bearer ", 0, 7)) {
            byte[] digest = digest(header.substring(7).strip());
            User found = null;
            for (Holder holder : holders) {
                if (MessageDigest.isEqual(holder.digest, digest)) {
                    found = holder.user;
                }
            }
            if (found != null) {
                return found;
            }
        }
        throw Failures.unauthorized();
    }

    @Override
    public void authorize(User user, Labels what, ApiPath path) {
        // whoever has a token may do everything
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
