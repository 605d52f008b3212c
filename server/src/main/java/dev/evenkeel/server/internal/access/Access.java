package dev.evenkeel.server.internal.access;

import dev.evenkeel.server.User;
import dev.evenkeel.server.internal.http.ApiPath;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Labels;
import java.util.Optional;

/**
 * Authenticates and authorizes requests before they are handled.
 *
 * <p>Today there are tokens, and every user with a token has full access. Other ways of authentication, and role based
 * authorization, are further implementations of this interface.
 */
public interface Access {
    /** Gives every client full access: for servers that only this machine can reach. */
    Access OPEN = new Access() {
        @Override
        public User authenticate(HttpExchange call) {
            return User.ADMIN;
        }

        @Override
        public Optional<User> user(String token) {
            return Optional.empty();
        }

        @Override
        public void authorize(User user, Labels what, ApiPath path) {}
    };

    /**
     * Authenticates a request.
     *
     * @throws dev.evenkeel.client.UnauthorizedException when there are no credentials, or wrong ones
     */
    User authenticate(HttpExchange call);

    /** Returns the user of a bearer token; empty for an invalid token. */
    Optional<User> user(String token);

    /**
     * Refuses a request that the user is not permitted to make.
     *
     * @param what verb and resource; {@link Labels#OTHER} for paths other than resources
     * @throws dev.evenkeel.client.ForbiddenException when it is not allowed
     */
    void authorize(User user, Labels what, ApiPath path);
}
