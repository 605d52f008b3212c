package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.BuiltinDecoder;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.SentEmpty;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.schema.MetadataRules;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.ResourceType.Column;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules that all built-in kinds share, based on the fact tables. The class of a kind is a record that holds its
 * facts and overrides what differs; {@link BuiltinStrategies} lists them.
 */
interface KindStrategy extends ResourceStrategy {
    /** The fields meant by {@code metadata} as a reset field: a status write keeps the rest, such as managedFields. */
    List<String> METADATA = List.of(
            "labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp", "generation", "selfLink");

    KindFacts facts();

    /** Prepares an object to replace {@code old}: restores the fields that requests may not change. */
    default void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {}

    /** Prepares an object sent to {@code /status} to replace {@code old}. */
    default void prepareForStatusUpdate(JsonObject tree, JsonObject old, Context context) {}

    /** Adds the errors of an object, except those of its metadata. */
    default void validate(Field root) {}

    /** Adds the errors that only a new object has; {@link #validate} is called before. */
    default void validateNew(Field root) {}

    /** Adds the errors of a change; {@link #validate} is called before. */
    default void validateUpdate(Field root, JsonObject old) {}

    /** Adds the errors of a change that is sent to {@code /status}. */
    default void validateStatusUpdate(Field root, JsonObject old) {}

    /** Adds the errors of a change that is sent to another subresource. */
    default void validateSubresourceUpdate(Field root, JsonObject old, String subresource) {}

    /** Returns the cell of a column that has no rule in the fact table. */
    default @Nullable Object cell(String column, JsonObject tree, Instant now) {
        throw new IllegalStateException("no rule for column " + column + " of " + storage());
    }

    @Override
    default String storage() {
        return facts().type().id();
    }

    @Override
    default byte[] head() {
        return facts().head();
    }

    @Override
    default JsonObject blank() {
        JsonObject blank = convert(new JsonObject());
        normalise(blank, List.of());
        return blank;
    }

    @Override
    default List<String> normalise(JsonObject tree, List<String> duplicates, Consumer<SentEmpty> empties) {
        return BuiltinDecoder.normalizeSent(tree, facts().resource().definition(), Set.copyOf(duplicates), empties);
    }

    @Override
    default void settle(JsonObject tree) {
        if (BuiltinDecoder.hasEmptyList(tree)) {
            var unused = BuiltinDecoder.normalize(tree, facts().resource().definition());
        }
    }

    /** Returns whether upstream checks the change of an object before the object. */
    default boolean checksChangeFirst() {
        return false;
    }

    /** Returns whether upstream checks an object that changes as a whole, before its change. */
    default boolean validatesWhole() {
        return true;
    }

    @Override
    default JsonObject convert(JsonObject tree) {
        tree.put("apiVersion", facts().type().apiVersion(facts().version()));
        tree.put("kind", facts().type().kind());
        return tree;
    }

    @Override
    default void applyDefaults(JsonObject tree) {
        facts().defaults().apply(tree);
    }

    @Override
    default void dropDisabled(JsonObject tree) {
        facts().disabled().apply(tree);
    }

    @Override
    default void prepareForCreate(JsonObject tree, Context context) {
        if (facts().resource().resetFields().contains("status")) {
            BuiltinDecoder.clear(tree, facts().resource().definition(), "status");
        }
    }

    @Override
    default void prepareForUpdate(JsonObject tree, JsonObject old, String subresource, Context context) {
        if (subresource.equals("status")) {
            restore(tree, old, facts().resource().statusResetFields());
            prepareForStatusUpdate(tree, old, context);
        } else {
            restore(tree, old, facts().resource().resetFields());
            prepareForUpdate(tree, old, context);
        }
    }

    /** Sets the fields under dotted paths, which a write to the object or to its status may not change, as they were. */
    static void restore(JsonObject tree, JsonObject old, List<String> paths) {
        for (String path : paths) {
            if (path.equals("metadata")) {
                METADATA.forEach(field -> restore(tree, old, "metadata", field));
            } else {
                restore(tree, old, path.split("\\.", -1));
            }
        }
    }

    private static void restore(JsonObject tree, JsonObject old, String... path) {
        JsonObject to = tree;
        JsonObject from = old;
        for (int i = 0; i < path.length - 1; i++) {
            from = from.object(path[i]);
            if (!(to.get(path[i]) instanceof JsonObject) && from.isEmpty()) {
                return;
            }
            to = to.withObject(path[i]);
        }
        to.copyMember(path[path.length - 1], from);
    }

    @Override
    default List<String> resetFields(String subresource) {
        return subresource.equals("status")
                ? facts().resource().statusResetFields()
                : subresource.isEmpty() ? facts().resource().resetFields() : List.of();
    }

    @Override
    default List<FieldError> validate(JsonObject tree, @Nullable JsonObject old, String subresource) {
        List<FieldError> errors = new ArrayList<>();
        Field root = Field.of(tree, errors);
        if (old == null) {
            errors.addAll(MetadataRules.validate(facts().type(), facts().names(), tree));
            finalizers(tree, errors, Math.min(facts().finalizerChecks(), 1));
            validate(root);
            validateNew(root);
        } else {
            List<FieldError> metadata = MetadataRules.validateUpdate(facts().type(), tree, old);
            for (int i = 0; i < facts().metadataChecks(); i++) {
                errors.addAll(metadata);
            }
            int checks = facts().finalizerChecks();
            finalizers(tree, errors, subresource.isEmpty() ? checks : Math.min(checks, 1));
            if (subresource.isEmpty() && checksChangeFirst()) {
                validateUpdate(root, old);
                validate(root);
            } else if (subresource.isEmpty()) {
                if (validatesWhole()) {
                    validate(root);
                }
                validateUpdate(root, old);
            } else if (subresource.equals("status")) {
                validateStatusUpdate(root, old);
            } else {
                validateSubresourceUpdate(root, old, subresource);
            }
        }
        return errors;
    }

    private static void finalizers(JsonObject tree, List<FieldError> errors, int checks) {
        for (int i = 0; i < checks; i++) {
            errors.addAll(MetadataRules.validateFinalizers(tree));
        }
    }

    @Override
    default List<@Nullable Object> cells(JsonObject tree, Instant now) {
        List<@Nullable Object> cells = new ArrayList<>();
        for (Column column : facts().version().columns()) {
            cells.add(
                    column.path().isEmpty()
                            ? cell(column.name(), tree, now)
                            : CellRule.of(column.path()).cell(tree, now));
        }
        return cells;
    }
}
