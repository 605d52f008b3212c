package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy.GarbageCollection;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions.Propagation;
import dev.evenkeel.engine.spi.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Deletes objects: at once if possible, else by marking them.
 *
 * <p>Deletion is delayed by finalizers, those of the object or those added for the propagation policy (which the
 * garbage collector removes); by a grace period, for kinds that have one; and for namespaces by their content.
 */
public record DeleteVerb(WriteContext cluster, Pipeline pipeline) {
    private static final String ORPHAN = "orphan";
    private static final String FOREGROUND = "foregroundDeletion";

    public Reply delete(Target target, DeleteOptions options) {
        return delete(target, options, Requester.IN_PROCESS);
    }

    /** Deletes an object for a user. */
    public Reply delete(Target target, DeleteOptions options, Requester requester) {
        WriteOptions writing = new WriteOptions(
                "", options.dryRun(), WriteOptions.FieldValidation.WARN, false, options.fence(), requester);
        while (true) {
            Store.Entry entry = cluster.require(target);
            JsonObject old = cluster.tree(entry, target);
            Write write = new Write(
                    Operation.DELETE,
                    target,
                    entry,
                    old,
                    live -> marked(target, options, entry, old, UpdateVerb.present(live, target)),
                    writing,
                    true);
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
                        Status.Details.of(write.target().name(), type.group(), type.plural())
                                .uid(write.metadata().string("uid")),
                        write.warnings());
    }

    /** Returns the object after the delete: marked, or unchanged when it is deleted at once. */
    private Wanted marked(Target target, DeleteOptions options, Store.Entry entry, JsonObject old, JsonObject tree) {
        ResourceStrategy strategy = cluster.strategies().of(target);
        checkPreconditions(target, strategy, old.withObject("metadata"), entry, options);
        JsonObject metadata = tree.withObject("metadata");
        List<String> warnings = new ArrayList<>();
        boolean marked = metadata.has("deletionTimestamp");
        boolean staying = !marked && strategy.marksForDeletion();
        if (staying) {
            strategy.markForDeletion(tree, cluster.context());
        }
        Metadata.setFinalizers(metadata, finalizers(metadata.strings("finalizers"), options, strategy, warnings));
        if (staying) {
            return new Wanted(tree, true, false, warnings);
        }
        OptionalLong grace = strategy.grace(tree, options.gracePeriodSeconds());
        if (grace.isEmpty() && metadata.strings("finalizers").isEmpty() && !strategy.held(tree)) {
            return new Wanted(old, true, true, warnings);
        }
        boolean shorter = grace.isPresent() && grace.getAsLong() < metadata.integer("deletionGracePeriodSeconds");
        if (!marked || shorter) {
            mark(metadata, grace.orElse(0), marked);
        }
        return new Wanted(tree, true, Write.terminated(tree, strategy), warnings);
    }

    /** Marks an object: sets the time at which it is deleted, and the grace period. */
    private void mark(JsonObject metadata, long grace, boolean marked) {
        if (!marked) {
            Metadata.nextGeneration(metadata);
        }
        Instant begin = marked
                ? Instant.parse(metadata.string("deletionTimestamp"))
                        .minusSeconds(metadata.integer("deletionGracePeriodSeconds"))
                : cluster.clock().instant();
        metadata.put("deletionTimestamp", WriteContext.time(begin.plusSeconds(grace)));
        metadata.put("deletionGracePeriodSeconds", grace);
    }

    /** Returns the finalizers for the policy of the request, or else of the object, or else of the kind. */
    private static List<String> finalizers(
            List<String> present, DeleteOptions options, ResourceStrategy strategy, List<String> warnings) {
        Optional<Propagation> requested = options.propagation()
                .or(() ->
                        options.orphanDependents().map(orphan -> orphan ? Propagation.ORPHAN : Propagation.BACKGROUND));
        GarbageCollection kind = strategy.garbageCollection();
        if (requested.isEmpty() && kind == GarbageCollection.ORPHAN_DEPENDENTS) {
            warnings.addAll(strategy.deletionWarnings());
            boolean decided = present.contains(ORPHAN) || present.contains(FOREGROUND);
            requested = decided ? requested : Optional.of(Propagation.ORPHAN);
        }
        if (requested.isEmpty() && kind != GarbageCollection.UNSUPPORTED) {
            return present;
        }
        String wanted = kind == GarbageCollection.UNSUPPORTED
                ? ""
                : switch (requested.orElseThrow()) {
                    case ORPHAN -> ORPHAN;
                    case FOREGROUND -> FOREGROUND;
                    case BACKGROUND -> "";
                };
        List<String> finalizers = new ArrayList<>(present);
        for (String policy : List.of(ORPHAN, FOREGROUND)) {
            if (!policy.equals(wanted)) {
                finalizers.remove(policy);
            } else if (!finalizers.contains(policy)) {
                finalizers.add(policy);
            }
        }
        return finalizers;
    }

    private static void checkPreconditions(
            Target target, ResourceStrategy strategy, JsonObject metadata, Store.Entry entry, DeleteOptions options) {
        String uid = metadata.string("uid");
        options.uid().filter(wanted -> !wanted.equals(uid)).ifPresent(wanted -> {
            throw refused(target, strategy, "UID", wanted, uid, "deleted and then recreated");
        });
        String version = Long.toString(entry.revision());
        options.resourceVersion().filter(wanted -> !wanted.equals(version)).ifPresent(wanted -> {
            throw refused(target, strategy, "ResourceVersion", wanted, version, "modified");
        });
    }

    private static ApiException refused(
            Target target, ResourceStrategy strategy, String field, String wanted, String present, String happened) {
        return strategy.marksForDeletion()
                ? Refusal.conflict(
                        target.type(),
                        target.name(),
                        "Precondition failed: " + field + " in precondition: " + wanted + ", " + field
                                + " in object meta: " + present)
                : Refusal.precondition(
                        target.type(),
                        target.name(),
                        "the " + field + " in the precondition (" + wanted + ") does not match the " + field
                                + " in record (" + present + "). The object might have been " + happened);
    }
}
