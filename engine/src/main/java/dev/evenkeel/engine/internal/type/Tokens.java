package dev.evenkeel.engine.internal.type;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Checks and issues the bearer tokens of a partition. */
public interface Tokens {
    /** The usual audience of tokens that are meant for the API server. */
    String AUDIENCE = "https://kubernetes.default.svc";

    /** No token is valid, and none is issued. */
    Tokens NONE = new Tokens() {
        @Override
        public String audience() {
            return AUDIENCE;
        }

        @Override
        public Review review(String token, List<String> audiences) {
            return Review.INVALID;
        }

        @Override
        public Optional<String> issue(Claims claims) {
            return Optional.empty();
        }
    };

    /** Returns the audience of tokens that are meant for the API server. */
    String audience();

    /**
     * Finds the user of a token.
     *
     * @param audiences at least one of these must be an audience of the token
     */
    Review review(String token, List<String> audiences);

    /** Returns a signed token; empty when none are issued here. */
    Optional<String> issue(Claims claims);

    /**
     * The answer to the question whose token this is.
     *
     * @param user empty when the token is not valid
     * @param audiences those requested that the token has
     * @param problem why it is not valid; never contains the token
     */
    record Review(Optional<User> user, List<String> audiences, String problem) {
        /** The answer to tokens of unknown origin. */
        public static final Review INVALID = new Review(Optional.empty(), List.of(), "invalid bearer token");

        /** Returns the answer to a valid token. */
        public static Review of(User user, List<String> audiences) {
            return new Review(Optional.of(user), audiences, "");
        }

        /** Returns the answer to a token whose origin is known, but which is not valid. */
        public static Review invalid(String problem) {
            return new Review(Optional.empty(), List.of(), "[invalid bearer token, " + problem + "]");
        }
    }

    /**
     * The content of a token.
     *
     * @param subject name of the user
     * @param expires must not be accepted afterwards
     * @param id unique
     * @param claim name of the claim with the further content
     * @param content the further content
     */
    record Claims(
            String subject,
            List<String> audiences,
            Instant issued,
            Instant expires,
            String id,
            String claim,
            JsonObject content) {}
}
