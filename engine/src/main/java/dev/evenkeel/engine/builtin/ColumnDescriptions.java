package dev.evenkeel.engine.builtin;

import dev.evenkeel.engine.json.Json;
import dev.evenkeel.engine.json.JsonLimits;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What table columns of built-in kinds say about themselves: {@code columns.txt} holds what upstream was recorded to say
 * (resource or {@code *}, column, JSON text); the others say what they are.
 */
final class ColumnDescriptions {
    private static final Map<String, String> RECORDED = new HashMap<>();

    static {
        FactTable.read("columns.txt").lines().forEach(line -> {
            String[] cells = line.split("\t", -1);
            Object text = Json.parse(cells[2].getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
            RECORDED.put(cells[0] + "\t" + cells[1], String.valueOf(text));
        });
    }

    private ColumnDescriptions() {}

    static String of(BuiltinResource resource, String column) {
        String own = RECORDED.get(resource.id() + "\t" + column);
        String common = own == null ? RECORDED.get("*\t" + column) : own;
        return common == null ? column + " of the " + resource.kind() + "." : common;
    }
}
