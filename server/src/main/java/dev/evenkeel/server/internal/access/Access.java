package dev.evenkeel.server.internal.access;

import dev.evenkeel.server.User;
import dev.evenkeel.server.internal.http.ApiPath;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Labels;
import java.util.Optional;

/**
 * The steps that a request passes before the door acts on it: who asks, and whether they may.
 *
 * <p>Today there are tokens, and everyone with a token may do everything. Other ways to prove who one is, and role based
 * authorization, are further implementations of this interface.
 */
public interface Access {
    /** Lets everyone do everything: for servers that only this machine can reach. */
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
     * Who asks.
     *
     * @throws dev.evenkeel.client.UnauthorizedException when there are no credentials, or wrong ones
     */
    User authenticate(HttpExchange call);

    /** Returns the user of a bearer token; empty for a token that is not valid. */
    Optional<User> user(String token);

    /**
     * Refuses what the user may not do.
     *
     * @param what verb and resource; {@link Labels#OTHER} for paths that are no resource
     * @throws dev.evenkeel.client.ForbiddenException when it is not allowed
     */
    void authorize(User user, Labels what, ApiPath path);
}
