package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.object.WriteOptions.FieldValidation;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;

/**
 * Restores objects from a backup: with their uid, their status, their creation time, and their deletion timestamp.
 * Requests cannot do that; backups and tests need it. Absent metadata is set as for a create, and a state that writes
 * cannot lead to is refused.
 */
public record RestoreVerb(WriteContext cluster, Pipeline pipeline) {
    public Document restore(Target target, Body body, String fieldManager) {
        JsonObject tree =
                cluster.decoder().decode(body, target, FieldValidation.STRICT).tree();
        JsonObject metadata = tree.withObject("metadata");
        String name = metadata.string("name");
        if (name.isEmpty()) {
            throw invalid(tree, target, "metadata.name", "a restored object must have a name");
        }
        if (metadata.get("deletionTimestamp") != null
                && metadata.strings("finalizers").isEmpty()) {
            throw invalid(
                    tree, target, "metadata.finalizers", "an object that is being deleted and has none would be gone");
        }
        metadata.remove("resourceVersion");
        metadata.putIfAbsent("uid", cluster.uuid());
        metadata.putIfAbsent("creationTimestamp", cluster.now());
        if (target.type().rules().generation()) {
            metadata.putIfAbsent("generation", 1L);
        }
        boolean owned = metadata.get("managedFields") != null;
        Target named = target.withName(target.namespace(), name);
        while (true) {
            Wanted wanted = owned ? Wanted.owned(tree, List.of()) : Wanted.of(tree, List.of());
            Write write = new Write(
                    Operation.RESTORE,
                    named,
                    cluster.read(named),
                    null,
                    live -> wanted,
                    WriteOptions.of(fieldManager),
                    true);
            if (pipeline.run(write)) {
                return write.document();
            }
        }
    }

    private RuntimeException invalid(JsonObject tree, Target target, String field, String why) {
        return Refusal.invalid(target.type(), tree, List.of(FieldError.required(field, why)));
    }
}
