package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Persistent volume claims. */
record PersistentVolumeClaimStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        KindStrategy.super.applyDefaults(tree);
        tree.findObject("spec").ifPresent(spec -> {
            if (spec.has("dataSource") && !spec.has("dataSourceRef")) {
                spec.put("dataSourceRef", Json.copy(spec.get("dataSource")));
            }
        });
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
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
        List<JsonObject> both = List.of(was, is);
        if (was.string("volumeName").isEmpty()) {
            both.forEach(spec -> spec.remove("volumeName"));
        }
        if (!was.containsKey("storageClassName")) {
            is.remove("storageClassName");
        }
        both.forEach(spec -> spec.remove("volumeAttributesClassName"));
        boolean bound = old.string("status", "phase").equals("Bound");
        boolean smaller = storage(tree)
                .flatMap(size -> storage(old).filter(former -> size.compareTo(former) < 0))
                .isPresent();
        if (bound) {
            both.forEach(spec -> spec.object("resources").remove("requests"));
        }
        if (!is.equals(was)) {
            root.at("spec")
                    .forbidden(
                            "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                                    + " claims");
        } else if (bound && smaller) {
            root.at("spec", "resources", "requests", "storage").forbidden("field can not be less than status.capacity");
        }
    }

    private static Optional<Quantity> storage(JsonObject claim) {
        return Quantity.read(claim.string("spec", "resources", "requests", "storage"));
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
