package dev.evenkeel.check.internal.script;

import java.util.Map;

/** An action of the user in a step. */
public sealed interface UserAction {
    /** Returns the object, or the part of it, with its kind and name. */
    Map<String, Object> object();

    /** Applies an object by server-side apply, with force: creates it, or sets the given fields. */
    record Apply(Map<String, Object> object) implements UserAction {}

    /** Merges fields into an object, and into its status if there is one in the fields. */
    record Merge(Map<String, Object> object) implements UserAction {}

    /** Deletes an object. */
    record Delete(Map<String, Object> object) implements UserAction {}
}
