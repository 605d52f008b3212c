package dev.evenkeel.access.internal;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.NameGenerator;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.Tokens;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Issues tokens for users by name, who need not exist anywhere else.
 *
 * <p>A user may issue a token for another user if it may impersonate that user and the groups: the token permits nothing
 * that impersonation does not. It cannot be withdrawn before it expires.
 */
public record UserTokens(Authentication authentication, ResourceApi partition) {
    /** The path of the server to which requests are posted. */
    public static final String PATH = "/evenkeel/tokens";

    private static final long SHORTEST = 60;
    private static final long LONGEST = 365 * 24 * 3600L;

    /**
     * Issues a token.
     *
     * @param request has {@code user}, {@code groups} and {@code expirationSeconds}
     * @return has {@code token} and {@code expirationTimestamp}
     */
    public JsonObject create(User sender, JsonObject request) {
        String name = request.string("user");
        List<String> groups = request.strings("groups");
        long seconds = request.integer("expirationSeconds");
        if (name.isEmpty() || name.startsWith("system:")) {
            throw invalid(FieldError.invalid("user", name, "must be a name that does not begin with system:"));
        }
        if (seconds < SHORTEST || seconds > LONGEST) {
            throw invalid(FieldError.invalid(
                    "expirationSeconds", seconds, "must be from " + SHORTEST + " to " + LONGEST + " (a year)"));
        }
        Permissions permissions = partition.permissions();
        permissions.require(impersonate(sender, "users", name));
        groups.forEach(group -> permissions.require(impersonate(sender, "groups", group)));
        Instant now = authentication.now().truncatedTo(ChronoUnit.SECONDS);
        Instant expires = now.plusSeconds(seconds);
        Tokens tokens = authentication.tokens(partition);
        Tokens.Claims claims = new Tokens.Claims(
                name,
                List.of(tokens.audience()),
                now,
                expires,
                NameGenerator.uuid(ThreadLocalRandom.current()),
                PartitionTokens.USER_CLAIM,
                JsonObject.of("groups", groups));
        return JsonObject.of("token", tokens.issue(claims).orElseThrow(), "expirationTimestamp", expires.toString());
    }

    private static Attributes impersonate(User sender, String resource, String name) {
        return Attributes.ofResource(sender, "impersonate", "", "v1", resource, "", "", name);
    }

    private static RuntimeException invalid(FieldError error) {
        return Refusal.invalid("evenkeel.dev", "UserToken", "", List.of(error));
    }
}
