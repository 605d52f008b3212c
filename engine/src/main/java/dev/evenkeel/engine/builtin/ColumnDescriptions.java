package dev.evenkeel.engine.builtin;

/** What table columns of built-in kinds say about themselves. */
final class ColumnDescriptions {
    private ColumnDescriptions() {}

    static String of(String column) {
        return column;
    }
}
