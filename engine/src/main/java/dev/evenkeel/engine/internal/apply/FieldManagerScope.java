package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The endpoint through which objects are written: a version of a type, or a subresource of it.
 *
 * @param apiVersion version of the endpoint
 * @param kind kind of its objects
 * @param subresource empty for the main endpoint
 * @param blank the object before anything is set
 * @param reset paths that writes cannot change
 * @param schemas the schema of whole objects by apiVersion; empty for versions that are not served
 * @param conversion between versions
 */
record FieldManagerScope(
        String apiVersion,
        String kind,
        String subresource,
        JsonObject blank,
        FieldSet reset,
        Function<String, Optional<Schema>> schemas,
        FieldOwnership.Conversion conversion) {

    /** Returns the shape of objects in the endpoint's version. */
    OwnershipSchema shape() {
        return shape(apiVersion).orElseThrow();
    }

    /** Returns the shape of objects in a version; empty when it is not served. */
    Optional<OwnershipSchema> shape(String version) {
        return schemas.apply(version).map(OwnershipSchema::of);
    }

    /** Adapts ownership recorded under a former schema to the present one. */
    void adapt(ManagedFields claims) {
        for (Map.Entry<Owner, ManagedFieldsEntry> entry : claims.entries()) {
            ManagedFieldsEntry claim = entry.getValue();
            shape(claim.apiVersion())
                    .ifPresent(shape ->
                            claims.put(entry.getKey(), claim.with(claim.fields().adapted(shape))));
        }
    }

    /** Returns the object without its ownership record: a copy only as deep as necessary. */
    static JsonObject untracked(JsonObject object) {
        if (!(object.get("metadata") instanceof JsonObject metadata) || !metadata.containsKey("managedFields")) {
            return object;
        }
        JsonObject copy = new JsonObject(metadata);
        copy.remove("managedFields");
        return new JsonObject(object).set("metadata", copy);
    }
}
