package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rules of claims, volumes and storage classes. */
final class StorageValidation {
    private StorageValidation() {}

    static List<FieldError> claim(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        accessModes(tree, findings);
        if (!Trees.has(tree, "spec", "resources", "requests", "storage")) {
            findings.required("spec.resources[storage]");
        }
        return findings.list();
    }

    private static void accessModes(Map<String, @Nullable Object> tree, Findings findings) {
        List<@Nullable Object> modes = Trees.list(tree, "spec", "accessModes");
        if (modes.isEmpty()) {
            findings.required("spec.accessModes", "at least 1 access mode is required");
        }
        for (Object mode : modes) {
            findings.oneOf(
                    "spec.accessModes",
                    String.valueOf(mode),
                    "ReadOnlyMany",
                    "ReadWriteMany",
                    "ReadWriteOnce",
                    "ReadWriteOncePod");
        }
        if (modes.contains("ReadWriteOncePod") && modes.size() > 1) {
            findings.forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes");
        }
    }

    static List<FieldError> volume(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        accessModes(tree, findings);
        Map<String, @Nullable Object> capacity = Trees.object(tree, "spec", "capacity");
        if (capacity.isEmpty()) {
            findings.required("spec.capacity");
        } else if (!capacity.containsKey("storage") || capacity.size() > 1) {
            findings.add(FieldError.notSupported("spec.capacity", capacity, List.of("storage")));
        }
        return findings.list();
    }

    static List<FieldError> claimUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        Findings findings = new Findings();
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
            findings.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                            + " claims");
        } else if (bound && smaller(storage(tree), storage(old))) {
            findings.forbidden("spec.resources.requests.storage", "field can not be less than status.capacity");
        }
        return findings.list();
    }

    private static Optional<Quantity> storage(Map<String, @Nullable Object> claim) {
        return Quantity.read(Json.string(claim, "spec", "resources", "requests", "storage"));
    }

    private static boolean smaller(Optional<Quantity> is, Optional<Quantity> was) {
        return is.isPresent() && was.isPresent() && is.get().compareTo(was.get()) < 0;
    }

    static List<FieldError> storageClass(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        String provisioner = Json.string(tree, "provisioner");
        if (provisioner.isEmpty()) {
            findings.required("provisioner");
        }
        findings.oneOf("reclaimPolicy", Json.string(tree, "reclaimPolicy"), "Delete", "Retain");
        findings.oneOf(
                "volumeBindingMode", Json.string(tree, "volumeBindingMode"), "Immediate", "WaitForFirstConsumer");
        return findings.list();
    }

    static List<FieldError> storageClassUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        Findings findings = new Findings();
        for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
            if (!Objects.equals(Json.at(tree, field), Json.at(old, field))) {
                findings.forbidden(field, "updates to " + field + " are forbidden.");
            }
        }
        findings.immutable(tree, old, "volumeBindingMode", "volumeBindingMode");
        return findings.list();
    }
}
