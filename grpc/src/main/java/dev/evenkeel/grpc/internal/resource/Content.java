package dev.evenkeel.grpc.internal.resource;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.Descriptor;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.protobuf.internal.StatusFormat;
import java.util.List;
import java.util.Optional;

/** The form of the data of a type: the part of an object that is neither metadata nor status. */
public interface Content {
    /** Returns the full name of the message in {@code data}. */
    String message();

    /** Returns the definition of the message, if the type is defined in protobuf. */
    Optional<Descriptor> definition();

    /** Returns the format of the fields of a part of the status; empty when the type has no message for it. */
    Optional<StatusFormat> status(String key);

    /** Returns the data of an object; empty when it has none. */
    Optional<Any> data(JsonObject tree);

    /**
     * Puts data into an object, in place of what it has.
     *
     * @param field of the data, for violations
     */
    void put(Any data, JsonObject tree, String field, Violations violations);

    /** Removes the data of an object. */
    void remove(JsonObject tree);

    /**
     * Returns the path in an object of a path in data.
     *
     * @param names of the fields, such as {@code genre}; at least one
     */
    List<String> path(List<String> names);

    /**
     * Returns the field of the data, without a prefix, that is at a path of the object.
     *
     * @param path such as {@code spec.genre}
     */
    String field(String path);
}
