package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** The fields of a part of the status in both forms: JSON, and the message that the type has for the part. */
public final class StatusFormat {
    private final MessageFormat format;

    StatusFormat(Descriptor message) {
        format = new MessageFormat(DynamicMessage.getDefaultInstance(message));
    }

    /** Returns the full name of the message. */
    public String messageName() {
        return format.descriptor().getFullName();
    }

    /** Returns fields as the message; empty when there are others than those of the message, or they have other values. */
    public Optional<Any> data(JsonObject fields) {
        try {
            return Optional.of(format.encode(format.read(fields, "")));
        } catch (InvalidDataException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the fields of a message.
     *
     * @throws InvalidDataException when it cannot be decoded, has fields that its definition does not have, or a value without
     *     a JSON form
     */
    public JsonObject fields(Any data) {
        Message message;
        try {
            message = format.decode(data);
        } catch (InvalidProtocolBufferException e) {
            throw invalid("cannot be decoded: " + e.getMessage());
        }
        MessageParts parts = MessageParts.of(message, format.types());
        if (!parts.errors().isEmpty()) {
            throw new InvalidDataException(parts.errors());
        }
        if (!parts.unknown().isEmpty()) {
            throw invalid("has fields that " + messageName() + " does not have");
        }
        return format.print(message);
    }

    private InvalidDataException invalid(String why) {
        return new InvalidDataException(List.of(FieldError.invalid("", messageName(), why)));
    }
}
