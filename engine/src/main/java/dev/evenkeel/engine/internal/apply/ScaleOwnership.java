package dev.evenkeel.engine.internal.apply;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Transfers ownership of the number of replicas between an object and its scale: a {@code Scale} knows only the owners
 * of {@code spec.replicas}, and the object has that field under a path of its own, which may differ by version.
 *
 * <p>Use: {@link #toScale} returns the entries of the Scale that is passed to {@link FieldOwnership}; {@link #toObject}
 * transfers the outcome to the object.
 *
 * @param paths the path of the number of replicas, such as {@code .spec.replicas}, by the object's apiVersion; an empty
 *     path for a version without scale, nothing for a version that is not served
 */
public record ScaleOwnership(Function<String, Optional<String>> paths) {
    private static final String SCALE_VERSION = "autoscaling/v1";
    private static final String SCALE_PATH = "spec.replicas";
    private static final FieldSet SCALE_FIELDS = FieldSet.of(List.of(SCALE_PATH));

    /**
     * Returns the entries of the scale, given those of the object.
     *
     * @param entries {@code metadata.managedFields} of the object; invalid entries count as none
     */
    public List<@Nullable Object> toScale(List<?> entries) {
        ManagedFields scale = new ManagedFields();
        decoded(entries).entries().forEach(entry -> {
            ManagedFieldsEntry claim = entry.getValue();
            Optional<String> path = paths.apply(claim.apiVersion());
            if (path.isPresent() && !path.get().isEmpty() && claim.fields().has(path.get())) {
                ManagedFieldsEntry scaled = ManagedFieldsEntry.of(SCALE_FIELDS, SCALE_VERSION, claim.time());
                scale.put(moved(entry.getKey(), SCALE_VERSION), scaled);
            }
        });
        return scale.encode();
    }

    /**
     * Returns the entries of the object after a write to its scale.
     *
     * @param entries {@code metadata.managedFields} of the object before
     * @param scaled {@code metadata.managedFields} of the scale after
     * @param apiVersion the version of the object that the request went through
     */
    public List<@Nullable Object> toObject(List<?> entries, List<?> scaled, String apiVersion) {
        ManagedFields before = decoded(entries);
        ManagedFields scale = decoded(scaled);
        ManagedFields result = new ManagedFields();
        for (Map.Entry<Owner, ManagedFieldsEntry> entry : before.entries()) {
            Owner owner = entry.getKey();
            ManagedFieldsEntry claim = entry.getValue();
            Optional<String> path = paths.apply(claim.apiVersion());
            if (path.isEmpty()) {
                continue;
            }
            if (path.get().isEmpty() || !claim.fields().has(path.get())) {
                result.put(owner, claim);
                continue;
            }
            Owner there = moved(owner, SCALE_VERSION);
            if (scale.get(there) == null) {
                FieldSet left = claim.fields().difference(FieldSet.of(List.of(path.get())));
                if (!left.isEmpty()) {
                    result.put(owner, claim.with(left));
                }
            } else {
                result.put(owner, claim);
                scale.remove(there);
            }
        }
        for (Map.Entry<Owner, ManagedFieldsEntry> entry : scale.entries()) {
            if (entry.getValue().fields().has(SCALE_PATH)) {
                Owner owner = moved(entry.getKey(), apiVersion);
                ManagedFieldsEntry previous = before.get(owner);
                FieldSet fields = FieldSet.of(List.of(paths.apply(apiVersion).orElse(SCALE_PATH)));
                String time = previous == null ? "" : previous.time();
                result.put(owner, ManagedFieldsEntry.of(fields, apiVersion, time));
            }
        }
        return result.encode();
    }

    private static ManagedFields decoded(List<?> entries) {
        try {
            return ManagedFields.decode(entries, false);
        } catch (UntypedException e) {
            return new ManagedFields();
        }
    }

    /** Returns the owner in another version; appliers have none. */
    private static Owner moved(Owner owner, String apiVersion) {
        return owner.applied() ? owner : Owner.updater(owner.manager(), apiVersion, owner.subresource());
    }
}
