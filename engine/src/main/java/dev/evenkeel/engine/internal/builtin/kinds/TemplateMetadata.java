package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;
import java.util.Locale;

/** Rules of the metadata in a template of objects: it has labels and annotations only. */
final class TemplateMetadata {
    private static final List<String> OTHERS = List.of(
            "name",
            "generateName",
            "namespace",
            "selfLink",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "ownerReferences",
            "finalizers",
            "managedFields");

    private TemplateMetadata() {}

    static void validate(Field metadata) {
        Field annotations = metadata.at("annotations");
        annotations
                .object()
                .keySet()
                .forEach(key -> Names.qualified(key.toLowerCase(Locale.ROOT))
                        .forEach(detail -> annotations.invalid(key, detail)));
        metadata.at("labels").labels();
        for (String other : OTHERS) {
            Object value = metadata.at(other).value();
            if (!Json.isEmpty(value)) {
                // upstream makes the name from that of its own field
                metadata.with(other.equals("uid") ? "uID" : other, value).forbidden("cannot be set");
            }
        }
    }
}
