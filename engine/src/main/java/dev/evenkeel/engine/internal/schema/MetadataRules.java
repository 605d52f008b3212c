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
    private static final int MAX_MANAGER = 128;
    private static final int MAX_SUBRESOURCE = 256;

    private MetadataRules() {}

    /** Returns the errors in the metadata of a new object, whose name, if generated, is set already. */
    public static List<FieldError> validate(ResourceType type, JsonObject object) {
        return validate(type, ResourceType.Names.SUBDOMAIN, object);
    }

    /** Returns the errors in the metadata of a new object of a kind with another rule for names. */
    public static List<FieldError> validate(ResourceType type, ResourceType.Names names, JsonObject object) {
        List<FieldError> errors = new ArrayList<>(0);
        Field meta = Field.of(object, errors).at("metadata");
        names(names, meta);
        Field namespace = meta.at("namespace");
        if (type.namespaced()) {
            namespace.require(Names::label);
        } else if (!namespace.text().isEmpty()) {
            namespace.forbidden("not allowed on this type");
        }
        meta.at("generation").notNegative();
        common(meta, true);
        return errors;
    }

    /**
     * Checks embedded metadata. As upstream, its namespace is not checked, and its name only has to fit into a path.
     */
    static void validateEmbedded(Field meta) {
        if (meta.object().containsKey("name")) {
            names(ResourceType.Names.PATH_SEGMENT, meta);
        } else if (meta.object().containsKey("generateName")) {
            meta.at("generateName").obeys(text -> Names.checkPrefix(ResourceType.Names.PATH_SEGMENT, text));
        }
        meta.at("namespace").requireIfGiven(Names::label);
        common(meta, true);
    }

    /** Returns the errors in the metadata of an object that is to replace another. */
    public static List<FieldError> validateUpdate(ResourceType type, JsonObject object, JsonObject old) {
        List<FieldError> errors = new ArrayList<>(0);
        Field meta = Field.of(object, errors).at("metadata");
        JsonObject oldMeta = old.object("metadata");
        if (oldMeta.has("deletionTimestamp")) {
            Set<String> added = addedFinalizers(meta.object(), oldMeta);
            if (!added.isEmpty()) {
                meta.at("finalizers")
                        .forbidden("no new finalizers can be added if the object is being deleted, found new "
                                + "finalizers []string{"
                                + added.stream().map(Json::text).collect(Collectors.joining(", ")) + "}");
            }
        }
        Field generation = meta.at("generation");
        if (generation.number() < oldMeta.integer("generation")) {
            generation.invalid(generation.number(), "must not be decremented");
        }
        for (String name : List.of("name", "namespace", "uid")) {
            meta.at(name).mustBe(oldMeta.string(name), Field.IMMUTABLE);
        }
        for (String name : List.of("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")) {
            meta.immutable(oldMeta, name);
        }
        common(meta, false);
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

    private static void names(ResourceType.Names rule, Field meta) {
        meta.at("generateName").requireIfGiven(text -> Names.checkPrefix(rule, text));
        Field name = meta.at("name");
        if (name.require("name or generateName is required")) {
            name.obeys(text -> Names.check(rule, text));
        }
    }

    private static void common(Field meta, boolean finalizers) {
        meta.find("labels").ifPresent(Field::labels);
        meta.find("annotations").ifPresent(MetadataRules::annotations);
        ownerReferences(meta.at("ownerReferences"));
        if (finalizers) {
            finalizers(meta.at("finalizers"));
        }
        meta.at("managedFields").items().forEach(MetadataRules::managedFields);
    }

    /** Returns the errors in labels or annotations that a webhook has changed, with upstream's path of annotations. */
    public static List<FieldError> converted(String field, JsonObject texts) {
        List<FieldError> errors = new ArrayList<>(0);
        if (field.equals("labels")) {
            Field.of("metadata.labels", texts, errors).labels();
        } else {
            annotations(Field.of("metadata.annotation", texts, errors));
        }
        return errors;
    }

    private static void annotations(Field annotations) {
        long size = 0;
        for (Map.Entry<String, @Nullable Object> entry : annotations.object().entrySet()) {
            String key = entry.getKey();
            Names.qualified(key.toLowerCase(Locale.ROOT)).forEach(detail -> annotations.invalid(key, detail));
            size += Names.bytes(key) + (long) Names.bytes(String.valueOf(entry.getValue()));
        }
        if (size > ANNOTATIONS_LIMIT) {
            annotations.tooLong(ANNOTATIONS_LIMIT);
        }
    }

    private static void finalizers(Field finalizers) {
        for (Object finalizer : finalizers.array()) {
            for (String detail : Names.qualified(String.valueOf(finalizer))) {
                finalizers.invalid(finalizer, detail);
            }
        }
        if (finalizers.array().contains("orphan") && finalizers.array().contains("foregroundDeletion")) {
            finalizers.invalid("finalizer orphan and foregroundDeletion cannot be both set");
        }
    }

    private static void ownerReferences(Field references) {
        String controller = "";
        for (Object reference : references.array()) {
            String apiVersion = Json.string(reference, "apiVersion");
            String kind = Json.string(reference, "kind");
            if (apiVersion.isEmpty()
                    || apiVersion.endsWith("/")
                    || apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
                references.at("apiVersion").invalid(apiVersion, "version must not be empty");
            }
            for (String name : List.of("kind", "name", "uid")) {
                if (Json.string(reference, name).isEmpty()) {
                    references.at(name).invalid("", "must not be empty");
                }
            }
            if (apiVersion.equals("v1") && kind.equals("Event")) {
                references.invalid(reference, "/v1, Kind=Event is disallowed from being an owner");
            }
            if (Boolean.TRUE.equals(Json.at(reference, "controller"))) {
                String current = kind + "/" + Json.string(reference, "name");
                if (!controller.isEmpty()) {
                    references.invalid("Only one reference can have Controller set to true. Found \"true\" in "
                            + "references for " + controller + " and " + current);
                }
                controller = controller.isEmpty() ? current : controller;
            }
        }
    }

    private static void managedFields(Field entry) {
        Field operation = entry.at("operation");
        if (!operation.text().equals("Apply")) {
            operation.mustBe("Update", "must be `Apply` or `Update`");
        }
        Field type = entry.at("fieldsType");
        if (!type.text().isEmpty()) {
            type.mustBe("FieldsV1", "must be `FieldsV1`");
        }
        manager(entry.at("manager"));
        Field subresource = entry.at("subresource");
        if (Names.bytes(subresource.text()) > MAX_SUBRESOURCE) {
            subresource.tooLong(MAX_SUBRESOURCE);
        }
    }

    /** Returns the errors in the name of a field manager; also for the option {@code fieldManager}. */
    public static List<FieldError> validateManager(String field, String manager) {
        List<FieldError> errors = new ArrayList<>(0);
        manager(Field.of(field, manager, errors));
        return errors;
    }

    private static void manager(Field field) {
        String manager = field.text();
        if (manager.length() <= MAX_MANAGER && manager.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
            return;
        }
        if (Names.bytes(manager) > MAX_MANAGER) {
            field.tooLong(MAX_MANAGER);
        }
        int position = 0;
        for (int i = 0; i < manager.length(); i += Character.charCount(manager.codePointAt(i))) {
            int c = manager.codePointAt(i);
            if (!isPrintable(c)) {
                field.invalid(String.format("invalid character U+%04X (at position %d)", c, position));
            }
            position += c < 0x80 ? 1 : Names.bytes(Character.toString(c));
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

    /** Returns the errors of finalizers that most built-in kinds refuse, and for which custom kinds only warn. */
    public static List<FieldError> validateFinalizers(JsonObject object) {
        List<FieldError> errors = new ArrayList<>(0);
        Field finalizers = Field.of(object, errors).at("metadata", "finalizers");
        List<String> names = object.object("metadata").strings("finalizers");
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (name.indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(name)) {
                finalizers
                        .with("[" + i + "]", name)
                        .invalid("name is neither a standard finalizer name nor is it fully qualified");
            }
        }
        return errors;
    }
}
