package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rules for metadata of every kind, with upstream's messages. Pure functions over coerced metadata (see {@link
 * ObjectSchema#prune}): wrong types have been refused before.
 */
public final class MetadataRules {
    /** The limit for all annotations of an object together, in bytes of keys and values. */
    public static final int ANNOTATIONS_LIMIT = 256 << 10;

    private static final Set<String> STANDARD_FINALIZERS = Set.of("orphan", "foregroundDeletion", "kubernetes");
    private static final Set<String> OWN_FINALIZER_RULES = Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");
    private static final String IMMUTABLE = "field is immutable";
    private static final int MAX_MANAGER = 128;
    private static final int MAX_SUBRESOURCE = 256;

    private MetadataRules() {}

    /** Returns the errors in the metadata of a new object, whose name, if generated, is set already. */
    public static List<FieldError> validate(ResourceType type, JsonObject object) {
        return validate(type, ResourceType.Names.SUBDOMAIN, object);
    }

    /** Returns the errors in the metadata of a new object of a kind with another rule for names. */
    public static List<FieldError> validate(ResourceType type, ResourceType.Names names, JsonObject object) {
        ErrorList errors = new ErrorList();
        JsonObject meta = object.object("metadata");
        names(names, meta, "metadata", errors);
        String namespace = meta.string("namespace");
        if (!type.namespaced() && !namespace.isEmpty()) {
            errors.forbidden("metadata.namespace", "not allowed on this type");
        } else if (type.namespaced() && namespace.isEmpty()) {
            errors.required("metadata.namespace", "");
        } else if (type.namespaced()) {
            errors.invalid("metadata.namespace", namespace, Names.label(namespace));
        }
        if (meta.integer("generation") < 0) {
            errors.invalid("metadata.generation", meta.get("generation"), "must be greater than or equal to 0");
        }
        common(meta, "metadata", true, errors);
        kubernetesFinalizers(type, meta, errors);
        return errors;
    }

    /**
     * Checks embedded metadata. As upstream, its namespace is not checked, and its name only has to fit into a path.
     */
    static void validateEmbedded(JsonObject meta, String path, ErrorList errors) {
        if (meta.containsKey("name")) {
            names(ResourceType.Names.PATH_SEGMENT, meta, path, errors);
        } else if (meta.containsKey("generateName")) {
            String prefix = meta.string("generateName");
            errors.invalid(path + ".generateName", prefix, Names.checkPrefix(ResourceType.Names.PATH_SEGMENT, prefix));
        }
        String namespace = meta.string("namespace");
        if (!namespace.isEmpty()) {
            errors.invalid(path + ".namespace", namespace, Names.label(namespace));
        }
        common(meta, path, true, errors);
    }

    /** Returns the errors in the metadata of an object that is to replace another. */
    public static List<FieldError> validateUpdate(ResourceType type, JsonObject object, JsonObject old) {
        ErrorList errors = new ErrorList();
        JsonObject meta = object.object("metadata");
        JsonObject oldMeta = old.object("metadata");
        if (oldMeta.get("deletionTimestamp") != null) {
            Set<String> added = addedFinalizers(meta, oldMeta);
            if (!added.isEmpty()) {
                errors.forbidden(
                        "metadata.finalizers",
                        "no new finalizers can be added if the object is being deleted, found new finalizers []string{"
                                + added.stream().map(Json::text).collect(Collectors.joining(", ")) + "}");
            }
        }
        if (meta.integer("generation") < oldMeta.integer("generation")) {
            errors.invalid("metadata.generation", meta.integer("generation"), "must not be decremented");
        }
        for (String name : List.of("name", "namespace", "uid")) {
            if (!meta.string(name).equals(oldMeta.string(name))) {
                errors.invalid("metadata." + name, meta.string(name), IMMUTABLE);
            }
        }
        for (String name : List.of("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")) {
            if (!Objects.equals(meta.get(name), oldMeta.get(name))) {
                errors.invalid("metadata." + name, meta.get(name), IMMUTABLE);
            }
        }
        common(meta, "metadata", false, errors);
        kubernetesFinalizers(type, meta, errors);
        return errors;
    }

