package dev.evenkeel.engine.internal.type;

import dev.evenkeel.engine.User;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The sender of a request.
 *
 * @param user the authenticated user
 * @param tokens the tokens of the partition
 * @param audit receives the audit annotations of the request, each a key and a value
 * @param webhooks learns of the calls of admission webhooks
 */
public record Requester(User user, Tokens tokens, BiConsumer<String, String> audit, WebhookObserver webhooks) {
    /** The program that contains the engine: an administrator, for whom all tokens are invalid. */
    public static final Requester IN_PROCESS =
            new Requester(new User("system:admin", "", List.of(User.MASTERS, User.AUTHENTICATED)), Tokens.NONE);

    /** A sender whose requests are not audited. */
    public Requester(User user, Tokens tokens) {
        this(user, tokens, (key, value) -> {});
    }

    /** A sender whose calls of webhooks are not counted. */
    public Requester(User user, Tokens tokens, BiConsumer<String, String> audit) {
        this(user, tokens, audit, WebhookObserver.NONE);
    }
}
