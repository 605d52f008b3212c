package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.FieldProblems;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Ownership;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.object.WriteContext;
import dev.evenkeel.engine.internal.service.Namespaces;
import dev.evenkeel.engine.internal.strategy.Behaviour;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Decoder.Decoded;
import dev.evenkeel.engine.internal.write.WriteOptions.FieldValidation;
import dev.evenkeel.engine.spi.Entry;
import dev.evenkeel.engine.spi.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts objects back as they were: with their uid, their status, the time they were created, and the mark of deletion. No
 * request can do that; backups and tests need it. What they do not have is made as a create makes it, and what no write
 * could have led to is refused.
 */
public record RestoreVerb(WriteContext cluster, Ownership ownership) {
    public Document restore(Target target, Body body, String fieldManager) {
        Decoded decoded = cluster.decoder().decode(body, target);
        Map<String, @Nullable Object> tree = decoded.tree();
        FieldProblems.report(decoded.problems(), tree, target, FieldValidation.STRICT, new ArrayList<>());
        ResourceType type = target.type();
        Behaviour behaviour = cluster.behaviours().of(type);
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        metadata.remove("resourceVersion");
        Namespaces.fill(metadata, target);
        String name = Json.string(metadata, "name");
        if (name.isEmpty()) {
            throw behaviour.invalid(
                    tree, target, List.of(FieldError.required("metadata.name", "what is restored has a name")));
        }
        if (metadata.get("deletionTimestamp") != null
                && Metadata.finalizers(metadata).isEmpty()) {
            throw behaviour.invalid(
                    tree,
                    target,
                    List.of(FieldError.required(
                            "metadata.finalizers", "an object that is being deleted and has none would be gone")));
        }
        behaviour.applyDefaults(tree, target);
        fill(metadata, "uid", cluster.uuid());
        fill(metadata, "creationTimestamp", cluster.now());
        if (type.rules().generation()) {
            fill(metadata, "generation", 1L);
        }
        if (metadata.get("managedFields") == null) {
            ownership.written(tree, null, target, fieldManager, cluster.now());
        }
        List<FieldError> errors = behaviour.validate(tree, null, target);
        if (!errors.isEmpty()) {
            throw behaviour.invalid(tree, target, errors);
        }
        Target named = target.withName(target.namespace(), name);
        Key key = cluster.key(named);
        StoredObject stored = cluster.encode(tree, target);
        while (true) {
            Entry previous = cluster.read(named);
            long revision = cluster.commit(named, key, previous, stored, Optional.empty());
            if (revision != 0) {
                return cluster.document(new Entry(key, revision, stored), target);
            }
        }
    }

    private static void fill(Map<String, @Nullable Object> metadata, String field, Object value) {
        if (metadata.get(field) == null) {
            metadata.put(field, value);
        }
    }
}
