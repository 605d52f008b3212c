package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.Rfc3339;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All owners of an object and their fields: {@code metadata.managedFields}, decoded. Mutable, for one request. */
final class ManagedFields {
    private static final int MAX_UPDATERS = 10;
    private static final String BUCKET = "ancient-changes";
    private static final Comparator<Map.Entry<Owner, ManagedFieldsEntry>> ORDER = Comparator.comparing(
                    (Map.Entry<Owner, ManagedFieldsEntry> e) -> e.getKey().operation())
            .thenComparing(e -> seconds(e.getValue().time()))
            .thenComparing(e -> e.getKey().manager())
            .thenComparing(e -> e.getValue().apiVersion())
            .thenComparing(e -> e.getKey().subresource());

    private final Map<Owner, ManagedFieldsEntry> byOwner = new LinkedHashMap<>();

    /**
     * Decodes entries.
     *
     * @param stored true if they come from a stored object, whose field sets are known to be well-formed
     * @throws UntypedException when an entry is malformed
     */
    static ManagedFields decode(List<?> entries, boolean stored) {
        ManagedFields claims = new ManagedFields();
        for (int i = 0; i < entries.size(); i++) {
            Object entry = entries.get(i);
            String operation = Json.string(entry, "operation");
            boolean applied = operation.equals("Apply");
            if (!applied && !operation.equals("Update")) {
                throw new UntypedException("operation must be `Apply` or `Update`");
            }
            String apiVersion = Json.string(entry, "apiVersion");
            if (apiVersion.isEmpty()) {
                throw new UntypedException("apiVersion must not be empty");
            }
            String fieldsType = Json.string(entry, "fieldsType");
            if (fieldsType.isEmpty()) {
                throw new UntypedException("missing fieldsType in managed fields entry " + i);
            } else if (!fieldsType.equals("FieldsV1")) {
                throw new UntypedException(
                        "invalid fieldsType " + GoTypes.quoted(fieldsType) + " in managed fields entry " + i);
            }
            String manager = Json.string(entry, "manager");
            String subresource = Json.string(entry, "subresource");
            Owner owner =
                    applied ? Owner.applier(manager, subresource) : Owner.updater(manager, apiVersion, subresource);
            Object fields = Json.at(entry, "fieldsV1");
            String time = Json.string(entry, "time");
            claims.put(
                    owner,
                    stored
                            ? ManagedFieldsEntry.stored(apiVersion, time, fields)
                            : ManagedFieldsEntry.of(
                                    fields == null ? FieldSet.EMPTY : FieldSet.parse(fields), apiVersion, time));
        }
        return claims;
    }

    boolean isEmpty() {
        return byOwner.isEmpty();
    }

    /** Returns owners and entries; a copy, so that entries may be changed during iteration. */
    List<Map.Entry<Owner, ManagedFieldsEntry>> entries() {
        return byOwner.entrySet().stream().map(Map.Entry::copyOf).toList();
    }

    /** Returns whether an entry has a version that is not one of these. */
    boolean hasOther(Predicate<String> versions) {
        for (ManagedFieldsEntry entry : byOwner.values()) {
            if (!versions.test(entry.apiVersion())) {
                return true;
            }
        }
        return false;
    }

    @Nullable
    ManagedFieldsEntry get(Owner owner) {
        return byOwner.get(owner);
    }

    void put(Owner owner, ManagedFieldsEntry claim) {
        byOwner.put(owner, claim);
    }

    void remove(Owner owner) {
        byOwner.remove(owner);
    }

    /** Sets the entry of an owner, or removes the owner when it owns nothing. */
    void set(Owner owner, ManagedFieldsEntry claim) {
        if (claim.fields().isEmpty()) {
            byOwner.remove(owner);
        } else {
            byOwner.put(owner, claim);
        }
    }

    /** Returns true if there are more updaters than are stored separately. */
    boolean isOverfull() {
        return byOwner.size() > MAX_UPDATERS
                && byOwner.keySet().stream().filter(o -> !o.applied()).count() > MAX_UPDATERS;
    }

    /** Merges the oldest updaters into one per version, until few enough are left. */
    void fold() {
        List<Map.Entry<Owner, ManagedFieldsEntry>> updaters = new ArrayList<>();
        entries().stream().filter(entry -> !entry.getKey().applied()).forEach(updaters::add);
        updaters.sort(Comparator.comparing((Map.Entry<Owner, ManagedFieldsEntry> e) ->
                        seconds(e.getValue().time()))
                .thenComparing(e -> e.getKey().identifier()));
        Map<String, Owner> first = new HashMap<>();
        int left = updaters.size();
        for (Map.Entry<Owner, ManagedFieldsEntry> updater : updaters) {
            if (left <= MAX_UPDATERS) {
                break;
            }
            Owner owner = updater.getKey();
            ManagedFieldsEntry claim = updater.getValue();
            Owner earlier = first.putIfAbsent(claim.apiVersion(), owner);
            if (earlier == null) {
                continue;
            }
            Owner bucket = Owner.updater(BUCKET, claim.apiVersion(), "");
            ManagedFieldsEntry folded = byOwner.get(bucket);
            if (folded == null) {
                folded = byOwner.remove(earlier);
            }
            FieldSet fields = folded == null ? claim.fields() : claim.fields().union(folded.fields());
            byOwner.remove(owner);
            byOwner.put(bucket, ManagedFieldsEntry.of(fields, claim.apiVersion(), claim.time()));
            left--;
        }
    }

    /** Returns the entries for {@code metadata.managedFields}, in upstream's order. */
    List<@Nullable Object> encode() {
        List<Map.Entry<Owner, ManagedFieldsEntry>> sorted = new ArrayList<>(byOwner.entrySet());
        if (sorted.size() > 1) {
            sorted.sort(ORDER);
        }
        List<@Nullable Object> entries = new ArrayList<>(sorted.size());
        sorted.forEach(e -> entries.add(e.getValue().entry(e.getKey())));
        return entries;
    }

    /** Parses an RFC 3339 time, for sorting. */
    private static Instant seconds(String time) {
        if (time.isEmpty()) {
            return Instant.EPOCH;
        }
        try {
            return Rfc3339.parse(time).truncatedTo(ChronoUnit.SECONDS);
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }
}
