package dev.evenkeel.testing.call;

import java.util.Locale;

/** What a {@link RecordedCall} does. Which sub-resource it does it to is said apart. */
public enum Verb {
    /** Reads an object, or its scale. */
    GET,
    /** Reads many objects. */
    LIST,
    /** Opens a watch. */
    WATCH,
    /** Makes an object. */
    CREATE,
    /** Replaces an object, its status or its scale. */
    UPDATE,
    /** Server-side apply, whether it is asked for with an object or with a patch. */
    APPLY,
    /** All other patches. */
    PATCH,
    /** Deletes an object. */
    DELETE,
    /** Deletes all selected objects. */
    DELETE_COLLECTION;

    /** Whether it changes something. */
    public boolean writes() {
        return this != GET && this != LIST && this != WATCH;
    }

    /** Whether it is about many objects, so that its calls have no name. */
    public boolean selects() {
        return this == LIST || this == WATCH || this == DELETE_COLLECTION;
    }

    /** In small letters, as {@code delete collection}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
