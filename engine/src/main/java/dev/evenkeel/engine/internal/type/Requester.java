package dev.evenkeel.engine.internal.type;

import dev.evenkeel.engine.User;
import java.util.List;

/**
 * The sender of a request.
 *
 * @param user the authenticated user
 * @param tokens the tokens of the partition
 */
public record Requester(User user, Tokens tokens) {
    /** The program that contains the engine: an administrator, for whom all tokens are invalid. */
    public static final Requester IN_PROCESS =
            new Requester(new User("system:admin", "", List.of(User.MASTERS, User.AUTHENTICATED)), Tokens.NONE);
}
