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
import java.util.HashMap;
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

    /** A part to which unknown fields are added, or that has such parts. */
    private static final class Node {
        private final Map<String, Node> below = new LinkedHashMap<>();
        private UnknownFieldSet fields = UnknownFieldSet.getDefaultInstance();
    }

    /**
     * Returns a copy of a message with unknown fields in its parts; those of parts that it does not have are left out. Each
     * part is copied once, however many others are below it.
     */
    static Message withUnknown(Message message, Map<String, UnknownFieldSet> parts, TypeRegistry types) {
        Node root = new Node();
        parts.forEach((pointer, fields) -> {
            Node node = root;
            for (String step : steps(pointer)) {
                node = node.below.computeIfAbsent(step, name -> new Node());
            }
            node.fields = fields;
        });
        return with(message, root, types);
    }

    private static Message with(Message message, Node node, TypeRegistry types) {
        Message.Builder builder = message.toBuilder();
        builder.setUnknownFields(UnknownFieldSet.newBuilder(message.getUnknownFields())
                .mergeFrom(node.fields)
                .build());
        if (isAny(message.getDescriptorForType())) {
            Node inner = node.below.get("@");
            return inner == null ? builder.build() : withInAny(builder.build(), inner, types);
        }
        Map<String, FieldDescriptor> fields = fieldsOf(message);
        node.below.forEach((name, below) -> {
            FieldDescriptor field = fields.get(name);
            if (field == null) {
                return;
            }
            if (!field.isRepeated()) {
                builder.setField(field, with((Message) message.getField(field), below, types));
            } else if (field.isMapField()) {
                setEntries(builder, field, (List<?>) message.getField(field), below, types);
            } else {
                List<?> items = (List<?>) message.getField(field);
                below.below.forEach((step, item) -> {
                    int index = index(step, items.size());
                    if (index >= 0) {
                        builder.setRepeatedField(field, index, with((Message) items.get(index), item, types));
                    }
                });
            }
        });
        return builder.build();
    }

    /** Returns the fields with messages that are set, by name. */
    private static Map<String, FieldDescriptor> fieldsOf(Message message) {
        Map<String, FieldDescriptor> fields = new HashMap<>();
        message.getAllFields().keySet().stream()
                .filter(field -> field.getJavaType() == FieldDescriptor.JavaType.MESSAGE)
                .forEach(field -> fields.put(field.getJsonName(), field));
        return fields;
    }

    private static void setEntries(
            Message.Builder builder, FieldDescriptor field, List<?> entries, Node node, TypeRegistry types) {
        FieldDescriptor value = field.getMessageType().findFieldByName("value");
        if (value.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
            return;
        }
        for (int i = 0; i < entries.size(); i++) {
            Message entry = (Message) entries.get(i);
            Node below = node.below.get(key(entry));
            if (below != null) {
                builder.setRepeatedField(
                        field,
                        i,
                        entry.toBuilder()
                                .setField(value, with((Message) entry.getField(value), below, types))
                                .build());
            }
        }
    }

    private static Message withInAny(Message any, Node node, TypeRegistry types) {
        try {
            FieldDescriptor value = any.getDescriptorForType().findFieldByNumber(Any.VALUE_FIELD_NUMBER);
            Message changed = with(unpacked(any, types), node, types);
            return any.toBuilder().setField(value, changed.toByteString()).build();
        } catch (InvalidProtocolBufferException e) {
            return any;
        }
    }

    /** Returns the index of a step, or -1 when a list of this size has no such item. */
    static int index(String step, int size) {
        int index = step.matches("0|[1-9][0-9]{0,8}") ? Integer.parseInt(step) : -1;
        return index < size ? index : -1;
    }

    private static String escaped(String step) {
        return step.replace("~", "~0").replace("/", "~1");
    }

    /** Returns the steps of a pointer. */
    static List<String> steps(String pointer) {
        List<String> steps = new ArrayList<>();
        if (pointer.isEmpty()) {
            return steps;
        }
        for (String step : pointer.substring(1).split("/", -1)) {
            steps.add(step.replace("~1", "/").replace("~0", "~"));
        }
        return steps;
    }
}
