package dev.evenkeel.engine.internal.strategy;

import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A subresource that documents are posted to, such as {@code pods/binding}. */
@FunctionalInterface
public interface Posting {
    /** Returns the effect of a document. */
    Effect effect(Map<String, @Nullable Object> document, ResourceStrategy.Context context);

    /** The effect of a posted document on the object. */
    sealed interface Effect {}

    /** Changes the object; what the change throws is the answer. */
    record Change(Consumer<Map<String, @Nullable Object>> change) implements Effect {}

    /** Deletes the object, with the grace period that the client wishes, in seconds. */
    record Deletion(OptionalLong grace) implements Effect {}
}
