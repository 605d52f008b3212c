package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The part of a recorded answer that the schema package determines. */
final class RecordedAnswer {
    private RecordedAnswer() {}

    /** The causes, without those that come from rules. */
    static List<String> causes(JsonObject answer, Set<String> ruleMessages) {
        List<String> result = new ArrayList<>();
        if (answer.at("details", "causes") instanceof List<?> causes) {
            for (Object cause : causes) {
                String message = Json.string(cause, "message");
                if (!message.contains("evaluating rule:")
                        && !message.contains("failed rule:")
                        && ruleMessages.stream().noneMatch(message::endsWith)) {
                    result.add(Json.string(cause, "reason") + " " + Json.string(cause, "field") + ": " + message);
                }
            }
        }
        return result;
    }

    static List<String> causes(List<FieldError> errors) {
        return errors.stream().map(error -> error.reason() + " " + error.text()).toList();
    }

    /** The messages of all rules in a tree. */
    static Set<String> ruleMessages(@Nullable Object tree) {
        Set<String> messages = new TreeSet<>();
        collect(tree, messages);
        return messages;
    }

    private static void collect(@Nullable Object tree, Set<String> messages) {
        if (tree instanceof Map<?, ?> map) {
            if (map.get("x-kubernetes-validations") instanceof List<?> rules) {
                for (Object rule : rules) {
                    String message = Json.string(rule, "message").strip();
                    if (!message.isEmpty()) {
                        messages.add(": " + message);
                    }
                }
            }
            map.values().forEach(value -> collect(value, messages));
        } else if (tree instanceof List<?> list) {
            list.forEach(value -> collect(value, messages));
        }
    }

    /** The object without what is not the schema's business. */
    static @Nullable Object comparable(@Nullable Object object) {
        Object copy = sorted(object);
        Json.object(copy).ifPresent(tree -> {
            tree.findObject("metadata")
                    .ifPresent(meta -> List.of(
                                    "uid",
                                    "resourceVersion",
                                    "generation",
                                    "creationTimestamp",
                                    "managedFields",
                                    "namespace")
                            .forEach(meta::remove));
        });
        return copy;
    }

    /** Maps in one order, whole numbers as such. */
    static @Nullable Object sorted(@Nullable Object tree) {
        return switch (tree) {
            case JsonObject object -> {
                JsonObject copy = object.sorted();
                copy.replaceAll((key, value) -> sorted(value));
                yield copy;
            }
            case List<?> list -> {
                List<@Nullable Object> copy = new ArrayList<>();
                list.forEach(value -> copy.add(sorted(value)));
                yield copy;
            }
            case Double number when number == Math.rint(number) && Math.abs(number) < 1L << 53 -> number.longValue();
            case null, default -> tree;
        };
    }
}
