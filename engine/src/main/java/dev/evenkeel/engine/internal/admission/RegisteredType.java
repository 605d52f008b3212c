package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.strategy.CustomStrategy;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A type that a program registers: its resource type, the rules of its versions, and its hooks on JSON trees. */
public interface RegisteredType {
    /** Returns the type; the same instance in each call. */
    ResourceType type();

    /** Returns the rules of a version. */
    default ResourceStrategy strategy(ResourceType.Version version) {
        return new CustomStrategy(type(), version);
    }

    /**
     * Runs the mutating hook on an object, in place.
     *
     * @param old the object before the write, which must not be changed; null for a create
     * @throws MalformedObjectException when the object cannot be read as the hook's class
     */
    default void mutate(Target target, JsonObject tree, @Nullable JsonObject old) {}

    /**
     * Runs the validating hook on an object that fits its schema, and returns its errors.
     *
     * @param old the object before the write; null for a create
     * @throws MalformedObjectException when the object cannot be read as the hook's class
     */
    default List<FieldError> validate(Target target, JsonObject tree, @Nullable JsonObject old) {
        return List.of();
    }
}
