package dev.evenkeel.testing;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.EventRecorder;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * An event that the code under test recorded.
 *
 * @param apiVersion of the object that it is about
 * @param kind of the object
 * @param key of the object
 * @param type {@code Normal} or {@code Warning}
 * @param reason short word for machines
 * @param action what was done, likewise; empty for the same as the reason
 * @param message for people
 */
public record RecordedEvent(
        String apiVersion, String kind, ObjectKey key, String type, String reason, String action, String message) {
    static RecordedEvent of(HasMetadata object, EventRecorder.Type type, String reason, String action, String message) {
        return new RecordedEvent(
                object.getApiVersion(),
                object.getKind(),
                ObjectKey.of(object),
                type.toString(),
                reason,
                action,
                message);
    }

    /** {@code Warning CreationFailed of Website default/blog: Failed to create ...}. */
    @Override
    public String toString() {
        return type + " " + reason + (action.isEmpty() ? "" : " (" + action + ")") + " of " + kind + " " + key + ": "
                + message;
    }
}
