package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.builtin.UnifiedDiff;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Persistent volume claims. */
record PersistentVolumeClaimStrategy(KindFacts facts) implements KindStrategy {
    private static final String SPEC = "core.v1.PersistentVolumeClaimSpec";
    private static final String ATTRIBUTES = "volumeAttributesClassName";
    private static final String APPLIED = " is forbidden when status.currentVolumeAttributesClassName is not nil";
    private static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";
    private static final List<String> RESIZE_STATES = List.of(
            "ControllerResizeInProgress",
            "ControllerResizeInfeasible",
            "NodeResizeInProgress",
            "NodeResizeInfeasible",
            "NodeResizePending");

    /**
     * Makes the two fields of the data source agree, after dropping what only newer clusters know: sources in other
     * namespaces, and in the older field all but claims and snapshots.
     */
    private static void sources(JsonObject tree) {
        tree.findObject("spec").ifPresent(spec -> {
            if (!spec.string("dataSourceRef", "namespace").isEmpty()) {
                spec.remove("dataSourceRef");
            }
            if (spec.has("dataSource") && !spec.has("dataSourceRef") && !isKnownSource(spec.object("dataSource"))) {
                spec.remove("dataSource");
            }
            if (spec.has("dataSource") && !spec.has("dataSourceRef")) {
                spec.put("dataSourceRef", Json.copy(spec.get("dataSource")));
            } else if (spec.has("dataSourceRef") && !spec.has("dataSource")) {
                spec.put("dataSource", Json.copy(spec.get("dataSourceRef")));
            }
        });
    }

    private static boolean isKnownSource(JsonObject source) {
        String group = source.string("apiGroup");
        return group.isEmpty()
                ? source.string("kind").equals("PersistentVolumeClaim")
                : group.equals("snapshot.storage.k8s.io")
                        && source.string("kind").equals("VolumeSnapshot");
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        if (!old.has("spec", "dataSource") && !old.has("spec", "dataSourceRef")) {
            sources(tree);
        } else if (tree.has("spec", "dataSource") && !tree.has("spec", "dataSourceRef")) {
            tree.withObject("spec").put("dataSourceRef", Json.copy(tree.at("spec", "dataSource")));
        } else if (tree.has("spec", "dataSourceRef") && !tree.has("spec", "dataSource")) {
            tree.withObject("spec").put("dataSource", Json.copy(tree.at("spec", "dataSourceRef")));
        }
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        sources(tree);
        Volumes.protect(tree, "kubernetes.io/pvc-protection");
        tree.put("status", JsonObject.of("phase", "Pending"));
    }

    @Override
    public void validate(Field root) {
        PersistentVolumeClaimRules.spec(root.at("spec"), false);
    }

    /** A claim that changes is checked with what it was before. */
    @Override
    public boolean validatesWhole() {
        return false;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        JsonObject tree = root.object();
        PersistentVolumeClaimRules.spec(
                root.at("spec"),
                old.has("spec", "dataSource", "apiGroup") || old.has("spec", "dataSourceRef", "apiGroup"));
        JsonObject was = old.object("spec").copy();
        JsonObject is = tree.object("spec").copy();
        if (was.string("volumeName").isEmpty()) {
            was.copyMember("volumeName", is);
        }
        storageClass(root, old, is);
        boolean bound = old.string("status", "phase").equals("Bound");
        if (bound) {
            is.copyMember(ATTRIBUTES, was);
        }
        if (bound && is.has("resources", "requests")) {
            is.object("resources", "requests").copyMember("storage", was.object("resources", "requests"));
        }
        if (!is.equals(was)) {
            root.at("spec")
                    .forbidden(
                            "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                                    + " claims\n"
                                    + UnifiedDiff.of(InternalForm.lines(SPEC, was), InternalForm.lines(SPEC, is)));
        }
        Quantity size = quantity(tree, "spec", "resources", "requests", "storage");
        if (size.compareTo(quantity(old, "spec", "resources", "requests", "storage")) < 0
                && size.compareTo(quantity(old, "status", "capacity", "storage")) <= 0) {
            root.at("spec", "resources", "requests", "storage").forbidden("field can not be less than status.capacity");
        }
        Field mode = root.with("volumeMode", tree.at("spec", "volumeMode"));
        if (!Objects.equals(mode.value(), old.at("spec", "volumeMode"))) {
            mode.invalid(Field.IMMUTABLE);
        }
        Field attributes = root.at("spec", ATTRIBUTES);
        boolean applied = old.has("status", "currentVolumeAttributesClassName");
        if (applied && !Objects.equals(tree.at("spec", ATTRIBUTES), old.at("spec", ATTRIBUTES))) {
            if (!attributes.given()) {
                attributes.forbidden("update to nil" + APPLIED);
            } else if (attributes.text().isEmpty()) {
                attributes.forbidden("update to empty string" + APPLIED);
            }
        }
    }

