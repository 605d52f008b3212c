package dev.evenkeel.engine.internal.access;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Target;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a program about single objects of a type, which decide after the permissions for verbs do. Members of
 * {@code system:masters} are not subject to them.
 *
 * <p>A rule is first called without the content of the object. If the name is enough to decide, an object that the user
 * may not see and one that does not exist are refused alike; if not, both are not found.
 */
public interface ContentRules {
    /** A decision. */
    enum Verdict {
        ALLOW,
        DENY,
        /** The decision depends on the content, which was not given. */
        NEEDS_CONTENT
    }

    /** The sender of a request. */
    record Caller(User user, Permissions permissions) {}

    /** Returns whether a user may list and watch the objects of a target, of which it sees those that it may read. */
    boolean mayList(Caller caller, Target target);

    /**
     * Returns whether a user may read an object.
     *
     * @param content the object in the target's version, which must not be changed; null if it is not read yet
     */
    Verdict mayRead(Caller caller, Target target, @Nullable Supplier<JsonObject> content);

    /**
     * Returns whether a user may write an object with this content, or replace or delete it.
     *
     * @param content the object in the target's version, which must not be changed; null if it is not read yet
     */
    Verdict mayWrite(Caller caller, Target target, @Nullable Supplier<JsonObject> content);
}
