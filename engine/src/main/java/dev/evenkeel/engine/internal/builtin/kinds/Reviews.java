package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.UserInfo;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Tokens;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reviews of authentication and authorization, apart from questions about a single request. */
final class Reviews {
    private Reviews() {}

    /** Lists the rules of the sender in a namespace. The answer does not repeat the question. */
    static JsonObject rules(JsonObject review, Requester requester, Permissions permissions, String now) {
        String namespace = review.string("spec", "namespace");
        if (namespace.isEmpty()) {
            throw Refusal.badRequest("no namespace on request");
        }
        review.put("metadata", new JsonObject());
        review.put("spec", new JsonObject());
        Permissions.Rules rules = permissions.rules(requester.user(), namespace);
        List<@Nullable Object> resources = new ArrayList<>();
        List<@Nullable Object> paths = new ArrayList<>();
        for (PolicyRule rule : rules.rules()) {
            JsonObject shown = JsonObject.of("verbs", rule.verbs());
            if (!rule.resources().isEmpty()) {
                resources.add(shown.set("apiGroups", rule.groups())
                        .set("resources", rule.resources())
                        .setUnlessEmpty("resourceNames", rule.names()));
            } else if (!rule.paths().isEmpty()) {
                paths.add(shown.set("nonResourceURLs", rule.paths()));
            }
        }
        return JsonObject.of("resourceRules", resources, "nonResourceRules", paths, "incomplete", false)
                .setUnlessEmpty("evaluationError", Permissions.listed(rules.problems()));
    }

    static JsonObject self(JsonObject review, Requester requester, Permissions permissions, String now) {
        review.put("metadata", JsonObject.of("creationTimestamp", now));
        return JsonObject.of("userInfo", UserInfo.of(requester.user()));
    }

    static JsonObject token(JsonObject review, Requester requester, Permissions permissions, String now) {
        String token = review.string("spec", "token");
        if (token.isEmpty()) {
            throw Refusal.badRequest("token is required for TokenReview in authentication");
        }
        List<String> audiences = review.object("spec").strings("audiences");
        Tokens.Review found = requester
                .tokens()
                .review(token, audiences.isEmpty() ? List.of(requester.tokens().audience()) : audiences);
        return found.user().isPresent()
                ? JsonObject.of(
                        "authenticated", true, "user", UserInfo.of(found.user().get()), "audiences", found.audiences())
                : JsonObject.of("user", new JsonObject(), "error", found.problem());
    }
}
