package dev.evenkeel.engine.internal.podsecurity;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Checks the volumes of pods. */
final class VolumeTypes {
    private static final List<String> ALLOWED = List.of(
            "configMap",
            "csi",
            "downwardAPI",
            "emptyDir",
            "ephemeral",
            "image",
            "persistentVolumeClaim",
            "projected",
            "secret");

    private static final List<String> FORBIDDEN = List.of(
            "hostPath",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "gitRepo",
            "nfs",
            "iscsi",
            "glusterfs",
            "rbd",
            "flexVolume",
            "cinder",
            "cephfs",
            "flocker",
            "fc",
            "azureFile",
            "vsphereVolume",
            "quobyte",
            "azureDisk",
            "photonPersistentDisk",
            "portworxVolume",
            "scaleIO",
            "storageos");

    private VolumeTypes() {}

    static Optional<Violation> hostPaths(CheckedPod pod) {
        List<String> names = pod.spec().objects("volumes").stream()
                .filter(volume -> volume.has("hostPath"))
                .map(volume -> volume.string("name"))
                .toList();
        return Violation.by(
                names, "hostPath volumes", all -> Phrases.plural(all, "volume") + " " + Phrases.quoted(all));
    }

    static Optional<Violation> restricted(CheckedPod pod) {
        List<String> names = new ArrayList<>(0);
        Set<String> types = new TreeSet<>();
        for (JsonObject volume : pod.spec().objects("volumes")) {
            if (types(volume, ALLOWED).findAny().isEmpty()) {
                names.add(volume.string("name"));
                types.add(types(volume, FORBIDDEN).findFirst().orElse("unknown"));
            }
        }
        return Violation.by(
                names,
                "restricted volume types",
                all -> Phrases.plural(all, "volume") + " " + Phrases.quoted(all) + " "
                        + Phrases.plural(all, "uses", "use") + " " + Phrases.plural(types, "restricted volume type")
                        + " " + Phrases.quoted(types));
    }

    private static Stream<String> types(JsonObject volume, List<String> types) {
        return types.stream().filter(volume::has);
    }
}
