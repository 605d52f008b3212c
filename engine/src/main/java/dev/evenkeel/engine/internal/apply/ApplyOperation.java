package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One apply: merges the configuration into the object, removes fields that are no longer applied, and detects conflicts
 * with other owners.
 */
final class ApplyOperation {
    private final FieldManagerScope endpoint;
    private final JsonObject live;
    private final JsonObject patch;
    private final String manager;
    private final ManagedFields claims;
    private final String now;
    private final OwnershipSchema shape;
    private final Owner owner;
    private final JsonObject desired;

    ApplyOperation(
            FieldManagerScope endpoint,
            JsonObject live,
            JsonObject patch,
            String manager,
            ManagedFields claims,
            String now) {
        this.endpoint = endpoint;
        this.shape = endpoint.shape();
        this.live = live;
        this.patch = patch;
        this.manager = manager;
        this.claims = claims;
        this.now = now;
        endpoint.adapt(claims);
        owner = Owner.applier(manager, endpoint.subresource());
        ManagedFieldsEntry last = claims.get(owner);
        FieldSet applied = FieldCollector.collect(patch, shape).without(endpoint.reset());
        claims.put(owner, ManagedFieldsEntry.of(applied, endpoint.apiVersion(), last == null ? "" : last.time()));
        JsonObject merged = Json.asObject(Merge.merge(live, patch, shape));
        desired = last == null || isKept(last, applied) ? merged : pruned(merged, last);
    }

    FieldOwnership.Applied result(List<?> before, boolean force) {
        Comparison changes = Comparison.of(live, desired, shape).without(endpoint.reset());
        Transfer transfer = new Transfer(endpoint, live, desired, changes, false);
        Map<Owner, FieldSet> conflicts = new HashMap<>();
        transfer.takeFromOtherOwners(claims, Optional.of(owner), conflicts, force);
        if (!force && !conflicts.isEmpty()) {
            Map<Owner, FieldSet> remaining = manager.equals("kubectl") ? notClientSide(conflicts) : conflicts;
            if (!remaining.isEmpty()) {
                throw refusal(remaining);
            }
            transfer.takeFromOtherOwners(claims, Optional.of(owner), conflicts, true);
        }
        boolean same = Values.equal(live, desired);
        ManagedFieldsEntry mine = claims.get(owner);
        if (mine != null) {
            String time = same ? mine.time() : now;
            FieldSet fields = mine.fields().difference(FieldOwnership.SYSTEM);
            claims.set(owner, ManagedFieldsEntry.of(fields, endpoint.apiVersion(), time));
        }
        JsonObject object = desired.copy();
        boolean annotated = manager.equals("kubectl") && LastApplied.update(object, patch);
        List<@Nullable Object> entries = claims.encode();
        boolean changed = !same || annotated || !FieldOwnership.sameButTimes(before, entries);
        object.withObject("metadata").setOrRemove("managedFields", changed ? entries : Json.copy(before));
        return new FieldOwnership.Applied(object, changed);
    }

    /** Returns true if everything that was applied last time is applied again, so that there is nothing to remove. */
    private boolean isKept(ManagedFieldsEntry last, FieldSet applied) {
        return last.apiVersion().equals(endpoint.apiVersion())
                && last.fields().difference(applied).isEmpty();
    }

    /** Removes the fields that were applied last time and are no longer, unless other managers own them. */
    private JsonObject pruned(JsonObject merged, ManagedFieldsEntry last) {
        OwnershipSchema former = endpoint.shape(last.apiVersion()).orElse(null);
        if (former == null) {
            return merged;
        }
        FieldSet lastFields = last.fields().withNamedFields(former);
        Object pruned = Removal.remove(merged, lastFields, former);
        Map<String, FieldSet> owned =
                new TreeMap<>(Comparator.comparing((String version) -> !version.equals(last.apiVersion()))
                        .thenComparing(Comparator.naturalOrder()));
        for (Map.Entry<Owner, ManagedFieldsEntry> claim : claims.entries()) {
            owned.merge(claim.getValue().apiVersion(), claim.getValue().fields(), FieldSet::union);
        }
        for (Map.Entry<String, FieldSet> entry : owned.entrySet()) {
            OwnershipSchema in = endpoint.shape(entry.getKey()).orElse(null);
            if (in != null) {
                FieldSet keep = named(pruned, in).union(entry.getValue().withNamedFields(in));
                pruned = Removal.remove(merged, named(merged, in).difference(keep), in);
            }
        }
        FieldSet gone = named(merged, former).difference(named(pruned, former)).intersection(lastFields);
        return Json.asObject(Removal.remove(merged, gone, former));
    }

    private static FieldSet named(@Nullable Object tree, OwnershipSchema shape) {
        return FieldCollector.collect(tree, shape).withNamedFields(shape);
    }

    /**
     * Returns the conflicts that do not come from kubectl's own client-side apply, according to the object's
     * annotation.
     */
    private Map<Owner, FieldSet> notClientSide(Map<Owner, FieldSet> conflicts) {
        FieldSet allowed = LastApplied.fields(live, endpoint.apiVersion(), shape);
        Map<Owner, FieldSet> remaining = new HashMap<>();
        conflicts.forEach((other, fields) -> {
            FieldSet left = fields.difference(allowed);
            if (!left.isEmpty()) {
                remaining.put(other, left);
            }
        });
        return remaining;
    }

    /** Returns the error: one cause for each field of each owner, owners in upstream's order. */
    private static ApiException refusal(Map<Owner, FieldSet> conflicts) {
        Map<Owner, FieldSet> sorted = new TreeMap<>(Comparator.comparing(Owner::identifier));
        sorted.putAll(conflicts);
        List<Status.Cause> causes = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        sorted.forEach((owner, fields) -> {
            String shown = owner.shown();
            lines.append(lines.isEmpty() ? "conflicts with " : "\nconflicts with ")
                    .append(shown)
                    .append(':');
            fields.forEach((path, node) -> {
                lines.append("\n- ").append(path);
                causes.add(new Status.Cause("FieldManagerConflict", "conflict with " + shown, path));
            });
        });
        Status.Cause first = causes.getFirst();
        String message = causes.size() == 1
                ? "Apply failed with 1 conflict: " + first.message() + ": " + first.field()
                : "Apply failed with " + causes.size() + " conflicts: " + lines;
        return ApiException.of(Status.of(409, "Conflict", message, Status.Details.EMPTY.causes(causes)));
    }
}