    private static Set<String> addedFinalizers(JsonObject meta, JsonObject oldMeta) {
        Set<String> added = new TreeSet<>(meta.strings("finalizers"));
        oldMeta.strings("finalizers").forEach(added::remove);
        return added;
    }

    /** Returns warnings about the finalizers that an object of a custom kind has gained. */
    static List<String> finalizerWarnings(JsonObject object, @Nullable JsonObject old) {
        Set<String> added =
                addedFinalizers(object.object("metadata"), old == null ? new JsonObject() : old.object("metadata"));
        List<String> warnings = new ArrayList<>(0);
        for (String finalizer : added) {
            String prefix = "metadata.finalizers: " + Json.text(finalizer) + ": ";
            Names.qualified(finalizer).forEach(text -> warnings.add(prefix + text));
            if (finalizer.indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(finalizer)) {
                warnings.add(prefix + "prefer a domain-qualified finalizer name "
                        + (finalizer.indexOf('.') >= 0 ? "including a path (/) " : "")
                        + "to avoid accidental conflicts with other finalizer writers");
            }
        }
        return warnings;
    }

    private static void names(ResourceType.Names rule, JsonObject meta, String path, ErrorList errors) {
        String prefix = meta.string("generateName");
        if (!prefix.isEmpty()) {
            errors.invalid(path + ".generateName", prefix, Names.checkPrefix(rule, prefix));
        }
        String name = meta.string("name");
        if (name.isEmpty()) {
            errors.required(path + ".name", "name or generateName is required");
        } else {
            errors.invalid(path + ".name", name, Names.check(rule, name));
        }
    }

    private static void common(JsonObject meta, String path, boolean finalizers, ErrorList errors) {
        meta.findObject("labels")
                .ifPresent(labels -> labels.forEach((key, value) -> {
                    invalid(path, ".labels", key, Names.qualified(key), errors);
                    if (value instanceof String text) {
                        invalid(path, ".labels", text, Names.labelValue(text), errors);
                    }
                }));
        meta.findObject("annotations").ifPresent(annotations -> annotations(annotations, path, errors));
        if (meta.get("ownerReferences") instanceof List<?> references) {
            ownerReferences(references, path + ".ownerReferences", errors);
        }
        if (finalizers && meta.get("finalizers") instanceof List<?> list) {
            for (String finalizer : meta.strings("finalizers")) {
                invalid(path, ".finalizers", finalizer, Names.qualified(finalizer), errors);
            }
            if (list.contains("orphan") && list.contains("foregroundDeletion")) {
                errors.invalid(
                        path + ".finalizers", list, "finalizer orphan and foregroundDeletion cannot be both set");
            }
        }
        if (meta.get("managedFields") instanceof List<?> entries) {
            managedFields(entries, path + ".managedFields", errors);
        }
    }

    private static void annotations(JsonObject annotations, String path, ErrorList errors) {
        long size = 0;
        for (Map.Entry<String, @Nullable Object> entry : annotations.entrySet()) {
            String key = entry.getKey();
            invalid(path, ".annotations", key, Names.qualified(key.toLowerCase(Locale.ROOT)), errors);
            size += Names.bytes(key) + (long) Names.bytes(String.valueOf(entry.getValue()));
        }
        if (size > ANNOTATIONS_LIMIT) {
            errors.add(FieldError.tooLong(path + ".annotations", ANNOTATIONS_LIMIT));
        }
    }

