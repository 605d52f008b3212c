package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Persistent volume claims. */
record PersistentVolumeClaimStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(
                tree,
                spec -> {
                    applySpecDefaults(spec);
                    if (Trees.has(spec, "dataSource") && !Trees.has(spec, "dataSourceRef")) {
                        spec.put("dataSourceRef", Json.copy(spec.get("dataSource")));
                    }
                },
                "spec");
        Trees.fillText(Trees.grow(tree, "status"), "phase", "Pending");
    }

    /** Fills in the defaults of a claim's spec, also in templates of claims. */
    static void applySpecDefaults(Map<String, @Nullable Object> spec) {
        Trees.fillText(spec, "volumeMode", "Filesystem");
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        Volumes.protect(tree, "kubernetes.io/pvc-protection");
        tree.put("status", Trees.of("phase", "Pending"));
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        Volumes.validateAccessModes(tree, errors);
        if (!Trees.has(tree, "spec", "resources", "requests", "storage")) {
            errors.required("spec.resources[storage]");
        }
    }

    @Override
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        Map<String, @Nullable Object> was = Json.copyObject(Trees.object(old, "spec"));
        Map<String, @Nullable Object> is = Json.copyObject(Trees.object(tree, "spec"));
        if (Json.string(was, "volumeName").isEmpty()) {
            was.remove("volumeName");
            is.remove("volumeName");
        }
        if (!was.containsKey("storageClassName")) {
            is.remove("storageClassName");
        }
        is.remove("volumeAttributesClassName");
        was.remove("volumeAttributesClassName");
        boolean bound = Json.string(old, "status", "phase").equals("Bound");
        if (bound) {
            Trees.object(is, "resources").remove("requests");
            Trees.object(was, "resources").remove("requests");
        }
        if (!is.equals(was)) {
            errors.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                            + " claims");
        } else if (bound && smaller(storage(tree), storage(old))) {
            errors.forbidden("spec.resources.requests.storage", "field can not be less than status.capacity");
        }
    }

    private static Optional<Quantity> storage(Map<String, @Nullable Object> claim) {
        return Quantity.read(Json.string(claim, "spec", "resources", "requests", "storage"));
    }

    private static boolean smaller(Optional<Quantity> is, Optional<Quantity> was) {
        return is.isPresent() && was.isPresent() && is.get().compareTo(was.get()) < 0;
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        boolean bound = !Json.string(tree, "spec", "volumeName").isEmpty();
        return switch (column) {
            case "Status" -> Volumes.phase(tree);
            case "Capacity" -> {
                Object capacity = Json.at(tree, "status", "capacity", "storage");
                yield !bound ? "" : capacity == null ? "0" : capacity;
            }
            case "Access Modes" -> bound ? Volumes.accessModes(Trees.list(tree, "status", "accessModes")) : "";
            default -> Volumes.storageClass(tree);
        };
    }
}
