package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How CustomResourceDefinitions behave: read like other built-in kinds, but with rules that the room {@code schema} has.
 *
 * @param builtin reads them
 * @param clock the time of conditions
 */
public record CrdBehaviour(BuiltinBehaviour builtin, InstantSource clock) implements Behaviour {
    @Override
    public byte[] head(Target target) {
        return builtin.head(target);
    }

    @Override
    public List<String> normalise(Map<String, @Nullable Object> tree, Target target, List<String> duplicates) {
        return builtin.normalise(tree, target, duplicates);
    }

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree, Target target) {
        Crds.applyDefaults(tree);
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Target target) {
        Crds.prepareForCreate(tree);
    }

    @Override
    public void prepareForUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Target target) {
        if (target.subresource().equals("status")) {
            Crds.prepareForStatusUpdate(tree, old);
        } else {
            Crds.prepareForUpdate(tree, old);
        }
    }

    @Override
    public void prepareForDelete(Map<String, @Nullable Object> tree, Target target) {
        Crds.markForDeletion(tree, clock.instant());
    }

    @Override
    public Map<String, @Nullable Object> blank(Target target) {
        return builtin.blank(target);
    }

    @Override
    public List<String> resetFields(Target target) {
        return builtin.resetFields(target);
    }

    @Override
    public void reset(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Target target) {
        builtin.reset(tree, old, target);
    }

    @Override
    public List<FieldError> validate(
            Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old, Target target) {
        return old != null && target.subresource().equals("status")
                ? Crds.validateStatus(tree, old)
                : Crds.validate(tree, old, CustomBehaviour.RULES);
    }

    @Override
    public List<String> warnings(
            Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old, Target target) {
        return Crds.warnings(tree, old);
    }

    @Override
    public ApiException invalid(Map<String, @Nullable Object> tree, Target target, List<FieldError> errors) {
        return builtin.invalid(tree, target, errors);
    }

    @Override
    public Map<String, @Nullable Object> convert(Map<String, @Nullable Object> tree, Target target) {
        return builtin.convert(tree, target);
    }

    @Override
    public String storage(ResourceType type) {
        return builtin.storage(type);
    }
}
