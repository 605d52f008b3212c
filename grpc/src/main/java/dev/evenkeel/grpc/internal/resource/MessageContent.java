package dev.evenkeel.grpc.internal.resource;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.protobuf.internal.DataFormat;
import dev.evenkeel.protobuf.internal.InvalidDataException;
import dev.evenkeel.protobuf.internal.StatusFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The data of a type that is defined in protobuf: its message, which is the {@code spec} of the object. */
record MessageContent(DataFormat format) implements Content {
    private static final String SPEC = "spec";
    private static final String UNKNOWN = "unknownFields";

    @Override
    public String message() {
        return format.messageName();
    }

    @Override
    public Optional<Descriptor> definition() {
        return Optional.of(format.options().message());
    }

    @Override
    public Optional<StatusFormat> status(String key) {
        return format.status(key);
    }

    @Override
    public Optional<Any> data(JsonObject tree) {
        return format.data(tree);
    }

    @Override
    public void put(Any data, JsonObject tree, String field, Violations violations) {
        String given = StructContent.messageOf(data);
        if (!given.equals(message())) {
            violations.add(field, field + " is of wrong type (expected=\"" + message() + "\", got=\"" + given + "\")");
            return;
        }
        try {
            JsonObject members = format.members(data);
            if (members.array(UNKNOWN).isEmpty() && !tree.containsKey(UNKNOWN)) {
                members.remove(UNKNOWN);
            }
            tree.putAll(members);
        } catch (InvalidDataException e) {
            e.errors().forEach(error -> {
                String below = field(error.field());
                String at = below.isEmpty() ? field : field + "." + below;
                violations.add(at, at + ": " + error.detail());
            });
        }
    }

    @Override
    public void remove(JsonObject tree) {
        tree.remove(SPEC);
        if (tree.containsKey(UNKNOWN)) {
            tree.put(UNKNOWN, new ArrayList<@Nullable Object>()); // an absent list would keep the former one
        }
    }

    @Override
    public List<String> path(List<String> names) {
        List<String> path = new ArrayList<>(List.of(SPEC));
        Descriptor message = format.options().message();
        for (String name : names) {
            FieldDescriptor field = message == null ? null : field(message, name);
            path.add(field == null ? name : field.getJsonName());
            boolean nested =
                    field != null && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isRepeated();
            message = nested ? Objects.requireNonNull(field).getMessageType() : null;
        }
        return path;
    }

    private static @Nullable FieldDescriptor field(Descriptor message, String name) {
        return message.getFields().stream()
                .filter(field ->
                        field.getName().equals(name) || field.getJsonName().equals(name))
                .findFirst()
                .orElse(null);
    }

    @Override
    public String field(String path) {
        return path.equals(SPEC) ? "" : path.startsWith(SPEC + ".") ? path.substring(SPEC.length() + 1) : path;
    }
}
