package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The reviews of authentication and authorization. */
final class Reviews {
    /** The audience of tokens that are meant for the API server. */
    private static final String AUDIENCE = "https://kubernetes.default.svc";

    private Reviews() {}

    /** Permits everything, as long as there is no access control. The answer does not repeat the question. */
    static JsonObject rules(JsonObject review, Requester requester, String now) {
        if (review.string("spec", "namespace").isEmpty()) {
            throw Refusal.badRequest("no namespace on request");
        }
        review.put("metadata", new JsonObject());
        review.put("spec", new JsonObject());
        List<String> all = List.of("*");
        JsonObject resources = JsonObject.of("verbs", all, "apiGroups", all, "resources", all);
        JsonObject paths = JsonObject.of("verbs", all, "nonResourceURLs", all);
        return new JsonObject()
                .set("resourceRules", List.of(resources))
                .set("nonResourceRules", List.of(paths))
                .set("incomplete", false);
    }

    static JsonObject self(JsonObject review, Requester requester, String now) {
        review.put("metadata", JsonObject.of("creationTimestamp", now));
        return JsonObject.of("userInfo", info(requester.user()));
    }

    static JsonObject token(JsonObject review, Requester requester, String now) {
        String token = review.string("spec", "token");
        if (token.isEmpty()) {
            throw Refusal.badRequest("token is required for TokenReview in authentication");
        }
        List<?> audiences = review.array("spec", "audiences");
        boolean meant = audiences.isEmpty() || audiences.contains(AUDIENCE);
        Optional<UserInfo> user = meant ? requester.tokens().apply(token) : Optional.empty();
        return user.isPresent()
                ? JsonObject.of("authenticated", true, "user", info(user.get()), "audiences", List.of(AUDIENCE))
                : JsonObject.of("user", new JsonObject(), "error", "invalid bearer token");
    }

    private static JsonObject info(UserInfo user) {
        return JsonObject.of("username", user.username())
                .setUnlessEmpty("uid", user.uid())
                .set("groups", new ArrayList<@Nullable Object>(user.groups()));
    }
}
