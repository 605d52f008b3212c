package dev.evenkeel.engine.internal.crd;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.schema.CrdVersions;
import dev.evenkeel.engine.internal.schema.Formats;
import dev.evenkeel.engine.internal.schema.RuleCompiler;
import dev.evenkeel.engine.internal.schema.SchemaSource;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * CustomResourceDefinitions as objects: their defaults, validation, accepted names, and the type that they define. Pure
 * functions over trees; the write pipeline calls them in this order:
 *
 * <ul>
 *   <li>create: {@link #prepareForCreate}, {@link #validate}, {@link #warnings}; then {@link #status} of the stored
 *       object
 *   <li>update: {@link #prepareForUpdate}, {@link #validate}, {@link #warnings}; then {@link #status}
 *   <li>update of {@code /status}: {@link #prepareForStatusUpdate}, {@link #validateStatus}
 *   <li>first delete: {@link #markForDeletion}
 * </ul>
 *
 * <p>Whenever the names of one definition change, the {@link #status} of the other ones in its group must be
 * recomputed.
 *
 * <p>Source of the semantics: kube-apiserver 1.36, apiextensions.k8s.io/v1. Names are accepted and definitions
 * established at once instead of by controllers some time later.
 */
public final class Crds {
    /** Keeps a deleted definition until its objects are gone. */
    public static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private Crds() {}

    /** Fills in defaults and a fresh status, in place. */
    public static void prepareForCreate(JsonObject crd) {
        applyDefaults(crd);
        JsonObject names = JsonObject.of("plural", "", "kind", "");
        crd.put("status", JsonObject.of("conditions", null, "acceptedNames", names, "storedVersions", null));
        addStorageVersion(crd);
    }

    /** Fills in defaults, and keeps the old status plus the storage version, in place. */
    public static void prepareForUpdate(JsonObject crd, JsonObject old) {
        applyDefaults(crd);
        crd.put("status", Json.copy(old.get("status")));
        addStorageVersion(crd);
    }

    /** Keeps the old spec, in place: only the status is written. Without stored versions, the storage version is one. */
    public static void prepareForStatusUpdate(JsonObject crd, JsonObject old) {
        crd.put("spec", Json.copy(old.get("spec")));
        if (crd.array("status", "storedVersions").isEmpty()) {
            addStorageVersion(crd);
        }
    }

    /** Returns true if the generation of a definition is incremented. */
    public static boolean specChanged(JsonObject crd, JsonObject old) {
        return !Objects.equals(crd.get("spec"), old.get("spec"));
    }

    /**
     * Fills in defaults, in place: singular, listKind, conversion, the port of a webhook's service. A default or
     * example of null counts as absent.
     */
    public static void applyDefaults(JsonObject crd) {
        JsonObject spec = crd.withObject("spec");
        JsonObject names = spec.withObject("names");
        String kind = names.string("kind");
        if (!kind.isEmpty()) {
            names.setIfEmpty("singular", kind.toLowerCase(Locale.ROOT));
            names.setIfEmpty("listKind", kind + "List");
        }
        if (spec.get("conversion") == null) {
            spec.withObject("conversion").put("strategy", "None");
        }
        spec.findObject("conversion", "webhook", "clientConfig", "service")
                .ifPresent(service -> service.putIfAbsent("port", 443L));
        if (Boolean.FALSE.equals(spec.get("preserveUnknownFields"))) {
            spec.remove("preserveUnknownFields");
        }
        CrdTypes.versions(spec).forEach(version -> CrdVersions.schema(version).ifPresent(SchemaSource::removeNulls));
    }

    private static void addStorageVersion(JsonObject crd) {
        for (JsonObject version : CrdTypes.versions(crd.withObject("spec"))) {
            if (version.bool("storage")) {
                JsonObject status = crd.withObject("status");
                List<@Nullable Object> stored = new ArrayList<>(status.array("storedVersions"));
                if (!stored.contains(version.get("name"))) {
                    stored.add(version.get("name"));
                }
                status.put("storedVersions", stored);
                return;
            }
        }
    }

    /** Validates a definition as the other method, but does not compile its rules ({@code x-kubernetes-validations}). */
    public static List<FieldError> validate(JsonObject crd, @Nullable JsonObject old) {
        return validate(crd, old, RuleCompiler.NONE);
    }

    /**
     * Validates a prepared definition, metadata and rules included, and returns the errors.
     *
     * @param old the definition before an update; null on create
     */
    public static List<FieldError> validate(JsonObject crd, @Nullable JsonObject old, RuleCompiler compiler) {
        return new CrdValidation(crd, old, compiler).validate();
    }

    /** Validates a definition of which only the status has been written, through {@code /status}. */
    public static List<FieldError> validateStatus(JsonObject crd, JsonObject old) {
        return new CrdValidation(crd, old, RuleCompiler.NONE).validateStatus();
    }

    /** Returns warnings for the author: formats that will be ignored and are new. */
    public static List<String> warnings(JsonObject crd, @Nullable JsonObject old) {
        List<String> before = old == null ? List.of() : unknownFormats(old);
        return unknownFormats(crd).stream()
                .filter(format -> !before.contains(format))
                .map(format -> "unrecognized format " + Json.text(format))
                .toList();
    }

    private static List<String> unknownFormats(JsonObject crd) {
        return CrdVersions.of(crd).schemas().stream()
                .<String>mapMulti((schema, sink) -> {
                    List<String> formats = new ArrayList<>(0);
                    Formats.unknown(schema.source(), formats);
                    formats.forEach(sink);
                })
                .toList();
    }

    /**
     * Returns the status of a definition, with the names that are free and the resulting conditions.
     *
     * @param inUse the names of all definitions; those of other groups, and of the definition itself, do not matter
     * @param now the time of conditions that change
     * @return a new tree; equal to the present status when nothing changes
     */
    public static JsonObject status(JsonObject crd, NamesInUse inUse, Instant now) {
        return CrdStatus.of(crd, inUse, now);
    }

    /** Adds the finalizer and the condition Terminating, in place; the caller sets the deletion timestamp. */
    public static void markForDeletion(JsonObject crd, Instant now) {
        Metadata.addFinalizer(crd.withObject("metadata"), FINALIZER);
        crd.put(
                "status",
                CrdStatus.terminating(
                        crd,
                        "InstanceDeletionPending",
                        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
                        now));
    }

    /** Returns true if the type that a definition defines is served. */
    public static boolean isEstablished(JsonObject crd) {
        return CrdStatus.isTrue(crd, "Established");
    }

    /** Returns true if all names of a definition are accepted: names of other definitions do not matter to it any more. */
    public static boolean hasItsNames(JsonObject crd) {
        return CrdStatus.isTrue(crd, "NamesAccepted");
    }

    /** Returns the type that a definition defines, under its accepted names; the definition must be valid. */
    public static ResourceType resourceType(JsonObject crd) {
        return resourceType(crd, ResourceType.Origin.CUSTOM);
    }

    /** Returns the type that a valid definition of some origin defines. */
    public static ResourceType resourceType(JsonObject crd, ResourceType.Origin origin) {
        return CrdTypes.type(crd, origin);
    }
}
