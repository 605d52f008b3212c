package dev.evenkeel.load;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;

/**
 * The visible effect that a controller has because of a change. Texts have the placeholders {@code ${namespace}} and {@code ${name}} of the
 * changed object, and {@code ${name#PREFIX}} for its name without a prefix.
 */
public sealed interface Effect {
    /** A word in the output of the controller; blanks, commas, quotes, brackets and {@code =} end words. */
    record Output(String word) implements Effect {}

    /**
     * The controller has observed the generation of the changed object, or a later one, by {@code status.observedGeneration}.
     *
     * @param condition the type of a condition that must be true for that generation; its own {@code observedGeneration}
     *     counts, or else that of the status; empty for none
     */
    record ObservedGeneration(String condition) implements Effect {}

    /**
     * An object in the same namespace, or of cluster scope, has a value; after the deletion of the changed object, it is
     * deleted.
     *
     * @param kind the kind of the object
     * @param label the label that identifies the object; empty if its name does
     * @param name the name of the object, or the value of its label
     * @param path the fields that lead to the value, with dots between them; empty if the object need only exist
     * @param source the fields that lead to the same value in the changed object
     */
    record Shown(Kind<Encoded> kind, String label, String name, String path, String source) implements Effect {
        /** Returns the effect in an object that its name identifies. */
        public static Shown named(Kind<Encoded> kind, String name, String path, String source) {
            return new Shown(kind, "", name, path, source);
        }
    }
}
