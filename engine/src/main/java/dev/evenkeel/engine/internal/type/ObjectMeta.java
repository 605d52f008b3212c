package dev.evenkeel.engine.internal.type;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema.ListType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The schema of {@code metadata}, the same for every object. Written in code, so that custom resources do not need the
 * fact table of built-in kinds.
 */
public final class ObjectMeta {
    /** The OpenAPI definition name. */
    public static final String DEFINITION = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

    private static final List<String> ORDER =
            List.of(("name generateName namespace selfLink uid resourceVersion generation "
                            + "creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations "
                            + "ownerReferences finalizers managedFields")
                    .split(" ", -1));

    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final Schema STRING = Schema.builder(Schema.Type.STRING).build();
    private static final Schema REQUIRED_STRING =
            Schema.builder(Schema.Type.STRING).defaultValue("").build();
    private static final Schema FLAG = Schema.builder(Schema.Type.BOOLEAN).build();
    private static final Schema INT64 =
            Schema.builder(Schema.Type.INTEGER).format("int64").build();
    private static final Schema STRINGS =
            Schema.builder(Schema.Type.OBJECT).additional(STRING).build();

    /** A point in time, in seconds. */
    public static final Schema TIME = Schema.builder(Schema.Type.STRING)
            .format("date-time")
            .reference(META + "Time")
            .build();

    /** A set of field paths. */
    public static final Schema FIELDS = Schema.builder(Schema.Type.OBJECT)
            .preserveUnknown(true)
            .atomicMap(true)
            .reference(META + "FieldsV1")
            .build();

    /** One entry of {@code metadata.managedFields}. */
    public static final Schema MANAGED_FIELDS_ENTRY = Schema.builder(Schema.Type.OBJECT)
            .properties(fields(
                    "apiVersion", STRING,
                    "fieldsType", STRING,
                    "fieldsV1", FIELDS,
                    "manager", STRING,
                    "operation", STRING,
                    "subresource", STRING,
                    "time", TIME))
            .reference(META + "ManagedFieldsEntry")
            .build();

    /** One entry of {@code metadata.ownerReferences}. */
    public static final Schema OWNER_REFERENCE = Schema.builder(Schema.Type.OBJECT)
            .properties(fields(
                    "apiVersion", REQUIRED_STRING,
                    "blockOwnerDeletion", FLAG,
                    "controller", FLAG,
                    "kind", REQUIRED_STRING,
                    "name", REQUIRED_STRING,
                    "uid", REQUIRED_STRING))
            .required(List.of("apiVersion", "kind", "name", "uid"))
            .atomicMap(true)
            .reference(META + "OwnerReference")
            .build();

    private static final Schema OWNER_REFERENCES = list(OWNER_REFERENCE, ListType.MAP)
            .listKeys(List.of("uid"))
            .patch("merge", "uid")
            .build();

    /** The schema of {@code metadata}. */
    public static final Schema SCHEMA = Schema.builder(Schema.Type.OBJECT)
            .properties(fields(
                    "annotations", STRINGS,
                    "creationTimestamp", TIME,
                    "deletionGracePeriodSeconds", INT64,
                    "deletionTimestamp", TIME,
                    "finalizers", list(STRING, ListType.SET).patch("merge", "").build(),
                    "generateName", STRING,
                    "generation", INT64,
                    "labels", STRINGS,
                    "managedFields", list(MANAGED_FIELDS_ENTRY, ListType.ATOMIC).build(),
                    "name", STRING,
                    "namespace", STRING,
                    "ownerReferences", OWNER_REFERENCES,
                    "resourceVersion", STRING,
                    "selfLink", STRING,
                    "uid", STRING))
            .reference(DEFINITION)
            .build();

    private ObjectMeta() {}

    private static Schema.Builder list(Schema items, ListType type) {
        return Schema.builder(Schema.Type.ARRAY).items(items).listType(type);
    }

    private static Map<String, Schema> fields(Object... namesAndSchemas) {
        Map<String, Schema> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndSchemas.length; i += 2) {
            fields.put((String) namesAndSchemas[i], (Schema) namesAndSchemas[i + 1]);
        }
        return fields;
    }

    /**
     * Returns the metadata of an object in the order in which upstream's type declares its fields, which is how it
     * writes them.
     */
    public static JsonObject inOrder(JsonObject metadata) {
        JsonObject ordered = new JsonObject();
        for (String field : ORDER) {
            if (metadata.containsKey(field)) {
                ordered.put(field, metadata.get(field));
            }
        }
        return ordered;
    }
}