    /** A claim without a class may get one, and one whose class is an annotation that class only. */
    private static void storageClass(Field root, JsonObject old, JsonObject is) {
        Object annotated = old.at("metadata", "annotations", BETA_CLASS);
        Object now = root.object().at("metadata", "annotations", BETA_CLASS);
        boolean free = !old.has("spec", "storageClassName");
        boolean same = is.has("storageClassName") && Objects.equals(is.get("storageClassName"), annotated);
        boolean moves = annotated != null && free && same && (now == null || now.equals(annotated));
        if (!moves && !Objects.equals(Objects.requireNonNullElse(now, ""), Objects.requireNonNullElse(annotated, ""))) {
            root.at("metadata", "annotations")
                    .with(BETA_CLASS, now == null ? "" : now)
                    .invalid(Field.IMMUTABLE);
        }
        if (free && (annotated == null || same)) {
            is.remove("storageClassName");
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        Field status = root.at("status");
        Field capacity = status.at("capacity");
        capacity.object().keySet().forEach(name -> Volumes.validateAmount(capacity.entry(name)));
        Field statuses = status.at("allocatedResourceStatuses");
        statuses.object().forEach((name, state) -> {
            resource(statuses, name);
            if (!RESIZE_STATES.contains(state)) {
                statuses.notSupported(name, RESIZE_STATES);
            }
        });
        Field allocated = status.at("allocatedResources");
        for (String name : allocated.object().keySet()) {
            if (resource(allocated, name)) {
                Volumes.validateAmount(allocated.entry(name));
            }
        }
    }

    /** Requires the name of the storage or of a resource with a domain. */
    private static boolean resource(Field amounts, String name) {
        List<String> wrong = Names.qualified(name);
        wrong.forEach(detail -> amounts.invalid(name, detail));
        boolean foreign = ResourceRules.isNative(name) && !name.equals("storage");
        if (wrong.isEmpty() && foreign) {
            amounts.notSupported(name, List.of("storage"));
        }
        return wrong.isEmpty() && !foreign;
    }

    private static Quantity quantity(JsonObject tree, String... path) {
        return Quantity.read(tree.string(path)).orElse(Quantity.ZERO);
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        List<String> warnings = new ArrayList<>();
        if (tree.has("metadata", "annotations", BETA_CLASS)) {
            warnings.add("metadata.annotations[" + BETA_CLASS
                    + "]: deprecated since v1.8; use \"storageClassName\" attribute instead");
        }
        warnings.addAll(PodWarnings.claim(tree.object("spec"), "spec"));
        return warnings;
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        boolean bound = !tree.string("spec", "volumeName").isEmpty();
        return switch (column) {
            case "Status" -> Volumes.phase(tree);
            case "Capacity" -> {
                Object capacity = tree.at("status", "capacity", "storage");
                yield !bound ? "" : capacity == null ? "0" : capacity;
            }
            case "Access Modes" -> bound ? Volumes.accessModes(tree.array("status", "accessModes")) : "";
            default -> Volumes.storageClass(tree);
        };
    }
}
