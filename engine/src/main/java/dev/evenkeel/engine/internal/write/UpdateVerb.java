package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.admission.Decoder;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Change;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes objects: one loop for PUT, patches, apply and the services of the engine.
 *
 * <p>A change is a function from the present object to the wanted one. If another write was faster it is computed again
 * from the new object, so that a write without a resourceVersion always ends. A resourceVersion in the wanted object is
 * a precondition: a write with another one is refused with 409.
 *
 * <p>Invariants: nothing is written when nothing changed; a change that removes the last finalizer of an object marked
 * for deletion deletes it; the fields that only the server sets are kept.
 */
public record UpdateVerb(WriteContext cluster, Pipeline pipeline) {
    /** Replaces an object. */
    public Reply update(Target target, Body body, WriteOptions options) {
        Decoder.Decoded decoded = cluster.decoder().decode(body, target, options.validation());
        JsonObject metadata = decoded.tree().withObject("metadata");
        String name = metadata.string("name");
        Identity.checkName(name, target);
        Namespaces.fill(metadata, target);
        try {
            return replace(target, options, decoded);
        } catch (ApiException refusal) {
            throw RefusalWarnings.attach(refusal, decoded.warnings());
        }
    }

    private Reply replace(Target target, WriteOptions options, Decoder.Decoded decoded) {
        ResourceType type = target.type();
        return change(target, options, live -> {
            JsonObject tree = decoded.tree().copy();
            if (live != null) {
                replace(tree.withObject("metadata"), live.withObject("metadata"), target);
            } else if (!type.rules().createOnUpdate() || !target.subresource().isEmpty()) {
                throw Refusal.notFound(type, target.name());
            }
            return Wanted.of(tree, decoded.warnings()).with(decoded.empties());
        });
    }

    private static void replace(JsonObject metadata, JsonObject live, Target target) {
        Identity.checkUid(metadata, live, target);
        String version = metadata.string("resourceVersion");
        if (version.isEmpty() || version.equals("0")) {
            ResourceType type = target.type();
            if (!type.rules().unconditionalUpdate()) {
                throw Refusal.invalid(
                        type.group(),
                        type.plural(),
                        target.name(),
                        List.of(FieldError.invalid("metadata.resourceVersion", 0, "must be specified for an update")));
            }
            metadata.put("resourceVersion", live.get("resourceVersion"));
        }
    }

    /**
     * Edits an object in place, for the services of the engine.
     *
     * @throws dev.evenkeel.client.NotFoundException when there is none
     */
    public Reply edit(Target target, WriteOptions options, Consumer<JsonObject> edit) {
        return change(target, options, live -> {
            JsonObject tree = present(live, target);
            edit.accept(tree);
            return Wanted.of(tree, List.of());
        });
    }

    /** Returns the present object of a change that does not create one. */
    static JsonObject present(@Nullable JsonObject live, Target target) {
        if (live == null) {
            throw Refusal.notFound(target.type(), target.name());
        }
        return live;
    }

    /**
     * Changes an object by a function from the present object to the wanted one; creates it when there is none.
     *
     * @param wanted receives a copy of the object that may be changed and returned, or null when there is none; called again
     *     when another write was faster
     */
    public Reply write(Target target, WriteOptions options, Function<? super @Nullable JsonObject, JsonObject> wanted) {
        return change(target, options, live -> {
            Decoder.Decoded decoded = cluster.decoder().read(wanted.apply(live), target, options.validation());
            return Wanted.of(decoded.tree(), decoded.warnings()).with(decoded.empties());
        });
    }

    /** Changes the target's object; creates it when there is none and the change nevertheless returns an object. */
    Reply change(Target target, WriteOptions options, Change change) {
        while (true) {
            Store.Entry entry = cluster.read(target);
            JsonObject live = entry == null ? null : cluster.tree(entry, target);
            Write write = new Write(
                    entry == null ? Operation.CREATE : Operation.UPDATE, target, entry, live, change, options, true);
            if (pipeline.run(write)) {
                return write.reply(entry == null ? 201 : 200);
            }
        }
    }
}
