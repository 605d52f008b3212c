package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.admission.DefinitionCheck;
import dev.evenkeel.engine.internal.admission.Documents;
import dev.evenkeel.engine.internal.admission.Fences;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.admission.WriteStep;
import dev.evenkeel.engine.internal.apply.FieldOwnership;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Revisions;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;

/**
 * Commits the object on the condition that the present one is still the one that the write was computed from, and for a
 * new object that its namespace and its definition are still there and not being deleted. A write that changes nothing
 * is answered only if the present object is still that one in the latest state, and so is a dry run.
 */
record CommitStep(WriteContext cluster) implements WriteStep {
    @Override
    public String name() {
        return "commit";
    }

    @Override
    public void run(Write write) {
        Target target = write.target();
        if (write.operation() == Operation.CREATE) {
            checkNew(write);
        }
        if (write.owned() && write.operation() != Operation.RESTORE) {
            cluster.strategies().of(target).settleApplied(write.tree());
        }
        Store.Entry present = write.present();
        boolean gone = write.deletes(cluster.strategies().of(target));
        Store.Key key = cluster.key(target);
        if (!gone && present != null && isUnchanged(write)) {
            if (cluster.isCurrent(key, present)) {
                write.committed(cluster.document(present, target));
            }
        } else if (write.options().dryRun()) {
            if (cluster.isCurrent(key, present)) {
                var unused = conditions(write, key);
                write.committed(Documents.of(write.tree()));
            }
        } else {
            StoredObject stored = gone ? null : cluster.encode(write);
            long revision = cluster.commit(key, present, stored, write.others(), () -> conditions(write, key));
            if (revision != 0) {
                write.committed(
                        stored == null
                                ? deleted(write, revision)
                                : cluster.document(new Store.Entry(key, revision, stored), target));
            }
        }
    }

    private List<Store.Condition> conditions(Write write, Store.Key key) {
        Target target = write.target();
        List<Store.Condition> fence = write.options()
                .fence()
                .map(held -> Fences.conditions(cluster, held, target, key, write.present()))
                .orElse(List.of());
        if (write.operation() != Operation.CREATE) {
            return fence;
        }
        List<Store.Condition> all = new ArrayList<>(fence);
        all.addAll(Namespaces.requireOpen(cluster, target));
        all.addAll(DefinitionCheck.requireOpen(cluster, target));
        return all;
    }

    /** Checks the two conditions that upstream checks last. */
    private void checkNew(Write write) {
        Target target = write.target();
        if (target.name().isEmpty()) {
            throw Refusal.invalid(
                    target.type(),
                    write.tree(),
                    List.of(FieldError.required("metadata.name", "name or generateName is required")));
        }
        String version = write.metadata().string("resourceVersion");
        if (Revisions.valid(version) && !version.equals("0")) {
            throw Refusal.internal("resourceVersion should not be set on objects to be created");
        }
        write.metadata().remove("resourceVersion");
    }

    private static Document deleted(Write write, long revision) {
        boolean shown = write.target().type().rules().deleteReturnsObject();
        if (write.operation() != Operation.DELETE || (!shown && write.tree().equals(write.old()))) {
            return Documents.of(write.tree());
        }
        JsonObject last = write.tree().copy();
        last.withObject("metadata").put("resourceVersion", Long.toString(revision));
        return Documents.of(last);
    }

    /** Returns true if nothing differs except the times of managedFields. */
    private static boolean isUnchanged(Write write) {
        JsonObject old = write.old();
        if (old == null || write.operation() == Operation.RESTORE) {
            return false;
        }
        JsonObject metadata = write.metadata();
        Object owners = metadata.get("managedFields");
        Object before = old.withObject("metadata").get("managedFields");
        if (owners == null || owners.equals(before) || !FieldOwnership.sameButTimes(owners, before)) {
            return write.tree().equals(old);
        }
        metadata.put("managedFields", before);
        boolean same = write.tree().equals(old);
        metadata.put("managedFields", owners);
        return same;
    }
}
