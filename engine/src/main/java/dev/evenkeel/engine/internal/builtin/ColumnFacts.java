package dev.evenkeel.engine.internal.builtin;

import java.util.HashMap;
import java.util.Map;

/**
 * The part of a table column that {@code columns.txt} holds: resource or {@code *}, column, rule, description with
 * {@code \\n} for line ends.
 *
 * @param rule the path of the value in an object, and its format; empty when the kind computes the cell
 * @param description the text in tables
 */
record ColumnFacts(String rule, String description) {
    private static final Map<String, ColumnFacts> ALL = new HashMap<>();

    static {
        String text = FactTable.read("columns.txt");
        for (int start = 0, end; start < text.length(); start = end + 1) {
            end = text.indexOf('\n', start);
            String[] cells = text.substring(start, end).split("\t", -1);
            ALL.put(cells[0] + "\t" + cells[1], new ColumnFacts(cells[2], cells[3].replace("\\n", "\n")));
        }
    }

    /** Returns the facts about a column of a resource, or else those that all resources share. */
    static ColumnFacts of(String resource, String column) {
        ColumnFacts own = ALL.get(resource + "\t" + column);
        return own == null ? ALL.getOrDefault("*\t" + column, new ColumnFacts("", "")) : own;
    }
}
