package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** The fields of one owner. Fields of a stored object are parsed on first use. */
final class ManagedFieldsEntry {
    private final String apiVersion;
    private final String time;
    private final @Nullable Object written;
    private @Nullable FieldSet fields;

    private ManagedFieldsEntry(String apiVersion, String time, @Nullable Object written, @Nullable FieldSet fields) {
        this.apiVersion = apiVersion;
        this.time = time;
        this.written = written;
        this.fields = fields;
    }

    /** Returns an entry with fields as they are stored, in the canonical form. */
    static ManagedFieldsEntry stored(String apiVersion, String time, @Nullable Object fieldsV1) {
        return new ManagedFieldsEntry(apiVersion, time, fieldsV1, null);
    }

    /** Returns an entry with fields in a version; the time is RFC 3339, or empty. */
    static ManagedFieldsEntry of(FieldSet fields, String apiVersion, String time) {
        return new ManagedFieldsEntry(apiVersion, time, null, fields);
    }

    /**
     * Returns the fields.
     *
     * @throws UntypedException when the stored fields are malformed
     */
    FieldSet fields() {
        if (fields == null) {
            fields = FieldSet.parse(written);
        }
        return fields;
    }

    String apiVersion() {
        return apiVersion;
    }

    String time() {
        return time;
    }

    /** Returns a copy with other fields. */
    @SuppressWarnings("ReferenceEquality") // the same instance needs no copy, different ones are rarely equal
    ManagedFieldsEntry with(FieldSet others) {
        return others == fields ? this : of(others, apiVersion, time);
    }

    /** Returns the entry for {@code metadata.managedFields}. */
    JsonObject entry(Owner owner) {
        return new JsonObject(7)
                .set("manager", owner.manager())
                .set("operation", owner.operation())
                .set("apiVersion", apiVersion)
                .setUnlessEmpty("time", time)
                .set("fieldsType", "FieldsV1")
                .set("fieldsV1", written != null ? written : fields().toTree())
                .setUnlessEmpty("subresource", owner.subresource());
    }
}
