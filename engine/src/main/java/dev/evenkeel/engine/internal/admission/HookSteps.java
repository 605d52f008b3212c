package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Ownership;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs the hooks of registered types.
 *
 * <p>An object that breaks its schema is refused for that reason, also when a mutating hook failed on it. Otherwise an
 * ApiException of a hook is the answer, and any other exception or error of the hook's code is an internal error that
 * names the hook and the type.
 * A write that does no more than remove finalizers from an object that is being deleted runs no hooks: what was valid
 * once can always be deleted.
 */
public record HookSteps(RegisteredTypes types, WriteContext cluster, Ownership ownership) {
    /** Lets the hooks change an object. */
    public void mutate(Write write) {
        run(write, "mutate", found -> {
            JsonObject before = write.tree().copy();
            JsonObject changed = before.copy();
            found.mutate(write.target(), changed, write.old());
            Metadata.keep(changed.withObject("metadata"), before.withObject("metadata"), "managedFields");
            if (write.replace(changed, cluster)) { // the fields that differ become the writer's
                ownership.written(
                        write.tree(), before, write.target(), write.options().fieldManager(), cluster.now());
            }
        });
    }

    /** Lets the hooks refuse an object. */
    public void validate(Write write) {
        run(write, "validate", found -> {
            List<FieldError> errors = found.validate(write.target(), write.tree(), write.old());
            if (!errors.isEmpty()) {
                throw Refusal.invalid(write.target().type(), write.tree(), errors);
            }
        });
    }

    private void run(Write write, String hook, Consumer<RegisteredType> call) {
        RegisteredType found = types.find(write.target().type()).orElse(null);
        if (found == null
                || !write.is(Operation.CREATE, Operation.UPDATE)
                || write.target().subresource().equals("status")
                || write.releasesOnly()) {
            return;
        }
        try {
            call.accept(found);
        } catch (ApiException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            throw refused(write, hook, e);
        }
    }

    private ApiException refused(Write write, String hook, Throwable thrown) {
        Target target = write.target();
        List<FieldError> errors =
                cluster.strategies().of(target).validate(write.tree(), write.old(), target.subresource());
        if (!errors.isEmpty()) {
            return Refusal.invalid(target.type(), write.tree(), errors);
        }
        if (thrown instanceof MalformedObjectException) {
            return Refusal.malformed(target, String.valueOf(thrown.getMessage()));
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
