package dev.evenkeel.engine.internal.builtin;

import java.util.HashMap;
import java.util.Map;

/**
 * What table columns of built-in kinds say about themselves: {@code columns.txt} holds what upstream was recorded to say
 * (resource or {@code *}, column, text with {@code \n} for line ends); the others say what they are.
 */
final class ColumnDescriptions {
    private static final Map<String, String> RECORDED = new HashMap<>();

    static {
        String text = FactTable.read("columns.txt");
        for (int start = 0, end; start < text.length(); start = end + 1) {
            end = text.indexOf('\n', start);
            String[] cells = text.substring(start, end).split("\t", -1);
            RECORDED.put(cells[0] + "\t" + cells[1], cells[2].replace("\\n", "\n"));
        }
    }

    private ColumnDescriptions() {}

    static String of(BuiltinResource resource, String column) {
        String own = RECORDED.get(resource.id() + "\t" + column);
        String common = own == null ? RECORDED.get("*\t" + column) : own;
        return common == null ? column + " of the " + resource.kind() + "." : common;
    }
}
