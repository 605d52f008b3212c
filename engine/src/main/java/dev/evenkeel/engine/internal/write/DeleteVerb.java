package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.StatusDetails;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Termination;
import dev.evenkeel.engine.internal.object.WriteContext;
import dev.evenkeel.engine.internal.service.Namespaces;
import dev.evenkeel.engine.internal.strategy.Behaviour;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions.Propagation;
import dev.evenkeel.engine.internal.write.WriteOptions.FieldValidation;
import dev.evenkeel.engine.spi.Entry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Deletes objects: at once when nothing holds them, else by marking them.
 *
 * <p>What holds an object: finalizers, of its own or added for the propagation policy (the garbage collector takes those
 * off again); a grace period, for kinds that have one; and for namespaces their content.
 */
public record DeleteVerb(WriteContext cluster, Pipeline pipeline) {
    private static final String CRDS = "customresourcedefinitions.apiextensions.k8s.io";
    private static final String ORPHAN = "orphan";
    private static final String FOREGROUND = "foregroundDeletion";

    public Reply delete(Target target, DeleteOptions options) {
        WriteOptions writing = new WriteOptions("", options.dryRun(), FieldValidation.IGNORE, false, options.fence());
        while (true) {
            Entry entry = cluster.read(target);
            if (entry == null) {
                throw Refusal.notFound(target.type(), target.name());
            }
            Map<String, @Nullable Object> old = cluster.tree(entry, target);
            Write write = new Write(
                    Operation.DELETE,
                    target,
                    entry,
                    old,
                    live -> marked(target, options, entry, old, UpdateVerb.present(live, target)),
                    writing);
            if (pipeline.run(write)) {
                return reply(write, options);
            }
        }
    }

    private static Reply reply(Write write, DeleteOptions options) {
        if (!write.gone()) {
            return write.reply(
                    options.orphanDependents().filter(orphan -> !orphan).isPresent() ? 202 : 200);
        }
        ResourceType type = write.target().type();
        return type.rules().deleteReturnsObject()
                ? write.reply(200)
                : new Reply.Success(
                        200,
                        StatusDetails.of(write.target().name(), type.group(), type.plural())
                                .withUid(Json.string(write.metadata(), "uid")),
                        write.warnings());
    }

    /** The object as the delete leaves it: marked, or as it was when it is deleted at once. */
    private Wanted marked(
            Target target,
            DeleteOptions options,
            Entry entry,
            Map<String, @Nullable Object> old,
            Map<String, @Nullable Object> tree) {
        checkPreconditions(target, Metadata.of(old), entry, options);
        ResourceType type = target.type();
        Behaviour behaviour = cluster.behaviours().of(type);
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        boolean marked = Metadata.deleting(metadata);
        if (!marked) {
            behaviour.prepareForDelete(tree, target);
        }
        Metadata.setFinalizers(metadata, finalizers(Metadata.finalizers(metadata), options));
        boolean held = !Metadata.finalizers(metadata).isEmpty();
        if (type.id().equals(CRDS) && !marked && held) {
            metadata.put("deletionTimestamp", cluster.now());
        } else if (type.id().equals(Namespaces.ID)) {
            mark(tree, OptionalLong.empty(), marked);
        } else {
            OptionalLong grace = behaviour.grace(tree, options.gracePeriodSeconds());
            if (grace.isEmpty() && !held) {
                return new Wanted(old, true, true, new ArrayList<>());
            }
            if (!marked
                    || (grace.isPresent()
                            && grace.getAsLong() < Json.integer(metadata, "deletionGracePeriodSeconds"))) {
                mark(tree, grace.isPresent() ? grace : OptionalLong.of(0), marked);
            }
        }
        boolean gone = Termination.complete(tree, type) && (marked || !type.id().equals(Namespaces.ID));
        return new Wanted(tree, true, gone, new ArrayList<>());
    }

    /** Marks an object: when it goes, and how long that may take. */
    private void mark(Map<String, @Nullable Object> tree, OptionalLong grace, boolean marked) {
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        if (!marked) {
            Metadata.nextGeneration(metadata);
        }
        if (grace.isPresent()) {
            Instant begin = marked
                    ? Instant.parse(Json.string(metadata, "deletionTimestamp"))
                            .minusSeconds(Json.integer(metadata, "deletionGracePeriodSeconds"))
                    : cluster.clock().instant();
            metadata.put("deletionTimestamp", WriteContext.time(begin.plusSeconds(grace.getAsLong())));
            metadata.put("deletionGracePeriodSeconds", grace.getAsLong());
        } else if (!marked) {
            metadata.put("deletionTimestamp", cluster.now());
            Object status = tree.get("status");
            Map<String, @Nullable Object> changed =
                    status instanceof Map<?, ?> ? Json.asObject(status) : new LinkedHashMap<>();
            changed.put("phase", "Terminating");
            tree.put("status", changed);
        }
    }

    private static List<String> finalizers(List<String> present, DeleteOptions options) {
        Optional<Propagation> policy = options.propagation()
                .or(() ->
                        options.orphanDependents().map(orphan -> orphan ? Propagation.ORPHAN : Propagation.BACKGROUND));
        if (policy.isEmpty()) {
            return present;
        }
        List<String> finalizers = new ArrayList<>(present);
        String wanted = switch (policy.get()) {
            case ORPHAN -> ORPHAN;
            case FOREGROUND -> FOREGROUND;
            case BACKGROUND -> "";
        };
        finalizers.removeIf(name -> (name.equals(ORPHAN) || name.equals(FOREGROUND)) && !name.equals(wanted));
        if (!wanted.isEmpty() && !finalizers.contains(wanted)) {
            finalizers.add(wanted);
        }
        return finalizers;
    }

    private static void checkPreconditions(
            Target target, Map<String, @Nullable Object> metadata, Entry entry, DeleteOptions options) {
        String uid = Json.string(metadata, "uid");
        options.uid().filter(wanted -> !wanted.equals(uid)).ifPresent(wanted -> {
            if (target.type().id().equals(Namespaces.ID)) {
                throw Refusal.conflict(
                        target.type(),
                        target.name(),
                        "Precondition failed: UID in precondition: " + wanted + ", UID in object meta: " + uid);
            }
            throw Refusal.precondition(
                    target.type(),
                    target.name(),
                    "the UID in the precondition (" + wanted + ") does not match the UID in record (" + uid
                            + "). The object might have been deleted and then recreated");
        });
        String version = Long.toString(entry.revision());
        options.resourceVersion().filter(wanted -> !wanted.equals(version)).ifPresent(wanted -> {
            throw Refusal.precondition(
                    target.type(),
                    target.name(),
                    "the ResourceVersion in the precondition (" + wanted
                            + ") does not match the ResourceVersion in record (" + version
                            + "). The object might have been modified");
        });
    }
}
