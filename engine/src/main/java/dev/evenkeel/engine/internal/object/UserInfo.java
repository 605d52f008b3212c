package dev.evenkeel.engine.internal.object;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Users as in reviews: the type {@code UserInfo} of {@code authentication.k8s.io}. */
public final class UserInfo {
    private UserInfo() {}

    /** Returns the user as a tree. */
    public static JsonObject of(User user) {
        return fields(new JsonObject(), user);
    }

    /** Adds the fields of the user to a tree. */
    public static JsonObject fields(JsonObject tree, User user) {
        return tree.set("username", user.name())
                .setUnlessEmpty("uid", user.uid())
                .setUnlessEmpty("groups", new ArrayList<@Nullable Object>(user.groups()))
                .setUnlessEmpty("extra", new JsonObject(user.extra()));
    }
}
