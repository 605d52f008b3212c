package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.StatusDetails;
import dev.evenkeel.engine.internal.admission.Admission;
import dev.evenkeel.engine.internal.admission.Admission.Operation;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Documents;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.object.Termination;
import dev.evenkeel.engine.internal.object.WriteContext;
import dev.evenkeel.engine.internal.service.Definitions;
import dev.evenkeel.engine.internal.service.Namespaces;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions.Propagation;
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
public record DeleteVerb(WriteContext cluster, Admission admission) {
    private static final String ORPHAN = "orphan";
    private static final String FOREGROUND = "foregroundDeletion";

    public Reply delete(Target target, DeleteOptions options) {
        while (true) {
            Entry entry = cluster.read(target);
            if (entry == null) {
                throw Refusal.notFound(target.type(), target.name());
            }
            Reply reply = attempt(target, options, entry);
            if (reply != null) {
                return reply;
            }
        }
    }

    /** Null when the object changed meanwhile. */
    private @Nullable Reply attempt(Target target, DeleteOptions options, Entry entry) {
        ResourceType type = target.type();
        Map<String, @Nullable Object> tree = cluster.tree(entry, target);
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        List<String> warnings = new ArrayList<>();
        Fences.check(cluster, options.fence(), target);
        checkPreconditions(target, metadata, entry, options);
        Admission.Write write = new Admission.Write(Operation.DELETE, target, tree, tree, options.dryRun(), warnings);
        boolean unused = admission.change(write);
        admission.pass(write);
        boolean marked = Metadata.deleting(metadata);
        Map<String, @Nullable Object> before = Json.copyObject(tree);
        if (!marked) {
            cluster.behaviours().of(type).prepareForDelete(tree, target);
        }
        Metadata.setFinalizers(metadata, finalizers(Metadata.finalizers(metadata), options));
        if (type.id().equals(Definitions.ID)
                && !marked
                && !Metadata.finalizers(metadata).isEmpty()) {
            metadata.put("deletionTimestamp", cluster.now());
            return finish(target, options, entry, tree, before, warnings);
        }
        if (type.id().equals(Namespaces.ID)) {
            mark(tree, OptionalLong.empty(), marked);
            return finish(target, options, entry, tree, before, warnings);
        }
        OptionalLong grace = cluster.behaviours().of(type).grace(tree, options.gracePeriodSeconds());
        boolean graceful = grace.isPresent();
        if (!graceful && Metadata.finalizers(metadata).isEmpty()) {
            return remove(target, options, entry, before, warnings, false);
        }
        boolean shorter =
                graceful && marked && grace.getAsLong() < Json.integer(metadata, "deletionGracePeriodSeconds");
        if (!marked || shorter) {
            mark(tree, graceful ? grace : OptionalLong.of(0), marked);
        }
        return finish(target, options, entry, tree, before, warnings);
    }

    private @Nullable Reply finish(
            Target target,
            DeleteOptions options,
            Entry entry,
            Map<String, @Nullable Object> tree,
            Map<String, @Nullable Object> before,
            List<String> warnings) {
        if (Termination.complete(tree, target.type())
                && !(target.type().id().equals(Namespaces.ID) && !Metadata.deleting(Metadata.of(before)))) {
            return remove(target, options, entry, tree, warnings, true);
        }
        int code = options.orphanDependents().filter(orphan -> !orphan).isPresent() ? 202 : 200;
        if (tree.equals(before)) {
            return new Reply.Shown(code, cluster.document(entry, target), warnings);
        }
        if (options.dryRun()) {
            return new Reply.Shown(code, Documents.of(tree), warnings);
        }
        StoredObject stored = cluster.encode(tree, target);
        long revision = cluster.commit(target, entry.key(), entry, stored, options.fence());
        return revision == 0
                ? null
                : new Reply.Shown(code, cluster.document(new Entry(entry.key(), revision, stored), target), warnings);
    }

    private @Nullable Reply remove(
            Target target,
            DeleteOptions options,
            Entry entry,
            Map<String, @Nullable Object> last,
            List<String> warnings,
            boolean changed) {
        long revision = entry.revision();
        if (!options.dryRun()) {
            revision = cluster.commit(target, entry.key(), entry, null, options.fence());
            if (revision == 0) {
                return null;
            }
        }
        ResourceType type = target.type();
        if (type.rules().deleteReturnsObject()) {
            if (changed) {
                Metadata.of(last).put("resourceVersion", Long.toString(revision));
            }
            return new Reply.Shown(200, Documents.of(last), warnings);
        }
        String uid = Json.string(last, "metadata", "uid");
        return new Reply.Success(
                200,
                StatusDetails.of(target.name(), type.group(), type.plural()).withUid(uid),
                warnings);
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
