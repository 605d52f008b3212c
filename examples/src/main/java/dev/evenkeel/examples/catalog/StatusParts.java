package dev.evenkeel.examples.catalog;

import dev.evenkeel.protobuf.ProtobufObject;
import dev.evenkeel.protobuf.StatusPart;
import dev.evenkeel.reconcile.condition.StatusAccess;

/** Access to the parts of a status, each of which one controller writes. */
final class StatusParts {
    private StatusParts() {}

    static <T extends ProtobufObject<?>> StatusAccess.Values<T, StatusPart> of(String key) {
        return StatusAccess.<T, StatusPart>part(
                        key, ProtobufObject::status, ProtobufObject::status, () -> StatusPart.EMPTY)
                .conditions(StatusPart::conditions, StatusPart::conditions)
                .observedGeneration(StatusPart::observedGeneration);
    }
}
