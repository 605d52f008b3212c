package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks that a tree can be owned field by field: kinds of values, known fields, distinguishable items. */
final class Conformance {
    private final List<String> violations = new ArrayList<>();
    private final StringBuilder path = new StringBuilder();
    private final boolean duplicates;

    private Conformance(boolean duplicates) {
        this.duplicates = duplicates;
    }

    /**
     * Checks a tree.
     *
     * @param duplicates true to tolerate indistinguishable items
     * @throws UntypedException with all violations, in upstream's words
     */
    static void check(@Nullable Object tree, OwnershipSchema shape, boolean duplicates) {
        Conformance conformance = new Conformance(duplicates);
        conformance.check(tree, shape);
        List<String> violations = conformance.violations;
        if (violations.size() == 1) {
            throw new UntypedException(violations.getFirst());
        } else if (!violations.isEmpty()) {
            throw new UntypedException("errors:\n  " + String.join("\n  ", violations));
        }
    }

    private void check(@Nullable Object value, OwnershipSchema shape) {
        if (value == null) {
            return;
        }
        switch (shape.handling(value)) {
            case MAP -> checkMap(value, shape);
            case LIST -> checkList(value, shape);
            case SCALAR -> checkScalar(value, shape);
        }
    }

    private void checkMap(Object value, OwnershipSchema shape) {
        if (!(value instanceof JsonObject map)) {
            violation("expected map, got &{" + GoText.plain(value) + "}");
            return;
        }
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String name = (String) entry.getKey();
            int length = path.length();
            path.append('.').append(name);
            OwnershipSchema field = shape.field(name);
            if (field == null) {
                violation("field not declared in schema");
                path.setLength(length);
                return; // as upstream, which looks at no other field of this map
            }
            check(entry.getValue(), field);
            path.setLength(length);
        }
    }

    private void checkList(Object value, OwnershipSchema shape) {
        if (!(value instanceof List<?> list)) {
            violation("expected list, got &{" + GoText.plain(value) + "}");
            return;
        }
        OwnershipSchema items = shape.item();
        boolean atomic = shape.items() == OwnershipSchema.Items.ATOMIC;
        Set<PathElement> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            PathElement element;
            if (atomic) {
                element = new PathElement.Index(i);
            } else {
                try {
                    element = shape.element(list.get(i));
                } catch (UntypedException e) {
                    violation("element " + i + ": " + e.getMessage());
                    return;
                }
                if (!seen.add(element) && !duplicates) {
                    violation("duplicate entries for key " + element.shown());
                }
            }
            int length = path.length();
            path.append(element.shown());
            check(list.get(i), items);
            path.setLength(length);
        }
    }

    private void checkScalar(Object value, OwnershipSchema shape) {
        boolean scalar = value instanceof String || value instanceof Number || value instanceof Boolean;
        switch (shape.schema().type()) {
            case INTEGER, NUMBER -> {
                if (!(value instanceof Number)) {
                    violation("expected numeric (int or float), got " + GoTypes.type(value));
                }
            }
            case BOOLEAN -> {
                if (!(value instanceof Boolean)) {
                    violation("expected boolean, got &{" + GoText.plain(value) + "}");
                }
            }
            case STRING -> {
                String format = shape.schema().format();
                boolean text = (format.isEmpty() && !shape.isQuantity()) || format.equals("byte");
                if (text && !(value instanceof String)) {
                    violation("expected string, got &value.valueUnstructured{Value:" + GoText.syntax(value) + "}");
                } else if (!scalar) {
                    violation("expected any scalar, got &{" + GoText.plain(value) + "}");
                }
            }
            case ANY, OBJECT, ARRAY -> {
                if (!scalar && shape.isIntOrString()) {
                    violation("expected any scalar, got &{" + GoText.plain(value) + "}");
                }
            }
        }
    }

    private void violation(String message) {
        violations.add(path.isEmpty() ? message : path + ": " + message);
    }
}
