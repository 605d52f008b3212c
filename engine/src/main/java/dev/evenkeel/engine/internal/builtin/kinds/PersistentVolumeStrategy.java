package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.builtin.UnifiedDiff;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Persistent volumes. */
record PersistentVolumeStrategy(KindFacts facts) implements KindStrategy {
    private static final String SOURCE = "core.v1.PersistentVolumeSource";
    private static final List<String> MOUNTABLE = List.of(("gcePersistentDisk awsElasticBlockStore glusterfs nfs rbd"
                    + " quobyte iscsi cephfs cinder azureFile vsphereVolume azureDisk storageos csi")
            .split(" ", -1));
    private static final String AFFINITY = "core.v1.VolumeNodeAffinity";

    /** The names of labels of nodes since they are stable, by the former ones. */
    private static final Map<String, String> LABELS = Map.of(
            "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
            "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
            "beta.kubernetes.io/os", "kubernetes.io/os",
            "beta.kubernetes.io/arch", "kubernetes.io/arch",
            "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type");

    private static final String EXPANDING = "controllerExpandSecretRef";
    private static final String MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";

    /** Sources about which upstream warns in pods only. */
    private static final List<String> SILENT = List.of("flocker", "quobyte");

    private static final List<String> OTHER = List.of(
            "capacity",
            "accessModes",
            "claimRef",
            "persistentVolumeReclaimPolicy",
            "storageClassName",
            "mountOptions",
            "volumeMode",
            "nodeAffinity",
            "volumeAttributesClassName");

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        Volumes.protect(tree, "kubernetes.io/pv-protection");
        tree.put("status", JsonObject.of("phase", "Pending", "lastPhaseTransitionTime", Times.seconds(context.now())));
    }

    @Override
    public void prepareForStatusUpdate(JsonObject tree, JsonObject old, Context context) {
        Object before = old.at("status", "lastPhaseTransitionTime");
        Object sent = tree.at("status", "lastPhaseTransitionTime");
        boolean same = tree.string("status", "phase").equals(old.string("status", "phase"));
        if (same && sent == null && before != null) {
            tree.withObject("status").put("lastPhaseTransitionTime", before);
        } else if (!same && (sent == null || sent.equals(before))) {
            tree.withObject("status").put("lastPhaseTransitionTime", Times.seconds(context.now()));
        }
    }

    @Override
    public void validate(Field root) {
        spec(root);
        Field annotations = root.at("metadata", "annotations");
        Field options = annotations.at(MOUNT_OPTIONS);
        if (options.given()
                && MOUNTABLE.stream()
                        .noneMatch(source -> root.at("spec", source).given())) {
            options.forbidden("may not specify mount options for this volume type");
        }
    }

    private static void spec(Field root) {
        PersistentVolumeRules.spec(root.at("spec"), root.at("metadata", "name").text(), false);
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        spec(root);
        JsonObject is = source(root.object());
        JsonObject was = source(old);
        if (was.has("csi") && !was.has("csi", EXPANDING)) {
            is.object("csi").remove(EXPANDING);
        }
        if (!is.equals(was)) {
            root.at("spec", "persistentvolumesource")
                    .forbidden("spec.persistentvolumesource is immutable after creation\n"
                            + UnifiedDiff.of(InternalForm.lines(SOURCE, was), InternalForm.lines(SOURCE, is)));
        }
        Field mode = root.with("volumeMode", root.object().at("spec", "volumeMode"));
        if (!Objects.equals(mode.value(), old.at("spec", "volumeMode"))) {
            mode.invalid(Field.IMMUTABLE);
        }
        JsonObject affinity = root.object().object("spec", "nodeAffinity");
        if (old.has("spec", "nodeAffinity")
                && !affinity.equals(renamed(old.object("spec", "nodeAffinity"), affinity))) {
            root.with("nodeAffinity", null)
                    .invalidText(
                            InternalForm.text(AFFINITY, root.object().at("spec", "nodeAffinity")),
                            "field is immutable, except for updating from beta label to GA");
        }
        if (old.has("spec", "volumeAttributesClassName") && !root.object().has("spec", "volumeAttributesClassName")) {
            root.at("spec", "volumeAttributesClassName").forbidden("update from non-nil value to nil is forbidden");
        }
    }

    /** Returns an affinity with the new names of labels of nodes where another one has them. */
    private static JsonObject renamed(JsonObject affinity, JsonObject other) {
        JsonObject copy = affinity.copy();
        List<JsonObject> terms = copy.objects("required", "nodeSelectorTerms");
        List<JsonObject> others = other.objects("required", "nodeSelectorTerms");
        for (int i = 0; i < Math.min(terms.size(), others.size()); i++) {
            for (String part : List.of("matchExpressions", "matchFields")) {
                List<JsonObject> requirements = terms.get(i).objects(part);
                List<JsonObject> wanted = others.get(i).objects(part);
                for (int j = 0; j < Math.min(requirements.size(), wanted.size()); j++) {
                    String key = wanted.get(j).string("key");
                    if (key.equals(LABELS.get(requirements.get(j).string("key")))) {
                        requirements.get(j).put("key", key);
                    }
                }
            }
        }
        return copy;
    }

    /** Returns the part of a specification that says where the volume is. */
    private static JsonObject source(JsonObject tree) {
        JsonObject source = tree.object("spec").copy();
        source.keySet().removeAll(OTHER);
        return source;
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        List<String> warnings = new ArrayList<>();
        String beta = "volume.beta.kubernetes.io/storage-class";
        if (tree.has("metadata", "annotations", beta)) {
            warnings.add("metadata.annotations[" + beta
                    + "]: deprecated since v1.8; use \"storageClassName\" attribute instead");
        }
        if (tree.has("metadata", "annotations", MOUNT_OPTIONS)) {
            warnings.add("metadata.annotations[" + MOUNT_OPTIONS
                    + "]: deprecated since v1.31; use \"mountOptions\" attribute instead");
        }
        if (tree.string("spec", "persistentVolumeReclaimPolicy").equals("Recycle")) {
            warnings.add("spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the"
                    + " recommended approach is to use dynamic provisioning.");
        }
        List<JsonObject> terms = tree.objects("spec", "nodeAffinity", "required", "nodeSelectorTerms");
        for (int i = 0; i < terms.size(); i++) {
            warnings.addAll(PodWarnings.nodeTerm(
                    terms.get(i), false, "spec.nodeAffinity.required.nodeSelectorTerms[" + i + "]"));
        }
        PodWarnings.VOLUMES.stream()
                .filter(known -> tree.has("spec", known.getKey()) && !SILENT.contains(known.getKey()))
                .forEach(known -> warnings.add("spec." + PodWarnings.shown(known.getKey()) + ": " + known.getValue()));
        return warnings;
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Access Modes" -> Volumes.accessModes(tree.array("spec", "accessModes"));
            case "Status" -> Volumes.phase(tree);
            default -> Volumes.storageClass(tree);
        };
    }
}
