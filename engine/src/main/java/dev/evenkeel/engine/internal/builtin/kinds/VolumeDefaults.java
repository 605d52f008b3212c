package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defaults of volumes of pods and of persistent volumes. */
final class VolumeDefaults {
    private VolumeDefaults() {}

    /** Applies the defaults of a pod's volume: a name and one source. */
    static void volume(Map<String, @Nullable Object> volume) {
        if (volume.size() == (volume.containsKey("name") ? 1 : 0)) {
            volume.put("emptyDir", new LinkedHashMap<String, Object>());
            return;
        }
        source(volume);
        Trees.with(volume, secret -> Trees.fill(secret, "defaultMode", PodDefaults.MODE), "secret");
        Trees.with(volume, config -> Trees.fill(config, "defaultMode", PodDefaults.MODE), "configMap");
        Trees.with(
                volume,
                downward -> {
                    Trees.fill(downward, "defaultMode", PodDefaults.MODE);
                    downward(downward);
                },
                "downwardAPI");
        Trees.with(
                volume,
                projected -> {
                    Trees.fill(projected, "defaultMode", PodDefaults.MODE);
                    Trees.each(
                            projected,
                            part -> {
                                Trees.with(
                                        part,
                                        token -> Trees.fill(token, "expirationSeconds", 3600L),
                                        "serviceAccountToken");
                                Trees.with(part, VolumeDefaults::downward, "downwardAPI");
                            },
                            "sources");
                },
                "projected");
        Trees.with(
                volume,
                spec -> Trees.fillText(spec, "volumeMode", "Filesystem"),
                "ephemeral",
                "volumeClaimTemplate",
                "spec");
        Trees.with(
                volume,
                image -> Trees.fillText(image, "pullPolicy", PodDefaults.pullPolicy(Json.string(image, "reference"))),
                "image");
    }

    private static void downward(Map<String, @Nullable Object> downward) {
        Trees.each(
                downward,
                item -> Trees.with(item, ref -> Trees.fillText(ref, "apiVersion", "v1"), "fieldRef"),
                "items");
    }

    /** Applies the defaults of the sources that pods and persistent volumes share. */
    static void source(Map<String, @Nullable Object> source) {
        Trees.with(source, path -> Trees.fill(path, "type", ""), "hostPath");
        Trees.with(source, iscsi -> Trees.fillText(iscsi, "iscsiInterface", "default"), "iscsi");
        Trees.with(
                source,
                rbd -> {
                    Trees.fillText(rbd, "pool", "rbd");
                    Trees.fillText(rbd, "user", "admin");
                    Trees.fillText(rbd, "keyring", "/etc/ceph/keyring");
                },
                "rbd");
        Trees.with(
                source,
                disk -> {
                    Trees.fillText(disk, "cachingMode", "ReadWrite");
                    Trees.fillText(disk, "kind", "Shared");
                    Trees.fillText(disk, "fsType", "ext4");
                    Trees.fill(disk, "readOnly", false);
                },
                "azureDisk");
        Trees.with(
                source,
                scale -> {
                    Trees.fillText(scale, "storageMode", "ThinProvisioned");
                    Trees.fillText(scale, "fsType", "xfs");
                },
                "scaleIO");
    }
}