    private static void ownerReferences(List<?> references, String field, ErrorList errors) {
        String controller = "";
        for (Object reference : references) {
            String apiVersion = Json.string(reference, "apiVersion");
            String kind = Json.string(reference, "kind");
            if (apiVersion.isEmpty()
                    || apiVersion.endsWith("/")
                    || apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
                errors.invalid(field + ".apiVersion", apiVersion, "version must not be empty");
            }
            for (String name : List.of("kind", "name", "uid")) {
                if (Json.string(reference, name).isEmpty()) {
                    errors.invalid(field + "." + name, "", "must not be empty");
                }
            }
            if (apiVersion.equals("v1") && kind.equals("Event")) {
                errors.invalid(field, reference, "/v1, Kind=Event is disallowed from being an owner");
            }
            if (Boolean.TRUE.equals(Json.at(reference, "controller"))) {
                String current = kind + "/" + Json.string(reference, "name");
                if (!controller.isEmpty()) {
                    errors.invalid(
                            field,
                            references,
                            "Only one reference can have Controller set to true. Found \"true\" in references for "
                                    + controller + " and " + current);
                }
                controller = controller.isEmpty() ? current : controller;
            }
        }
    }

    private static void managedFields(List<?> entries, String path, ErrorList errors) {
        for (int i = 0; i < entries.size(); i++) {
            Object entry = entries.get(i);
            String operation = Json.string(entry, "operation");
            if (!operation.equals("Apply") && !operation.equals("Update")) {
                errors.invalid(path + "[" + i + "].operation", operation, "must be `Apply` or `Update`");
            }
            String type = Json.string(entry, "fieldsType");
            if (!type.isEmpty() && !type.equals("FieldsV1")) {
                errors.invalid(path + "[" + i + "].fieldsType", type, "must be `FieldsV1`");
            }
            String manager = Json.string(entry, "manager");
            if (!isPlain(manager)) {
                manager(path + "[" + i + "].manager", manager, errors);
            }
            if (Names.bytes(Json.string(entry, "subresource")) > MAX_SUBRESOURCE) {
                errors.add(FieldError.tooLong(path + "[" + i + "].subresource", MAX_SUBRESOURCE));
            }
        }
    }

    /** Returns the errors in the name of a field manager; also for the option {@code fieldManager}. */
    public static List<FieldError> validateManager(String field, String manager) {
        ErrorList errors = new ErrorList();
        manager(field, manager, errors);
        return errors;
    }

    private static boolean isPlain(String manager) {
        return manager.length() <= MAX_MANAGER && manager.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    }

    private static void manager(String field, String manager, ErrorList errors) {
        if (Names.bytes(manager) > MAX_MANAGER) {
            errors.add(FieldError.tooLong(field, MAX_MANAGER));
        }
        int position = 0;
        for (int i = 0; i < manager.length(); i += Character.charCount(manager.codePointAt(i))) {
            int c = manager.codePointAt(i);
            if (!isPrintable(c)) {
                errors.invalid(field, manager, String.format("invalid character U+%04X (at position %d)", c, position));
            }
            position += Names.bytes(Character.toString(c));
        }
    }

    /** Returns true for letters, marks, numbers, punctuation, symbols and the plain space. */
    public static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }

    /** Refuses finalizers of built-in kinds that cause only a warning for custom kinds. */
    private static void kubernetesFinalizers(ResourceType type, JsonObject meta, ErrorList errors) {
        if (type.origin() != ResourceType.Origin.BUILT_IN || OWN_FINALIZER_RULES.contains(type.group())) {
            return;
        }
        List<String> finalizers = meta.strings("finalizers");
        for (int i = 0; i < finalizers.size(); i++) {
            String finalizer = finalizers.get(i);
            if (finalizer.indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(finalizer)) {
                errors.invalid(
                        "metadata.finalizers[" + i + "]",
                        finalizer,
                        "name is neither a standard finalizer name nor is it fully qualified");
            }
        }
    }

    /** Adds errors whose path is put together only if there are any. */
    private static void invalid(String path, String suffix, Object value, List<String> wrong, ErrorList errors) {
        if (!wrong.isEmpty()) {
            errors.invalid(path + suffix, value, wrong);
        }
    }
}
