package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.service.Definitions;
import dev.evenkeel.engine.internal.strategy.Behaviour;
import dev.evenkeel.engine.internal.strategy.Behaviours;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every write passes before it is committed: the steps, in their order, in two lists. The first may change the object,
 * before the engine completes it; the second sees it as it is to be stored.
 *
 * @param changes what may change the object, such as mutating webhooks
 * @param steps what looks at it, and may refuse it
 */
public record Admission(List<Step> changes, List<Step> steps) {
    /** One thing that every write passes. */
    @FunctionalInterface
    public interface Step {
        /**
         * Looks at a write, and may change its object or refuse it.
         *
         * @throws dev.evenkeel.client.ApiException to refuse it
         */
        void pass(Write write);
    }

    /** What is done. */
    public enum Operation {
        /** A new object. */
        CREATE,
        /** A change of an object. */
        UPDATE,
        /** An object goes. */
        DELETE
    }

    /**
     * A write on its way.
     *
     * @param operation what is done
     * @param target to what
     * @param tree the new object, which steps may change; the present one for a delete
     * @param old what it was; null when it is created
     * @param dryRun whether nothing will be written
     * @param warnings what the client should be told; steps may add to it
     */
    public record Write(
            Operation operation,
            Target target,
            Map<String, @Nullable Object> tree,
            @Nullable Map<String, @Nullable Object> old,
            boolean dryRun,
            List<String> warnings) {}

    /** The steps that may change the object; whether one did. */
    public boolean change(Write write) {
        if (changes.isEmpty()) {
            return false;
        }
        Map<String, @Nullable Object> before = Json.copyObject(write.tree());
        for (Step step : changes) {
            step.pass(write);
        }
        return !before.equals(write.tree());
    }

    public void pass(Write write) {
        for (Step step : steps) {
            step.pass(write);
        }
    }

    /** Replaces the object of a write by one that a hook or webhook returned: pruned and defaulted, the server's fields kept. */
    public static void replace(Write write, Map<String, @Nullable Object> changed, Behaviour behaviour) {
        Map<String, @Nullable Object> before = Metadata.of(write.tree());
        Map<String, @Nullable Object> metadata = Metadata.of(changed);
        for (String field : SERVERS) {
            if (before.get(field) == null) {
                metadata.remove(field);
            } else {
                metadata.put(field, before.get(field));
            }
        }
        changed.put("apiVersion", write.tree().get("apiVersion"));
        changed.put("kind", write.tree().get("kind"));
        behaviour.normalise(changed, write.target(), List.of());
        if (write.old() != null) {
            behaviour.reset(changed, write.old(), write.target());
        }
        behaviour.applyDefaults(changed, write.target());
        write.tree().clear();
        write.tree().putAll(changed);
    }

    /** The fields of metadata that no hook or webhook changes. */
    private static final List<String> SERVERS = List.of(
            "name",
            "generateName",
            "namespace",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "managedFields",
            "selfLink");

    /** Refuses new objects of a definition that is being deleted. */
    public static Step openDefinition(Definitions definitions) {
        return write -> {
            Target target = write.target();
            if (write.operation() == Operation.CREATE && definitions.terminating(target.type())) {
                throw Refusal.forbidden(
                        target.type(),
                        Json.string(write.tree(), "metadata", "name"),
                        "create not allowed while custom resource definition is terminating",
                        List.of());
            }
        };
    }

    /** The schema and the rules of the kind. */
    public static Step validation(Behaviours behaviours) {
        return write -> {
            if (write.operation() == Operation.DELETE) {
                return;
            }
            Behaviour behaviour = behaviours.of(write.target().type());
            List<FieldError> errors = behaviour.validate(write.tree(), write.old(), write.target());
            if (!errors.isEmpty()) {
                throw behaviour.invalid(write.tree(), write.target(), errors);
            }
            write.warnings().addAll(behaviour.warnings(write.tree(), write.old(), write.target()));
        };
    }
}
