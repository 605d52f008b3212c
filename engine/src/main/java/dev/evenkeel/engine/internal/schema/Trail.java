package dev.evenkeel.engine.internal.schema;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The current path of a walk over a tree. One trail serves one walk: steps are pushed and popped in place, so that
 * walking allocates nothing; text is created only for a report.
 */
final class Trail {
    /** Names of fields and of map keys; null for an index. */
    private @Nullable String[] names = new String[16];
    /** The index, or the kind of the name: a field (0) or a map key (1). */
    private int[] numbers = new int[16];

    private int depth;

    /** Steps into a field that the schema names. */
    void field(String name) {
        push(name, 0);
    }

    /** Steps into a value of a map. */
    void key(String name) {
        push(name, 1);
    }

    /** Steps into an item. */
    void index(int index) {
        push(null, index);
    }

    void pop() {
        depth--;
    }

    private void push(@Nullable String name, int number) {
        if (depth == names.length) {
            names = Arrays.copyOf(names, depth * 2);
            numbers = Arrays.copyOf(numbers, depth * 2);
        }
        names[depth] = name;
        numbers[depth++] = number;
    }

    /**
     * Returns {@code spec.list[0].key}, the form of schema validation; a map key at the start keeps its dot, as
     * upstream.
     */
    String dotted() {
        return text(false);
    }

    /** Returns {@code spec.list[0][key]}, the form of field paths: map keys in brackets. */
    String bracketed() {
        return text(true);
    }

    private String text(boolean keysInBrackets) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            String name = names[i];
            if (name == null) {
                text.append('[').append(numbers[i]).append(']');
            } else if (numbers[i] == 1 && keysInBrackets) {
                text.append('[').append(name).append(']');
            } else {
                text.append(numbers[i] == 1 || !text.isEmpty() ? "." : "").append(name);
            }
        }
        return text.toString();
    }
}
