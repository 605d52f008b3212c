package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares definitions of types: objects that were stored by the earlier one must mean the same by the later one, in JSON
 * and in binary form. Fields, values, messages and versions may be added, and rules, comments and columns be changed.
 */
public final class Compatibility {
    private final List<String> problems = new ArrayList<>();
    private final Set<String> compared = new HashSet<>();

    private Compatibility() {}

    /** Returns the problems of replacing types by others; empty when they are compatible. */
    public static List<String> problems(
            Collection<? extends ServedType<?>> before, Collection<? extends ServedType<?>> after) {
        Compatibility compatibility = new Compatibility();
        for (ServedType<?> type : before) {
            Optional<? extends ServedType<?>> next = after.stream()
                    .filter(other -> other.type().id().equals(type.type().id()))
                    .findFirst();
            if (next.isEmpty()) {
                compatibility.problems.add("the type " + type.type().id() + " is missing");
            } else {
                compatibility.compare(type, next.get());
            }
        }
        return compatibility.problems;
    }

    private void compare(ServedType<?> before, ServedType<?> after) {
        String id = before.type().id();
        if (before.type().namespaced() != after.type().namespaced() || before.global() != after.global()) {
            problems.add("the scope of " + id + " is another one");
        }
        if (!before.type().kind().equals(after.type().kind())) {
            problems.add("the kind of " + id + " is " + after.type().kind() + ", and was "
                    + before.type().kind());
        }
        before.type().versions().forEach(version -> {
            String name = version.name();
            if (after.type().version(name).isEmpty()) {
                problems.add("version " + name + " of " + id + " is missing");
            } else {
                compare(
                        before.format(name).json().descriptor(),
                        after.format(name).json().descriptor());
            }
        });
    }

    private void compare(Descriptor before, Descriptor after) {
        if (!compared.add(before.getFullName() + " " + after.getFullName())) {
            return;
        }
        for (FieldDescriptor field : before.getFields()) {
            FieldDescriptor next = after.findFieldByNumber(field.getNumber());
            String name = "field " + field.getName() + " = " + field.getNumber() + " of " + before.getFullName();
            if (next == null) {
                problems.add(name + " is missing");
            } else {
                compare(field, next, name);
            }
        }
    }

    private void compare(FieldDescriptor before, FieldDescriptor after, String name) {
        if (!before.getJsonName().equals(after.getJsonName())) {
            problems.add(name + " has another name: " + after.getName());
        }
        if (before.getType() != after.getType()) {
            problems.add(name + " has another type: " + type(after) + ", and was " + type(before));
        } else if (before.isRepeated() != after.isRepeated() || before.isMapField() != after.isMapField()) {
            problems.add(name
                    + (after.isMapField()
                            ? " is a map now"
                            : after.isRepeated() ? " is a list now" : " is a single value now"));
        } else if (before.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
            compareMessages(before.getMessageType(), after.getMessageType(), name);
        } else if (before.getJavaType() == FieldDescriptor.JavaType.ENUM) {
            compare(before.getEnumType(), after.getEnumType());
        }
        if (!name(before.getRealContainingOneof()).equals(name(after.getRealContainingOneof()))) {
            problems.add(name + " is in another oneof");
        }
    }

    private void compareMessages(Descriptor before, Descriptor after, String name) {
        if ((WellKnown.isSpecial(before) || WellKnown.isSpecial(after))
                && !before.getFullName().equals(after.getFullName())) {
            problems.add(name + " has another type: " + after.getFullName() + ", and was " + before.getFullName());
        } else {
            compare(before, after);
        }
    }

    private void compare(EnumDescriptor before, EnumDescriptor after) {
        if (!compared.add(before.getFullName() + " " + after.getFullName())) {
            return;
        }
        for (EnumValueDescriptor value : before.getValues()) {
            EnumValueDescriptor next = after.findValueByName(value.getName());
            if (next == null || next.getNumber() != value.getNumber()) {
                problems.add("value " + value.getName() + " = " + value.getNumber() + " of " + before.getFullName()
                        + " is missing");
            }
        }
    }

    private static String type(FieldDescriptor field) {
        return field.toProto().getTypeName().isEmpty()
                ? field.getType().name().toLowerCase(Locale.ROOT)
                : field.toProto().getTypeName().substring(1);
    }

    private static String name(@Nullable OneofDescriptor oneof) {
        return oneof == null ? "" : oneof.getName();
    }
}
