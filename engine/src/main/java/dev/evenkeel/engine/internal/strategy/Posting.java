package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.function.Consumer;

/** A subresource that documents are posted to, such as {@code pods/binding}. */
@FunctionalInterface
public interface Posting {
    /**
     * Returns the effect of a document.
     *
     * @param name the name of the object in the URL
     */
    Effect effect(JsonObject document, String name, ResourceStrategy.Context context);

    /** The effect of a posted document on the object. */
    sealed interface Effect {}

    /** Changes the object; what the change throws is the answer. */
    record Change(Consumer<JsonObject> change) implements Effect {}

    /** Issues a token for the object, a service account, and answers with it. */
    record TokenRequest(JsonObject request) implements Effect {}

    /** Deletes the object, a pod, if its disruption budget allows it. */
    record Eviction(JsonObject eviction) implements Effect {}
}
