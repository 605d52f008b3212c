package dev.evenkeel.engine.type;

import dev.evenkeel.engine.type.Schema.ListType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The shape of {@code metadata}, the same for every kind. Source: Kubernetes' OpenAPI documents, 1.36. */
public final class ObjectMetaSchema {
    private static final String PACKAGE = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    /** The shape of {@code metadata.ownerReferences[*]}. */
    public static final Schema OWNER_REFERENCE = object("OwnerReference")
            .properties(fields(
                    "apiVersion", text(),
                    "blockOwnerDeletion", flag(),
                    "controller", flag(),
                    "kind", text(),
                    "name", text(),
                    "uid", text()))
            .required(List.of("apiVersion", "kind", "name", "uid"))
            .atomicMap(true)
            .build();

    /** The shape of {@code metadata.managedFields[*]}. */
    public static final Schema MANAGED_FIELDS_ENTRY = object("ManagedFieldsEntry")
            .properties(fields(
                    "apiVersion", text(),
                    "fieldsType", text(),
                    "fieldsV1", object("FieldsV1").preserveUnknown(true).build(),
                    "manager", text(),
                    "operation", text(),
                    "subresource", text(),
                    "time", time()))
            .build();

    /** The shape of {@code metadata}. */
    public static final Schema OBJECT_META = object("ObjectMeta")
            .properties(fields(
                    "annotations", texts(),
                    "creationTimestamp", time(),
                    "deletionGracePeriodSeconds", integer(),
                    "deletionTimestamp", time(),
                    "finalizers",
                            Schema.builder(Schema.Type.ARRAY)
                                    .items(text())
                                    .listType(ListType.SET)
                                    .patch("merge", "")
                                    .build(),
                    "generateName", text(),
                    "generation", integer(),
                    "labels", texts(),
                    "managedFields",
                            Schema.builder(Schema.Type.ARRAY)
                                    .items(MANAGED_FIELDS_ENTRY)
                                    .listType(ListType.ATOMIC)
                                    .build(),
                    "name", text(),
                    "namespace", text(),
                    "ownerReferences",
                            Schema.builder(Schema.Type.ARRAY)
                                    .items(OWNER_REFERENCE)
                                    .listType(ListType.MAP)
                                    .listKeys(List.of("uid"))
                                    .patch("merge", "uid")
                                    .build(),
                    "resourceVersion", text(),
                    "selfLink", text(),
                    "uid", text()))
            .build();

    private ObjectMetaSchema() {}

    private static Schema.Builder object(String name) {
        return Schema.builder(Schema.Type.OBJECT).reference(PACKAGE + name);
    }

    private static Schema text() {
        return Schema.builder(Schema.Type.STRING).build();
    }

    private static Schema flag() {
        return Schema.builder(Schema.Type.BOOLEAN).build();
    }

    private static Schema integer() {
        return Schema.builder(Schema.Type.INTEGER).format("int64").build();
    }

    private static Schema time() {
        return Schema.builder(Schema.Type.STRING)
                .format("date-time")
                .reference(PACKAGE + "Time")
                .build();
    }

    private static Schema texts() {
        return Schema.builder(Schema.Type.OBJECT).additional(text()).build();
    }

    private static Map<String, Schema> fields(Object... namesAndSchemas) {
        Map<String, Schema> result = new LinkedHashMap<>();
        for (int i = 0; i < namesAndSchemas.length; i += 2) {
            result.put((String) namesAndSchemas[i], (Schema) namesAndSchemas[i + 1]);
        }
        return result;
    }
}
