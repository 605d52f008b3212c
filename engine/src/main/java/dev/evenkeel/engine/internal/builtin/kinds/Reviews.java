package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The reviews of authentication and authorization. */
final class Reviews {
    /** The audience of tokens that are meant for the API server. */
    private static final String AUDIENCE = "https://kubernetes.default.svc";

    static final Map<String, Review> BY_TYPE = Map.of(
            "subjectaccessreviews.authorization.k8s.io",
            new AccessReview(true, false),
            "selfsubjectaccessreviews.authorization.k8s.io",
            new AccessReview(false, false),
            "localsubjectaccessreviews.authorization.k8s.io",
            new AccessReview(true, true),
            "selfsubjectrulesreviews.authorization.k8s.io",
            (review, requester, now) -> rules(review),
            "selfsubjectreviews.authentication.k8s.io",
            (review, requester, now) -> self(review, requester.user(), now),
            "tokenreviews.authentication.k8s.io",
            (review, requester, now) -> token(review, requester.tokens()));

    private Reviews() {}

    /** Permits everything, as long as there is no access control. The answer does not repeat the question. */
    private static JsonObject rules(JsonObject review) {
        if (review.string("spec", "namespace").isEmpty()) {
            throw badRequest("no namespace on request");
        }
        review.put("metadata", new JsonObject());
        review.put("spec", new JsonObject());
        List<@Nullable Object> all = List.of("*");
        JsonObject resources = new JsonObject();
        resources.put("verbs", all);
        resources.put("apiGroups", all);
        resources.put("resources", all);
        JsonObject paths = new JsonObject();
        paths.put("verbs", all);
        paths.put("nonResourceURLs", all);
        JsonObject status = new JsonObject();
        status.put("resourceRules", List.of(resources));
        status.put("nonResourceRules", List.of(paths));
        status.put("incomplete", false);
        return status;
    }

    private static JsonObject self(JsonObject review, UserInfo user, String now) {
        JsonObject metadata = new JsonObject();
        metadata.put("creationTimestamp", now);
        review.put("metadata", metadata);
        JsonObject status = new JsonObject();
        status.put("userInfo", info(user));
        return status;
    }

    private static JsonObject token(JsonObject review, Function<String, Optional<UserInfo>> tokens) {
        String token = review.string("spec", "token");
        if (token.isEmpty()) {
            throw badRequest("token is required for TokenReview in authentication");
        }
        boolean meant = !(review.at("spec", "audiences") instanceof List<?> audiences)
                || audiences.isEmpty()
                || audiences.contains(AUDIENCE);
        Optional<UserInfo> user = meant ? tokens.apply(token) : Optional.empty();
        JsonObject status = new JsonObject();
        if (user.isPresent()) {
            status.put("authenticated", true);
            status.put("user", info(user.get()));
            status.put("audiences", List.of(AUDIENCE));
        } else {
            status.put("user", new JsonObject());
            status.put("error", "invalid bearer token");
        }
        return status;
    }

    private static JsonObject info(UserInfo user) {
        JsonObject info = new JsonObject();
        info.put("username", user.username());
        if (!user.uid().isEmpty()) {
            info.put("uid", user.uid());
        }
        info.put("groups", new ArrayList<@Nullable Object>(user.groups()));
        return info;
    }

    private static ApiException badRequest(String message) {
        return ApiException.of(Status.of(400, "BadRequest", message));
    }
}
