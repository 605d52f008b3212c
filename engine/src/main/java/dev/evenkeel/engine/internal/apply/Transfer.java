package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A change of an object from the perspective of its owners: compared in each version in which something is owned, so
 * that each owner loses the paths that changed in its own version.
 */
final class Transfer {
    private final FieldManagerScope endpoint;
    private final JsonObject before;
    private final JsonObject after;
    private final boolean strict;
    private final Map<String, Optional<Comparison>> comparisons = new HashMap<>();

    /**
     * Creates the change.
     *
     * @param before the object before, without ownership record
     * @param after the object after, likewise
     * @param comparison of both in the endpoint's version
     * @param strict whether the objects must fit the schemas of the other versions
     */
    Transfer(FieldManagerScope endpoint, JsonObject before, JsonObject after, Comparison comparison, boolean strict) {
        this.endpoint = endpoint;
        this.before = before;
        this.after = after;
        this.strict = strict;
        comparisons.put(endpoint.apiVersion(), Optional.of(comparison));
    }

    private Optional<Comparison> in(String version) {
        return comparisons.computeIfAbsent(version, v -> endpoint.shape(v).map(shape -> compared(v, shape)));
    }

    private Comparison compared(String version, OwnershipSchema shape) {
        JsonObject left = endpoint.conversion().convert(before, version);
        JsonObject right = endpoint.conversion().convert(after, version);
        if (strict) {
            Conformance.check(left, shape, false);
            Conformance.check(right, shape, false);
        }
        return Comparison.of(left, right, shape).without(endpoint.reset());
    }

    /**
     * Takes changed and removed paths from all owners but one. Versions that are no longer served lose their owners.
     *
     * @param conflicts collects the changed paths of each owner that has some
     * @param force true to take them despite conflicts; otherwise nothing is taken when there are any
     */
    void takeFromOtherOwners(
            ManagedFields claims, Optional<Owner> writer, Map<Owner, FieldSet> conflicts, boolean force) {
        for (Map.Entry<Owner, ManagedFieldsEntry> entry : claims.entries()) {
            Owner owner = entry.getKey();
            if (writer.filter(owner::equals).isPresent()) {
                continue;
            }
            Comparison comparison = in(entry.getValue().apiVersion()).orElse(null);
            if (comparison == null) {
                claims.remove(owner);
            } else if (!comparison.isEmpty()) {
                FieldSet changed = comparison.modified().union(comparison.added());
                FieldSet conflict = entry.getValue().fields().intersection(changed);
                if (!conflict.isEmpty()) {
                    conflicts.put(owner, conflict);
                }
            }
        }
        if (!force && !conflicts.isEmpty()) {
            return;
        }
        for (Map.Entry<Owner, ManagedFieldsEntry> entry : claims.entries()) {
            Owner owner = entry.getKey();
            FieldSet fields = entry.getValue().fields();
            if (writer.filter(owner::equals).isEmpty()) {
                Comparison comparison = in(entry.getValue().apiVersion()).orElseThrow();
                fields = fields.difference(conflicts.getOrDefault(owner, FieldSet.EMPTY))
                        .difference(comparison.removed());
            }
            claims.set(owner, entry.getValue().with(fields));
        }
    }
}
