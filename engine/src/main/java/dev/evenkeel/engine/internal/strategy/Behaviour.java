package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How objects of one type are read, completed and checked: what differs between built-in kinds, custom resources and
 * registered types. Trees given to these methods are changed in place.
 */
public interface Behaviour {
    /** The head of documents in the target's version. */
    byte[] head(Target target);

    /**
     * Brings a decoded object into the form of its schema: unknown fields are dropped, values normalised.
     *
     * @param duplicates paths of keys that came more than once
     * @return what was wrong that is no reason to refuse the object: {@code unknown field "spec.foo"}, {@code duplicate
     *     field "data.a"}, in upstream's order
     * @throws MalformedObjectException when a value cannot be of that kind
     */
    List<String> normalise(Map<String, @Nullable Object> tree, Target target, List<String> duplicates);

    /** Brings the result of an apply into the form of its schema; nulls that are not values stay, to be refused. */
    default void normaliseApplied(Map<String, @Nullable Object> tree, Target target) {
        normalise(tree, target, List.of());
    }

    /** Fills in defaults. */
    void applyDefaults(Map<String, @Nullable Object> tree, Target target);

    /** What happens to an object of this kind when it is created, after defaults. */
    void prepareForCreate(Map<String, @Nullable Object> tree, Target target);

    /** What happens to an object of this kind when it is changed, after defaults. */
    void prepareForUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Target target);

    /** What happens to an object of this kind before it is marked for deletion or deleted. */
    default void prepareForDelete(Map<String, @Nullable Object> tree, Target target) {}

    /** An object of the target's kind before anything is set. */
    Map<String, @Nullable Object> blank(Target target);

    /** Dotted paths that writes to the target cannot change, such as {@code status}. */
    List<String> resetFields(Target target);

    /** Puts back what a write to the object, or to the target's subresource, leaves as it is. */
    void reset(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Target target);

    /** What is wrong with an object; {@code old} is what it was, when it changes. */
    List<FieldError> validate(
            Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old, Target target);

    /** What its writer should be told about an object. */
    List<String> warnings(
            Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old, Target target);

    /** The object in the version of the target. */
    Map<String, @Nullable Object> convert(Map<String, @Nullable Object> tree, Target target);

    /** The refusal of an object with errors. */
    default ApiException invalid(Map<String, @Nullable Object> tree, Target target, List<FieldError> errors) {
        return Refusal.invalid(
                target.type().group(), Json.string(tree, "kind"), Json.string(tree, "metadata", "name"), errors);
    }

    /**
     * How long a graceful deletion of an object takes, in seconds; empty for kinds that are deleted at once.
     *
     * @param requested what the client asked for
     */
    default OptionalLong grace(Map<String, @Nullable Object> tree, OptionalLong requested) {
        return OptionalLong.empty();
    }

    /** The collection that objects of the type are stored in: most often its id. */
    String storage(ResourceType type);
}
