package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;
import java.util.Set;

/**
 * An admission plugin: a rule about creates and updates of some kinds that depends on other objects, or is not part of
 * the kind.
 */
interface Plugin {
    /** Returns the ids of the types that the rule is about. */
    Set<String> types();

    /** Changes the object of a write, before its defaults are final and it is validated; may refuse it too. */
    default void mutate(Write write) {}

    /** Changes a document that is posted to a subresource of an object of one of the types. */
    default void mutate(Target target, JsonObject document) {}

    /** Refuses the object of a write, which is valid by the rules of its kind. */
    default void validate(Write write) {}

    /** Refuses a write with the code 403. */
    static RuntimeException refuse(Write write, String why) {
        String name = write.target().name();
        return Refusal.forbidden(
                write.target().type(), name.isEmpty() ? write.tree().string("metadata", "name") : name, why, List.of());
    }

    /** Returns true for creates of the object itself. */
    static boolean creates(Write write) {
        return write.operation() == Write.Operation.CREATE
                && write.target().subresource().isEmpty();
    }
}
