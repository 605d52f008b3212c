package dev.evenkeel.engine;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.admission.Admission;
import dev.evenkeel.engine.internal.admission.Admission.Operation;
import dev.evenkeel.engine.internal.admission.Admission.Write;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.strategy.Behaviour;
import dev.evenkeel.engine.internal.strategy.Behaviours;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the hooks of registered types.
 *
 * <p>An object that breaks its schema is refused for that, also when a mutating hook failed on it. Otherwise an
 * ApiException of a hook is the answer, and any other exception is an internal error that names the hook and the type.
 */
public record HookSteps(Map<String, Registration.Hooks> hooks, Behaviours behaviours) {
    /** The step that changes objects. */
    public Admission.Step mutating() {
        return write -> run(write, "mutate", found -> {
            Map<String, @Nullable Object> changed = Json.copyObject(write.tree());
            found.mutate(changed);
            if (!changed.equals(write.tree())) {
                Admission.replace(write, changed, behaviours.of(write.target().type()));
            }
        });
    }

    /** The step that refuses objects. */
    public Admission.Step validating() {
        return write -> run(write, "validate", found -> {
            List<FieldError> errors = found.validate(write.tree(), write.old());
            if (!errors.isEmpty()) {
                throw behaviours.of(write.target().type()).invalid(write.tree(), write.target(), errors);
            }
        });
    }

    private void run(Write write, String hook, Consumer<Registration.Hooks> call) {
        Registration.Hooks found = hooks.get(write.target().type().id());
        if (found == null
                || write.operation() == Operation.DELETE
                || write.target().subresource().equals("status")) {
            return;
        }
        try {
            call.accept(found);
        } catch (ApiException e) {
            throw e;
        } catch (RuntimeException e) {
            throw refused(write, hook, e);
        }
    }

    private ApiException refused(Write write, String hook, RuntimeException thrown) {
        Target target = write.target();
        Behaviour behaviour = behaviours.of(target.type());
        List<FieldError> errors = behaviour.validate(write.tree(), write.old(), target);
        if (!errors.isEmpty()) {
            return behaviour.invalid(write.tree(), target, errors);
        }
        if (thrown instanceof MalformedObjectException) {
            return Refusal.badRequest(target.type().kind() + " in version \""
                    + target.version().name() + "\" cannot be handled as a "
                    + target.type().kind() + ": " + thrown.getMessage());
        }
        ApiException refusal = ApiException.of(Status.of(
                500,
                "InternalError",
                "Internal error occurred: the " + hook + " hook of "
                        + target.type().id() + " failed: " + thrown));
        refusal.initCause(thrown);
        return refusal;
    }
}
