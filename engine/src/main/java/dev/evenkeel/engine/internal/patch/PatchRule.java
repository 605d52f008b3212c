package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way a field of a type is patched.
 *
 * @param strategy {@code merge}, {@code replace}, or empty when unspecified; {@code retainKeys}, which only clients
 *     need to create patches, is left out
 * @param mergeKey the key that identifies items of a list; empty when there is none
 * @param schema of the field, or of its items when it is a list
 */
record PatchRule(String strategy, String mergeKey, Schema schema) {
    boolean merges() {
        return strategy.equals("merge");
    }

    static PatchRule ofObject(Schema parent, String field) {
        Schema schema = field(parent, field);
        return new PatchRule(strategy(schema), schema.patchMergeKey(), schema);
    }

    static PatchRule ofList(Schema parent, String field) {
        Schema schema = field(parent, field);
        Schema items = schema.items();
        if (items == null) {
            throw Refusal.internal("expected slice or array type, but got: " + goKind(parent));
        }
        if (items.type() == Schema.Type.ARRAY) {
            throw Refusal.internal("unexpected slice of slice");
        }
        return new PatchRule(strategy(schema), schema.patchMergeKey(), items);
    }

    private static Schema field(Schema parent, String name) {
        String kind = goKind(parent);
        if (!kind.equals("struct")) {
            throw Refusal.internal("merging an object in json but data type is not struct, instead is: " + kind);
        }
        @Nullable Schema field = parent.property(name);
        if (field == null) {
            String type = parent.reference().substring(parent.reference().lastIndexOf('.') + 1);
            throw Refusal.internal(
                    "unable to find api field in struct " + type + " for the json field \"" + name + "\"");
        }
        return field;
    }

    private static String strategy(Schema schema) {
        List<String> strategies = Arrays.stream(schema.patchStrategy().split(","))
                .filter(strategy -> !strategy.equals("retainKeys"))
                .toList();
        if (strategies.size() > 1) {
            throw Refusal.internal("unexpected patch strategy: " + GoFormat.of(strategies));
        }
        return strategies.isEmpty() ? "" : strategies.getFirst();
    }

    /** Returns the Go kind of the type. */
    static String goKind(Schema schema) {
        return switch (schema.type()) {
            case OBJECT -> schema.additional() == null ? "struct" : "map";
            case ARRAY -> "slice";
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case INTEGER -> "int64";
            case NUMBER -> "float64";
            case ANY -> "struct";
        };
    }
}
