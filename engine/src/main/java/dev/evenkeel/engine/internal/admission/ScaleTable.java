package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.PrinterColumn;
import dev.evenkeel.engine.internal.type.ResourceType.Column;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of a Scale: its own columns, not those of the object that it is of. */
public final class ScaleTable {
    private ScaleTable() {}

    /** Returns the columns. */
    public static List<Column> columns(Target target) {
        boolean builtIn = target.type().origin() == Origin.BUILT_IN;
        return List.of(
                BuiltinTypes.sharedColumn("Name", "string", "name"),
                column(
                        "Desired",
                        builtIn
                                ? "replicas is the desired number of instances for the scaled object."
                                : "Number of desired replicas",
                        ".spec.replicas"),
                column(
                        "Available",
                        builtIn
                                ? "replicas is the actual number of observed instances of the scaled object."
                                : "Number of actual replicas",
                        ".status.replicas"),
                BuiltinTypes.sharedColumn("Age", builtIn ? "string" : "date", ""));
    }

    private static Column column(String name, String description, String path) {
        return new Column(name, "integer", "", description, 0, path);
    }

    /** Returns the cells of a Scale; for a built-in kind, no replicas are 0, and otherwise nothing. */
    public static List<@Nullable Object> cells(JsonObject scale, Target target, Instant now) {
        List<@Nullable Object> cells = new ArrayList<>();
        Object desired = scale.at("spec", "replicas");
        cells.add(scale.string("metadata", "name"));
        cells.add(desired == null && target.type().origin() == Origin.BUILT_IN ? Long.valueOf(0) : desired);
        cells.add(scale.integer("status", "replicas"));
        cells.add(PrinterColumn.age(scale.string("metadata", "creationTimestamp"), now));
        return cells;
    }
}
