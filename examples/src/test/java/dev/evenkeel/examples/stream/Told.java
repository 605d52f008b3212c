package dev.evenkeel.examples.stream;

import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.object.Given;

/** Effects on an object, and their events. */
final class Told {
    private Told() {}

    private static String named(Given<?> child) {
        return child.type().getSimpleName() + " \"" + child.key().name() + "\"";
    }

    private static <S extends Expectations<S>> S event(
            Expectations<S> t, Given<?> owner, String type, String reason, String action, String message) {
        return t.expectEvent(owner, type, reason, action, message);
    }

    static <S extends Expectations<S>> S created(Expectations<S> t, Given<?> owner, Given<?> child) {
        return event(t.expectCreate(child), owner, "Normal", "Created", "CreateChild", "Created " + named(child));
    }

    /** Made by an apply. */
    static <S extends Expectations<S>> S applied(Expectations<S> t, Given<?> owner, Given<?> child) {
        return event(t.expectApply(child), owner, "Normal", "Created", "CreateChild", "Created " + named(child));
    }

    static <S extends Expectations<S>> S updated(Expectations<S> t, Given<?> owner, Given<?> child) {
        return event(t.expectUpdate(child), owner, "Normal", "Updated", "UpdateChild", "Updated " + named(child));
    }

    /** Changed by an apply. */
    static <S extends Expectations<S>> S reapplied(Expectations<S> t, Given<?> owner, Given<?> child) {
        return event(t.expectApply(child), owner, "Normal", "Updated", "UpdateChild", "Updated " + named(child));
    }

    static <S extends Expectations<S>> S deleted(Expectations<S> t, Given<?> owner, Given<?> child) {
        return event(t.expectDelete(child), owner, "Normal", "Deleted", "DeleteChild", "Deleted " + named(child));
    }

    static <S extends Expectations<S>> S notCreated(Expectations<S> t, Given<?> owner, Given<?> child, String why) {
        return event(
                t, owner, "Warning", "CreationFailed", "CreateChild", "Failed to create " + named(child) + ": " + why);
    }

    static <S extends Expectations<S>> S status(Expectations<S> t, Given<?> owner) {
        return event(t.expectStatusUpdate(owner), owner, "Normal", "StatusUpdated", "WriteStatus", "Updated status");
    }
}
