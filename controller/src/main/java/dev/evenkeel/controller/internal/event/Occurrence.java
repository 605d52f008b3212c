package dev.evenkeel.controller.internal.event;

import dev.evenkeel.controller.EventRecorder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

record Occurrence(
        ObjectReference object, EventRecorder.Type type, String reason, String action, String message, Instant at) {
    static ObjectReference reference(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        ObjectReference reference = new ObjectReference();
        reference.setApiVersion(object.getApiVersion());
        reference.setKind(object.getKind());
        reference.setNamespace(metadata.getNamespace());
        reference.setName(metadata.getName());
        reference.setUid(metadata.getUid());
        reference.setResourceVersion(metadata.getResourceVersion());
        return reference;
    }

    String namespace() {
        String namespace = Objects.requireNonNullElse(object.getNamespace(), "");
        return namespace.isEmpty() ? "default" : namespace;
    }

    /** Returns a unique name for the event: that of the object, shortened as necessary, and a number. */
    String name(long number) {
        String name = Objects.requireNonNullElse(object.getName(), "unknown");
        return (name.length() > 230 ? name.substring(0, 230) : name) + "." + Long.toHexString(number);
    }

    /** Returns the identity of the object, independent of its version. */
    String objectKey() {
        return Stream.of(
                        object.getApiVersion(),
                        object.getKind(),
                        object.getNamespace(),
                        object.getName(),
                        object.getUid())
                .map(text -> text == null ? "" : text)
                .collect(Collectors.joining("\u0000"));
    }
}
