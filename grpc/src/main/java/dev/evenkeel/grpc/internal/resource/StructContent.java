package dev.evenkeel.grpc.internal.resource;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.protobuf.internal.StatusFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The data of types that are not defined in protobuf: a Struct of the fields of the object, such as {@code spec}. */
final class StructContent implements Content {
    static final StructContent INSTANCE = new StructContent();

    /** The fields of an object that are not data. */
    private static final Set<String> OTHERS = Set.of("apiVersion", "kind", "metadata", "status");

    private StructContent() {}

    @Override
    public String message() {
        return Struct.getDescriptor().getFullName();
    }

    @Override
    public Optional<Descriptor> definition() {
        return Optional.empty();
    }

    @Override
    public Optional<StatusFormat> status(String key) {
        return Optional.empty();
    }

    @Override
    public Optional<Any> data(JsonObject tree) {
        JsonObject data = new JsonObject(tree);
        OTHERS.forEach(data::remove);
        return data.isEmpty() ? Optional.empty() : Optional.of(Any.pack(Structs.struct(data)));
    }

    @Override
    public void put(Any data, JsonObject tree, String field, Violations violations) {
        if (!data.is(Struct.class)) {
            violations.add(
                    field,
                    field + " is of wrong type (expected=\"" + message() + "\", got=\"" + messageOf(data) + "\")");
            return;
        }
        JsonObject wanted;
        try {
            wanted = Structs.tree(data.unpack(Struct.class));
        } catch (InvalidProtocolBufferException e) {
            violations.invalid(field, "it is not an encoded " + message() + ": " + e.getMessage());
            return;
        }
        for (String other : OTHERS) {
            if (wanted.containsKey(other)) {
                violations.invalid(field + "." + other, "it is a field of the resource, not of its data");
            }
        }
        JsonObject old = new JsonObject(tree);
        remove(tree);
        wanted.forEach((key, value) -> tree.put(key, Structs.restore(value, old.get(key))));
    }

    /** Returns the full name of the message in an Any. */
    static String messageOf(Any data) {
        return data.getTypeUrl().substring(data.getTypeUrl().lastIndexOf('/') + 1);
    }

    @Override
    public void remove(JsonObject tree) {
        tree.keySet().retainAll(OTHERS);
    }

    @Override
    public List<String> path(List<String> names) {
        return names;
    }

    @Override
    public String field(String path) {
        return path;
    }
}
