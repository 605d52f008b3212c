package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.StatusCause;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.admission.Admission;
import dev.evenkeel.engine.internal.admission.Admission.Operation;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Documents;
import dev.evenkeel.engine.internal.object.FieldProblems;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.NameGenerator;
import dev.evenkeel.engine.internal.object.Ownership;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.object.Warnings;
import dev.evenkeel.engine.internal.object.WriteContext;
import dev.evenkeel.engine.internal.service.Namespaces;
import dev.evenkeel.engine.internal.strategy.Behaviour;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Decoder.Decoded;
import dev.evenkeel.engine.spi.Entry;
import dev.evenkeel.engine.spi.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates objects. In this order: read the body; take away what only the server may set; defaults; who owns what; the
 * namespace must be there; then, with a generated name up to eight times, what the kind does to new objects, admission,
 * and the commit that succeeds only if the name is free.
 */
public record CreateVerb(WriteContext cluster, Ownership ownership, Admission admission) {
    public Reply create(Target target, Body body, WriteOptions options) {
        Decoded decoded = cluster.decoder().decode(body, target);
        List<String> warnings = new ArrayList<>();
        FieldProblems.report(decoded.problems(), decoded.tree(), target, options.validation(), warnings);
        return create(target, decoded.tree(), options, warnings, false);
    }

    /**
     * Creates an object that was read before.
     *
     * @param owned whether its managedFields are final already, because it was applied
     */
    public Reply create(
            Target target,
            Map<String, @Nullable Object> tree,
            WriteOptions options,
            List<String> warnings,
            boolean owned) {
        return createIfFree(target, tree, options, warnings, owned).orElseThrow(() -> {
            String name = Json.string(tree, "metadata", "name");
            return Refusal.alreadyExists(target.type(), name, deleting(target.withName(target.namespace(), name)));
        });
    }

    /** The same; empty when the name is taken. */
    Optional<Reply> createIfFree(
            Target target,
            Map<String, @Nullable Object> tree,
            WriteOptions options,
            List<String> warnings,
            boolean owned) {
        ResourceType type = target.type();
        Behaviour behaviour = cluster.behaviours().of(type);
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        String version = Json.string(metadata, "resourceVersion");
        Metadata.wipe(metadata);
        Namespaces.fill(metadata, target);
        Warnings.duplicateOwners(metadata, warnings);
        behaviour.applyDefaults(tree, target);
        if (!owned) {
            ownership.written(tree, null, target, options.fieldManager(), cluster.now());
        }
        String name = Json.string(metadata, "name");
        String prefix = Json.string(metadata, "generateName");
        Namespaces.requireOpen(cluster, target, name);
        if (name.isEmpty() && prefix.isEmpty()) {
            behaviour.prepareForCreate(tree, target);
            admission.pass(new Admission.Write(Operation.CREATE, target, tree, null, options.dryRun(), warnings));
            throw behaviour.invalid(
                    tree, target, List.of(FieldError.required("metadata.name", "name or generateName is required")));
        }
        if (!name.isEmpty()) {
            return insert(target, tree, name, version, options, warnings);
        }
        String generated = "";
        for (int attempt = 0; attempt < NameGenerator.ATTEMPTS; attempt++) {
            generated = NameGenerator.name(prefix, cluster.random());
            Map<String, @Nullable Object> candidate = Json.copyObject(tree);
            Metadata.of(candidate).put("name", generated);
            Optional<Reply> reply = insert(target, candidate, generated, version, options, new ArrayList<>(warnings));
            if (reply.isPresent()) {
                return reply;
            }
        }
        throw Refusal.noUniqueName(type, generated);
    }

    /** Empty when the name is taken. */
    private Optional<Reply> insert(
            Target target,
            Map<String, @Nullable Object> tree,
            String name,
            String version,
            WriteOptions options,
            List<String> warnings) {
        ResourceType type = target.type();
        Behaviour behaviour = cluster.behaviours().of(type);
        changed(target, tree, options, warnings);
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        metadata.remove("resourceVersion");
        metadata.put("uid", cluster.uuid());
        metadata.put("creationTimestamp", cluster.now());
        if (type.rules().generation()) {
            metadata.put("generation", 1L);
        }
        behaviour.prepareForCreate(tree, target);
        admission.pass(new Admission.Write(Operation.CREATE, target, tree, null, options.dryRun(), warnings));
        if (!version.isEmpty() && !version.equals("0")) {
            throw Refusal.internal("resourceVersion should not be set on objects to be created");
        }
        Target named = target.withName(target.namespace(), name);
        Key key = cluster.key(named);
        Fences.check(cluster, options.fence(), named);
        if (options.dryRun()) {
            return cluster.read(named) == null
                    ? Optional.of(new Reply.Shown(201, Documents.of(tree), warnings))
                    : Optional.empty();
        }
        StoredObject stored = cluster.encode(tree, target);
        long revision = cluster.commit(named, key, null, stored, options.fence());
        return revision == 0
                ? Optional.empty()
                : Optional.of(
                        new Reply.Shown(201, cluster.document(new Entry(key, revision, stored), target), warnings));
    }

    private void changed(
            Target target, Map<String, @Nullable Object> tree, WriteOptions options, List<String> warnings) {
        if (admission.changes().isEmpty()) {
            return;
        }
        Map<String, @Nullable Object> before = Json.copyObject(tree);
        if (admission.change(new Admission.Write(Operation.CREATE, target, tree, null, options.dryRun(), warnings))) {
            // what webhooks set is the writer's
            ownership.written(tree, before, target, options.fieldManager(), cluster.now());
        }
    }

    private boolean deleting(Target target) {
        Entry entry = cluster.read(target);
        return entry != null && ((StoredObject) entry.value()).deleting();
    }

    /** Causes of a namespace that is going away. */
    public static List<StatusCause> terminating(String namespace) {
        return List.of(new StatusCause(
                "NamespaceTerminating", "namespace " + namespace + " is being terminated", "metadata.namespace"));
    }
}
