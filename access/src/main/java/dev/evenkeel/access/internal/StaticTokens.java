package dev.evenkeel.access.internal;

import dev.evenkeel.engine.User;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tokens that are known from the start.
 *
 * <p>Tokens are stored and compared as SHA-256 digests, all of them for each request: the duration does not reveal how
 * much of a token was right.
 */
final class StaticTokens {
    @SuppressWarnings("ArrayRecordComponent") // never leaves this class
    private record Holder(byte[] digest, User user) {}

    private final List<Holder> holders = new ArrayList<>();

    StaticTokens(Map<String, User> tokens) {
        tokens.forEach((token, user) -> holders.add(new Holder(digest(token), user.authenticated())));
    }

    Optional<User> user(String token) {
        byte[] digest = digest(token);
        User found = null;
        for (Holder holder : holders) {
            if (MessageDigest.isEqual(holder.digest, digest)) {
                found = holder.user;
            }
        }
        return token.isEmpty() ? Optional.empty() : Optional.ofNullable(found);
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
