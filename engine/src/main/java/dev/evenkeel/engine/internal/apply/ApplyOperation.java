package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
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
    private final Instant now;
    private final OwnershipSchema shape;
    private final Owner owner;
    private final JsonObject desired;

    ApplyOperation(
            FieldManagerScope endpoint,
            JsonObject live,
            JsonObject patch,
            String manager,
            ManagedFields claims,
            Instant now) {
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
                throw Conflicts.refusal(remaining);
            }
            transfer.takeFromOtherOwners(claims, Optional.of(owner), conflicts, true);
        }
        boolean same = Values.equal(live, desired);
        ManagedFieldsEntry mine = claims.get(owner);
        if (mine != null) {
            String time = same ? mine.time() : FieldOwnership.rfc3339(now);
            claims.set(
                    owner,
                    ManagedFieldsEntry.of(
                            mine.fields().difference(FieldOwnership.SYSTEM), endpoint.apiVersion(), time));
        }
        JsonObject object = desired.copy();
        boolean annotated = manager.equals("kubectl") && LastApplied.update(object, patch);
        List<@Nullable Object> entries = claims.encode();
        boolean changed = !same || annotated || !FieldOwnership.sameButTimes(before, entries);
        JsonObject metadata = Json.asObject(object.computeIfAbsent("metadata", k -> new JsonObject()));
        List<@Nullable Object> owners = changed ? entries : Json.asArray(Json.copy(before));
        if (owners.isEmpty()) {
            metadata.remove("managedFields");
        } else {
            metadata.put("managedFields", owners);
        }
        return new FieldOwnership.Applied(object, changed);
    }

    /** Returns true if everything that was applied last time is applied again, so that there is nothing to remove. */
    private boolean isKept(ManagedFieldsEntry last, FieldSet applied) {
        return last.apiVersion().equals(endpoint.apiVersion())
                && last.fields().difference(applied).isEmpty();
    }

    /** Removes the fields that were applied last time and are no longer, unless other managers own them. */
    private JsonObject pruned(JsonObject merged, ManagedFieldsEntry last) {
        Optional<OwnershipSchema> known = endpoint.shape(last.apiVersion());
        if (known.isEmpty()) {
            return merged;
        }
        OwnershipSchema former = known.get();
        FieldSet lastFields = last.fields().withNamedFields(former);
        Object pruned = Removal.remove(merged, lastFields, former);
        Map<String, FieldSet> owned =
                new TreeMap<>(Comparator.comparing((String version) -> !version.equals(last.apiVersion()))
                        .thenComparing(Comparator.naturalOrder()));
        claims.entries()
                .forEach(
                        e -> owned.merge(e.getValue().apiVersion(), e.getValue().fields(), FieldSet::union));
        for (Map.Entry<String, FieldSet> entry : owned.entrySet()) {
            Optional<OwnershipSchema> version = endpoint.shape(entry.getKey());
            if (version.isPresent()) {
                OwnershipSchema in = version.get();
                FieldSet keep = FieldCollector.collect(pruned, in)
                        .withNamedFields(in)
                        .union(entry.getValue().withNamedFields(in));
                FieldSet all = FieldCollector.collect(merged, in).withNamedFields(in);
                pruned = Removal.remove(merged, all.difference(keep), in);
            }
        }
        FieldSet left = FieldCollector.collect(pruned, former).withNamedFields(former);
        FieldSet all = FieldCollector.collect(merged, former).withNamedFields(former);
        FieldSet gone = all.difference(left).intersection(lastFields);
        return Json.asObject(Removal.remove(merged, gone, former));
    }

    /**
     * Returns the conflicts that do not come from kubectl's own client-side apply, according to the object's
     * annotation.
     */
    private Map<Owner, FieldSet> notClientSide(Map<Owner, FieldSet> conflicts) {
        Optional<FieldSet> allowed = LastApplied.fields(live, endpoint.apiVersion(), shape);
        if (allowed.isEmpty()) {
            return conflicts;
        }
        Map<Owner, FieldSet> remaining = new HashMap<>();
        conflicts.forEach((other, fields) -> {
            FieldSet left = fields.difference(allowed.get());
            if (!left.isEmpty()) {
                remaining.put(other, left);
            }
        });
        return remaining;
    }
}
