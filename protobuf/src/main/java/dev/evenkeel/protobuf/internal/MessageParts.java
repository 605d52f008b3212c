package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.UnknownFieldSet;
import dev.evenkeel.engine.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Walks through a message and its parts: finds what JSON cannot express, and puts unknown fields back.
 *
 * <p>A part is named by a JSON pointer: {@code /albums/2} is the third item of the field {@code albums}, and {@code
 * /links/home} the value of a map. The message inside an {@code Any} is its part {@code @}.
 */
final class MessageParts {
    private final TypeRegistry types;
    private final Map<String, UnknownFieldSet> unknown = new LinkedHashMap<>();
    private final List<FieldError> errors = new ArrayList<>();

    private MessageParts(TypeRegistry types) {
        this.types = types;
    }

    /** Returns the parts of a message. */
    static MessageParts of(Message message, TypeRegistry types) {
        MessageParts parts = new MessageParts(types);
        parts.visit(message, "", "spec");
        return parts;
    }

    /** Returns the unknown fields of each part that has some, by its pointer. */
    Map<String, UnknownFieldSet> unknown() {
        return unknown;
    }

    /** Returns values that have no JSON form: numbers that an enum does not have, and messages of unknown types. */
    List<FieldError> errors() {
        return errors;
    }

    private void visit(Message message, String pointer, String path) {
        UnknownFieldSet fields = message.getUnknownFields();
        if (!fields.asMap().isEmpty()) {
            unknown.put(pointer, fields);
        }
        if (isAny(message.getDescriptorForType())) {
            visitAny(message, pointer, path);
            return;
        }
        message.getAllFields().forEach((field, value) -> {
            String at = pointer + "/" + escaped(field.getJsonName());
            String name = path + "." + field.getJsonName();
            if (field.isMapField()) {
                FieldDescriptor item = field.getMessageType().findFieldByName("value");
                for (Object entry : (List<?>) value) {
                    String key = key((Message) entry);
                    visitValue(item, ((Message) entry).getField(item), at + "/" + escaped(key), name + "[" + key + "]");
                }
            } else if (field.isRepeated()) {
                List<?> list = (List<?>) value;
                for (int i = 0; i < list.size(); i++) {
                    visitValue(field, list.get(i), at + "/" + i, name + "[" + i + "]");
                }
            } else {
                visitValue(field, value, at, name);
            }
        });
    }

    private void visitValue(FieldDescriptor field, Object value, String pointer, String path) {
        if (value instanceof Message message) {
            visit(message, pointer, path);
        } else if (value instanceof EnumValueDescriptor choice && choice.getIndex() < 0) {
            errors.add(FieldError.notSupported(
                    path,
                    choice.getNumber(),
                    field.getEnumType().getValues().stream()
                            .map(EnumValueDescriptor::getName)
                            .toList()));
        }
    }

    private void visitAny(Message any, String pointer, String path) {
        if (any.getAllFields().isEmpty()) {
            return;
        }
        try {
            visit(unpacked(any, types), pointer + "/@", path);
        } catch (InvalidProtocolBufferException e) {
            errors.add(FieldError.invalid(path, typeUrl(any), String.valueOf(e.getMessage())));
        }
    }

    private static boolean isAny(Descriptor type) {
        return type.getFullName().equals(WellKnown.ANY);
    }

    private static String typeUrl(Message any) {
        return (String) any.getField(any.getDescriptorForType().findFieldByNumber(Any.TYPE_URL_FIELD_NUMBER));
    }

    private static Message unpacked(Message any, TypeRegistry types) throws InvalidProtocolBufferException {
        Descriptor type = types.getDescriptorForTypeUrl(typeUrl(any));
        if (type == null) {
            throw new InvalidProtocolBufferException(
                    "the type is not known: an Any may hold the messages of the file and of its imports");
        }
        FieldDescriptor value = any.getDescriptorForType().findFieldByNumber(Any.VALUE_FIELD_NUMBER);
        return DynamicMessage.parseFrom(type, (ByteString) any.getField(value));
    }

    private static String key(Message entry) {
        return String.valueOf(entry.getField(entry.getDescriptorForType().findFieldByName("key")));
    }

    /** Returns a copy of a message with unknown fields in a part; the same message if it has no such part. */
    static Message withUnknown(Message message, String pointer, UnknownFieldSet fields, TypeRegistry types) {
        return with(message, pointer.isEmpty() ? List.of() : steps(pointer), fields, types);
    }

    private static Message with(Message message, List<String> steps, UnknownFieldSet fields, TypeRegistry types) {
        if (steps.isEmpty()) {
            UnknownFieldSet all = UnknownFieldSet.newBuilder(message.getUnknownFields())
                    .mergeFrom(fields)
                    .build();
            return message.toBuilder().setUnknownFields(all).build();
        }
        List<String> rest = steps.subList(1, steps.size());
        if (isAny(message.getDescriptorForType()) && steps.getFirst().equals("@")) {
            return withInAny(message, rest, fields, types);
        }
        FieldDescriptor field =
                MessageFormat.fields(message.getDescriptorForType()).get(steps.getFirst());
        if (field == null || field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
            return message;
        }
        if (!field.isRepeated()) {
            return message.hasField(field)
                    ? message.toBuilder()
                            .setField(field, with((Message) message.getField(field), rest, fields, types))
                            .build()
                    : message;
        }
        List<?> items = (List<?>) message.getField(field);
        int index = rest.isEmpty() ? -1 : index(items, rest.getFirst(), field.isMapField());
        if (index < 0) {
            return message;
        }
        List<String> below = rest.subList(1, rest.size());
        Message item = (Message) items.get(index);
        if (!field.isMapField()) {
            return message.toBuilder()
                    .setRepeatedField(field, index, with(item, below, fields, types))
                    .build();
        }
        FieldDescriptor value = item.getDescriptorForType().findFieldByName("value");
        if (value.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
            return message;
        }
        Message entry = item.toBuilder()
                .setField(value, with((Message) item.getField(value), below, fields, types))
                .build();
        return message.toBuilder().setRepeatedField(field, index, entry).build();
    }

    private static Message withInAny(Message any, List<String> rest, UnknownFieldSet fields, TypeRegistry types) {
        try {
            FieldDescriptor value = any.getDescriptorForType().findFieldByNumber(Any.VALUE_FIELD_NUMBER);
            Message changed = with(unpacked(any, types), rest, fields, types);
            return any.toBuilder().setField(value, changed.toByteString()).build();
        } catch (InvalidProtocolBufferException e) {
            return any;
        }
    }

    private static int index(List<?> items, String step, boolean map) {
        for (int i = 0; i < items.size(); i++) {
            if (step.equals(map ? key((Message) items.get(i)) : String.valueOf(i))) {
                return i;
            }
        }
        return -1;
    }

    private static String escaped(String step) {
        return step.replace("~", "~0").replace("/", "~1");
    }

    /** Returns the steps of a pointer. */
    static List<String> steps(String pointer) {
        List<String> steps = new ArrayList<>();
        for (String step : pointer.substring(1).split("/", -1)) {
            steps.add(step.replace("~1", "/").replace("~0", "~"));
        }
        return steps;
    }
}
