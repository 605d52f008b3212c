package dev.evenkeel.engine.internal.builtin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The protobuf message of a built-in struct: its fields by number.
 *
 * <p>Go embeds some structs in others: a message of their own in protobuf, no level of their own in JSON. Such a message
 * is a {@link Part.Inlined}. Fields without a number ({@code kind}, {@code apiVersion}) are left out: they are encoded
 * outside of the message.
 */
final class MessageLayout {
    /** A field of the message. */
    sealed interface Part {
        int number();

        /** A field that JSON has too. */
        record Member(int number, FieldFacts field) implements Part {}

        /** A message whose fields JSON has one level higher. */
        record Inlined(int number, MessageLayout layout) implements Part {}
    }

    private static final Map<String, MessageLayout> LAYOUTS = new ConcurrentHashMap<>();

    private final String name;
    private final List<Part> parts;
    private final @Nullable Part[] byNumber;

    private MessageLayout(String name, List<Part> parts) {
        this.name = name;
        this.parts = List.copyOf(parts);
        byNumber = new Part[parts.isEmpty() ? 0 : parts.getLast().number() + 1];
        parts.forEach(part -> byNumber[part.number()] = part);
    }

    /** Returns the layout of a struct of the fact table. */
    static MessageLayout of(String definition) {
        MessageLayout known = LAYOUTS.get(definition);
        if (known == null) {
            Map<List<Integer>, FieldFacts> fields = new LinkedHashMap<>();
            for (FieldFacts field : FactTable.INSTANCE.type(definition).fields().values()) {
                if (!field.path().isEmpty() && field.path().getFirst() != 0) {
                    fields.put(field.path(), field);
                }
            }
            known = layout(definition.substring(definition.lastIndexOf('.') + 1), fields);
            LAYOUTS.put(definition, known);
        }
        return known;
    }

    private static MessageLayout layout(String name, Map<List<Integer>, FieldFacts> fields) {
        Map<Integer, Part> parts = new TreeMap<>();
        Map<Integer, Map<List<Integer>, FieldFacts>> inlined = new TreeMap<>();
        fields.forEach((path, field) -> {
            int number = path.getFirst();
            if (path.size() == 1) {
                parts.put(number, new Part.Member(number, field));
            } else {
                inlined.computeIfAbsent(number, n -> new LinkedHashMap<>()).put(path.subList(1, path.size()), field);
            }
        });
        inlined.forEach((number, inner) -> parts.put(number, new Part.Inlined(number, layout(name, inner))));
        return new MessageLayout(name, new ArrayList<>(parts.values()));
    }

    /** Returns the name of the struct, for messages. */
    String name() {
        return name;
    }

    /** Returns the fields in the order of their numbers. */
    List<Part> parts() {
        return parts;
    }

    /** Returns the field of a number; null when the message has none. */
    @Nullable
    Part part(int number) {
        return number < byNumber.length ? byNumber[number] : null;
    }
}
