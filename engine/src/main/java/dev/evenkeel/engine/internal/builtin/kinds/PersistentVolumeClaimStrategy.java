package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.builtin.UnifiedDiff;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Persistent volume claims. */
record PersistentVolumeClaimStrategy(KindFacts facts) implements KindStrategy {
    private static final String SPEC = "core.v1.PersistentVolumeClaimSpec";
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
            if (spec.has("dataSource") && !isKnownSource(spec.object("dataSource"))) {
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
        PersistentVolumeClaimRules.spec(root.at("spec"));
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        JsonObject tree = root.object();
        JsonObject was = old.object("spec").copy();
        JsonObject is = tree.object("spec").copy();
        if (was.string("volumeName").isEmpty()) {
            was.copyMember("volumeName", is);
        }
        if (!was.containsKey("storageClassName")) {
            is.remove("storageClassName");
        }
        boolean bound = old.string("status", "phase").equals("Bound");
        if (bound) {
            is.copyMember("volumeAttributesClassName", was);
        }
        boolean smaller = storage(tree)
                .flatMap(size -> storage(old).filter(former -> size.compareTo(former) < 0))
                .isPresent();
        if (bound && is.has("resources")) {
            is.withObject("resources").copyMember("requests", was.object("resources"));
        }
        if (!is.equals(was)) {
            root.at("spec")
                    .forbidden(
                            "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                                    + " claims\n"
                                    + UnifiedDiff.of(InternalForm.lines(SPEC, was), InternalForm.lines(SPEC, is)));
        } else if (bound && smaller) {
            root.at("spec", "resources", "requests", "storage").forbidden("field can not be less than status.capacity");
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        Field status = root.at("status");
        status.at("allocatedResources").object().keySet().stream()
                .filter(name -> !name.equals("storage"))
                .forEach(name -> status.at("allocatedResources").notSupported(name, List.of("storage")));
        Field statuses = status.at("allocatedResourceStatuses");
        statuses.object().forEach((name, state) -> {
            if (!RESIZE_STATES.contains(state)) {
                statuses.notSupported(name, RESIZE_STATES);
            }
        });
    }

    private static Optional<Quantity> storage(JsonObject claim) {
        return Quantity.read(claim.string("spec", "resources", "requests", "storage"));
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return tree.has("metadata", "annotations", "volume.beta.kubernetes.io/storage-class")
                ? List.of("metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use"
                        + " \"storageClassName\" attribute instead")
                : List.of();
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
