package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;

/** Defaults of volumes of pods and of persistent volumes. */
final class VolumeDefaults {
    private VolumeDefaults() {}

    /** Applies the defaults of a pod's volume: a name and one source. */
    static void volume(JsonObject volume) {
        if (volume.size() == (volume.containsKey("name") ? 1 : 0)) {
            volume.put("emptyDir", new JsonObject());
            return;
        }
        source(volume);
        volume.findObject("secret").ifPresent(secret -> secret.putIfAbsent("defaultMode", PodDefaults.MODE));
        volume.findObject("configMap").ifPresent(config -> config.putIfAbsent("defaultMode", PodDefaults.MODE));
        volume.findObject("downwardAPI").ifPresent(downward -> {
            downward.putIfAbsent("defaultMode", PodDefaults.MODE);
            downward(downward);
        });
        volume.findObject("projected").ifPresent(projected -> {
            projected.putIfAbsent("defaultMode", PodDefaults.MODE);
            projected.objects("sources").forEach(part -> {
                part.findObject("serviceAccountToken")
                        .ifPresent(token -> token.putIfAbsent("expirationSeconds", 3600L));
                part.findObject("downwardAPI").ifPresent(VolumeDefaults::downward);
            });
        });
        volume.findObject("ephemeral", "volumeClaimTemplate", "spec")
                .ifPresent(spec -> spec.setIfEmpty("volumeMode", "Filesystem"));
        volume.findObject("image")
                .ifPresent(image -> image.setIfEmpty("pullPolicy", PodDefaults.pullPolicy(image.string("reference"))));
    }

    private static void downward(JsonObject downward) {
        downward.objects("items")
                .forEach(item -> item.findObject("fieldRef").ifPresent(ref -> ref.setIfEmpty("apiVersion", "v1")));
    }

    /** Applies the defaults of the sources that pods and persistent volumes share. */
    static void source(JsonObject source) {
        source.findObject("hostPath").ifPresent(path -> path.putIfAbsent("type", ""));
        source.findObject("iscsi").ifPresent(iscsi -> iscsi.setIfEmpty("iscsiInterface", "default"));
        source.findObject("rbd").ifPresent(rbd -> {
            rbd.setIfEmpty("pool", "rbd");
            rbd.setIfEmpty("user", "admin");
            rbd.setIfEmpty("keyring", "/etc/ceph/keyring");
        });
        source.findObject("azureDisk").ifPresent(disk -> {
            disk.setIfEmpty("cachingMode", "ReadWrite");
            disk.setIfEmpty("kind", "Shared");
            disk.setIfEmpty("fsType", "ext4");
            disk.putIfAbsent("readOnly", false);
        });
        source.findObject("scaleIO").ifPresent(scale -> {
            scale.setIfEmpty("storageMode", "ThinProvisioned");
            scale.setIfEmpty("fsType", "xfs");
        });
    }
}
