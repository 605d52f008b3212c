package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a message: protobuf's JSON mapping, by protobuf's library, and field paths of its errors.
 *
 * <p>Everything that the mapping accepts is read, also fields under the names of the {@code .proto} file and 64-bit
 * integers as numbers. What it prints is the one form that is stored and shown.
 */
final class MessageFormat {
    private static final int MOST_ERRORS = 100;

    private final Message prototype;
    private final TypeRegistry types;
    private final JsonFormat.Parser parser;
    private final JsonFormat.Printer printer;

    MessageFormat(Message prototype) {
        this.prototype = prototype;
        types = TypeRegistry.newBuilder().add(prototype.getDescriptorForType()).build();
        parser = JsonFormat.parser().usingTypeRegistry(types);
        printer = JsonFormat.printer()
                .usingTypeRegistry(types)
                .omittingInsignificantWhitespace()
                .sortingMapKeys();
    }

    Descriptor descriptor() {
        return prototype.getDescriptorForType();
    }

    Message prototype() {
        return prototype;
    }

    /** Returns the types that an {@code Any} in the message may hold. */
    TypeRegistry types() {
        return types;
    }

    /** Returns the encoding of a message. */
    Any encode(Message message) {
        return Any.newBuilder()
                .setTypeUrl("type.googleapis.com/" + descriptor().getFullName())
                .setValue(message.toByteString())
                .build();
    }

    /** Decodes a message, whatever name the encoding gives it. */
    Message decode(Any data) throws InvalidProtocolBufferException {
        return prototype
                .newBuilderForType()
                .mergeFrom(data.getValue(), ExtensionRegistry.getEmptyRegistry())
                .build();
    }

    /**
     * Reads a message.
     *
     * @param path of the message, for errors
     * @throws InvalidDataException when it does not fit
     */
    Message read(JsonObject json, String path) {
        Message.Builder builder = prototype.newBuilderForType();
        Optional<String> error = merge(json, builder);
        if (error.isPresent()) {
            List<FieldError> errors = new ArrayList<>();
            locate(json, builder.getDescriptorForType(), path, error.get(), errors);
            throw new InvalidDataException(errors);
        }
        return builder.build();
    }

    private Optional<String> merge(JsonObject json, Message.Builder into) {
        try {
            parser.merge(Json.text(json), into);
            return Optional.empty();
        } catch (InvalidProtocolBufferException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Finds the fields that cannot be read: the library does not report where it failed, so that each field is read on its
     * own, and then each part of those that fail.
     */
    private void locate(JsonObject json, Descriptor type, String path, String error, List<FieldError> errors) {
        if (errors.size() >= MOST_ERRORS) {
            return;
        }
        int before = errors.size();
        Map<String, FieldDescriptor> fields = WellKnown.isSpecial(type) ? Map.of() : fields(type);
        json.forEach((name, value) -> {
            FieldDescriptor field = fields.get(name);
            if (field != null) {
                locateField(field, name, value, path.isEmpty() ? name : path + "." + name, errors);
            }
        });
        if (errors.size() == before) {
            errors.add(FieldError.invalid(path, json, error));
        }
    }

    private void locateField(
            FieldDescriptor field, String name, @Nullable Object value, String path, List<FieldError> errors) {
        Message.Builder scratch = DynamicMessage.newBuilder(field.getContainingType());
        Optional<String> error = merge(JsonObject.of(name, value), scratch);
        if (error.isEmpty()) {
            return;
        }
        int before = errors.size();
        if (field.isMapField() && value instanceof JsonObject map) {
            map.forEach((key, item) ->
                    locateField(field, name, JsonObject.of(key, item), item, path + "[" + key + "]", errors));
        } else if (field.isRepeated() && value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                locateField(
                        field, name, Collections.singletonList(list.get(i)), list.get(i), path + "[" + i + "]", errors);
            }
        } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && value instanceof JsonObject object) {
            locate(object, field.getMessageType(), path, error.get(), errors);
        }
        if (errors.size() == before) {
            errors.add(FieldError.invalid(path, value, error.get()));
        }
    }

    /** Checks an item of a list or a map, which is wrapped to be read on its own. */
    private void locateField(
            FieldDescriptor field,
            String name,
            Object wrapped,
            @Nullable Object item,
            String path,
            List<FieldError> errors) {
        if (errors.size() >= MOST_ERRORS) {
            return;
        }
        Message.Builder scratch = DynamicMessage.newBuilder(field.getContainingType());
        Optional<String> error = merge(JsonObject.of(name, wrapped), scratch);
        if (error.isEmpty()) {
            return;
        }
        FieldDescriptor value = field.isMapField() ? field.getMessageType().findFieldByName("value") : field;
        if (value.getJavaType() == FieldDescriptor.JavaType.MESSAGE && item instanceof JsonObject object) {
            locate(object, value.getMessageType(), path, error.get(), errors);
        } else {
            errors.add(FieldError.invalid(path, item, error.get()));
        }
    }

    /** Returns the fields of a message by the names that JSON may use. */
    static Map<String, FieldDescriptor> fields(Descriptor type) {
        Map<String, FieldDescriptor> fields = new HashMap<>();
        type.getFields().forEach(field -> {
            fields.put(field.getName(), field);
            fields.put(field.getJsonName(), field);
        });
        return fields;
    }

    /** Returns the JSON form of a message, which {@link MessageParts} has found to have one. */
    JsonObject print(Message message) {
        try {
            // written again, since numbers are stored in another form: 1 instead of 1.0
            Object printed = Json.parse(printer.print(message));
            return Json.parseObject(Json.write(printed), JsonLimits.DEFAULT);
        } catch (InvalidProtocolBufferException e) {
            throw new InvalidDataException(List.of(FieldError.invalid("spec", "", String.valueOf(e.getMessage()))));
        }
    }

    /** Brings JSON into the form that the mapping prints; leaves what cannot be read as it is, to be refused later. */
    JsonObject canonical(JsonObject json) {
        Message.Builder builder = prototype.newBuilderForType();
        return merge(json, builder).isPresent() ? json : print(builder.build());
    }

    /** Renames, in place, fields that have the names of the {@code .proto} file instead of those that JSON prints. */
    void rename(JsonObject json) {
        rename(json, descriptor());
    }

    private static void rename(JsonObject json, Descriptor type) {
        if (WellKnown.isSpecial(type)) {
            return;
        }
        for (FieldDescriptor field : type.getFields()) {
            String name = field.getJsonName();
            if (!name.equals(field.getName()) && json.containsKey(field.getName()) && !json.containsKey(name)) {
                json.put(name, json.remove(field.getName()));
            }
            Object value = json.get(name);
            if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE || value == null) {
                continue;
            }
            if (field.isMapField()) {
                FieldDescriptor item = field.getMessageType().findFieldByName("value");
                if (item.getJavaType() == FieldDescriptor.JavaType.MESSAGE && value instanceof JsonObject map) {
                    map.values().forEach(element -> renameElement(element, item.getMessageType()));
                }
            } else if (value instanceof List<?> list) {
                list.forEach(element -> renameElement(element, field.getMessageType()));
            } else {
                renameElement(value, field.getMessageType());
            }
        }
    }

    private static void renameElement(@Nullable Object element, Descriptor type) {
        if (element instanceof JsonObject object) {
            rename(object, type);
        }
    }
}
