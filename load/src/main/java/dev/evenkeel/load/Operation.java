package dev.evenkeel.load;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import java.time.Duration;
import java.util.Map;

/** A step of a load. */
public sealed interface Operation {
    /** Creates an object. */
    record Create(LoadObject object) implements Operation {}

    /**
     * Changes an object by a JSON merge patch.
     *
     * @param status true for the status, false for everything else
     */
    record Edit(Kind<Encoded> kind, ObjectKey key, Map<String, ?> patch, boolean status) implements Operation {}

    /** Deletes an object, if it is there. */
    record Delete(Kind<Encoded> kind, ObjectKey key) implements Operation {}

    /** Waits until an object is deleted completely; everything before it is finished first. */
    record AwaitDeleted(Kind<Encoded> kind, ObjectKey key) implements Operation {}

    /** Ends all watches of the controller; everything before it is finished first. */
    record CutWatches() implements Operation {}

    /** Makes the API unreachable for the controller, for a time; everything before it is finished first. */
    record Outage(Duration duration) implements Operation {}

    /** Returns whether operations before this one must be finished first, and those after it wait for it. */
    default boolean barrier() {
        return switch (this) {
            case Create create -> create.object().kind().plural().equals("namespaces");
            case Edit edit -> false;
            case Delete delete -> delete.kind().plural().equals("namespaces");
            case AwaitDeleted await -> true;
            case CutWatches cut -> true;
            case Outage outage -> true;
        };
    }
}
