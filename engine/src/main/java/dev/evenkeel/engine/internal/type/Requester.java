package dev.evenkeel.engine.internal.type;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The sender of a request.
 *
 * @param user the authenticated user
 * @param tokens finds the user of any bearer token; empty for a token that is not valid
 */
public record Requester(UserInfo user, Function<String, Optional<UserInfo>> tokens) {
    /** The program that contains the engine: an administrator, for whom all tokens are invalid. */
    public static final Requester IN_PROCESS = new Requester(
            new UserInfo("system:admin", "", List.of("system:masters", "system:authenticated")),
            token -> Optional.empty());
}
