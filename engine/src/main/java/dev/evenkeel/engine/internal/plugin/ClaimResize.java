package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.util.Set;

/** The plugin PersistentVolumeClaimResize: only bound claims grow, and only if their storage class allows it. */
record ClaimResize(WriteContext cluster) implements Plugin {
    @Override
    public Set<String> types() {
        return Set.of("persistentvolumeclaims");
    }

    @Override
    public void validate(Write write) {
        JsonObject old = write.old();
        if (old == null || !write.target().subresource().isEmpty()) {
            return;
        }
        JsonObject tree = write.tree();
        if (storage(tree).compareTo(storage(old)) <= 0) {
            return;
        }
        if (!old.string("status", "phase").equals("Bound")) {
            throw Plugin.refuse(write, "Only bound persistent volume claims can be expanded");
        }
        String name = storageClass(tree);
        if (name.isEmpty()
                || !name.equals(storageClass(old))
                || cluster.object("storageclasses.storage.k8s.io", "", name)
                        .filter(found -> found.bool("allowVolumeExpansion"))
                        .isEmpty()) {
            throw Plugin.refuse(
                    write,
                    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must"
                            + " support resize");
        }
    }

    private static Quantity storage(JsonObject claim) {
        return Quantity.read(claim.string("spec", "resources", "requests", "storage"))
                .orElse(Quantity.ZERO);
    }

    private static String storageClass(JsonObject claim) {
        String annotated = claim.string("metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
        return annotated.isEmpty() ? claim.string("spec", "storageClassName") : annotated;
    }
}
