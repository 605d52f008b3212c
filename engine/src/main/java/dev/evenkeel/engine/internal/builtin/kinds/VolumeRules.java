package dev.evenkeel.engine.internal.builtin.kinds;

import com.google.re2j.Pattern;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Rules of the volumes of a pod and of the sources that they share with persistent volumes. */
final class VolumeRules {
    private static final String NAMED =
            "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is"
                    + " specified.";

    /** In the order in which upstream checks them: the first one is accepted, further ones are errors. */
    private static final List<String> SOURCES = List.of(("emptyDir hostPath gitRepo gcePersistentDisk"
                    + " awsElasticBlockStore secret nfs iscsi glusterfs flocker persistentVolumeClaim rbd cinder cephfs"
                    + " quobyte downwardAPI fc flexVolume configMap azureFile vsphereVolume photonPersistentDisk"
                    + " portworxVolume azureDisk storageos projected scaleIO csi ephemeral image")
            .split(" ", -1));

    /** The names by which errors about a second source call some sources. */
    private static final Map<String, String> SHOWN = Map.of("cephfs", "cephFS", "downwardAPI", "downwarAPI");

    private static final Pattern IQN = Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([[:alnum:]-.]+)(:[^,;*&$|\\s]+)$");
    private static final Pattern EUI = Pattern.compile("^eui.[[:alnum:]]{16}$");
    private static final Pattern NAA = Pattern.compile("^naa.[[:alnum:]]{32}$");

    private VolumeRules() {}

    /**
     * Validates the volumes of a pod and returns the valid ones by name.
     *
     * @param pod the name of the pod; empty when it is not known
     * @param claims the names of volumes that are replaced, and not checked
     */
    static Map<String, JsonObject> validate(Field volumes, String pod, Set<String> claims) {
        Map<String, JsonObject> valid = new HashMap<>();
        for (Field volume : volumes.items()) {
            Field name = volume.at("name");
            if (claims.contains(name.text())) {
                continue;
            }
            int before = volume.errorCount();
            source(volume, pod);
            name.require(Names::label);
            if (valid.containsKey(name.text())) {
                name.duplicate(name.text());
            }
            if (volume.errorCount() == before) {
                valid.put(name.text(), volume.object());
            }
            Field claim = volume.at("persistentVolumeClaim", "claimName");
            boolean created = !pod.isEmpty()
                    && volumes.objects()
                            .filter(other -> other.at("ephemeral").given())
                            .anyMatch(other -> claim.text()
                                    .equals(pod + "-" + other.at("name").text()));
            if (volume.at("persistentVolumeClaim").given() && created) {
                claim.invalid("must not reference a PVC that gets created for an ephemeral volume");
            }
        }
        return valid;
    }

    private static void source(Field volume, String pod) {
        List<String> sources =
                SOURCES.stream().filter(name -> volume.at(name).given()).toList();
        if (!sources.isEmpty()) {
            of(volume, sources.getFirst(), pod);
        }
        for (String more : sources.stream().skip(1).toList()) {
            volume.at(SHOWN.getOrDefault(more, more)).forbidden("may not specify more than 1 volume type");
        }
        if (sources.isEmpty()) {
            volume.missing("must specify a volume type");
        }
    }

    private static void of(Field volume, String name, String pod) {
        Field source = volume.at(name);
        switch (name) {
            case "emptyDir" ->
                FormatRules.quantity(source.at("sizeLimit"))
                        .filter(limit -> limit.value().signum() < 0)
                        .ifPresent(limit ->
                                source.at("sizeLimit").forbidden("SizeLimit field must be a valid resource quantity"));
            case "gitRepo" -> {
                source.at("repository").require();
                FormatRules.relativePath(
                        source.at("directory"), source.at("directory").text());
            }
            case "secret" -> keys(source, "secretName");
            case "configMap" -> keys(source, "name");
            case "persistentVolumeClaim" -> source.at("claimName").require();
            case "downwardAPI" -> {
                mode(source.at("defaultMode"));
                source.at("items").items().forEach(file -> downwardFile(source, file));
            }
            case "projected" -> {
                mode(source.at("defaultMode"));
                projections(source);
            }
            case "iscsi" -> {
                iscsi(source, "must be valid format starting with iqn, eui, or naa");
                String volumeName = volume.at("name").text();
                if (source.at("initiatorName").given()
                        && Names.bytes(volumeName + ":"
                                        + source.at("targetPortal").text())
                                > 64) {
                    volume.at("name").invalid(volumeName, NAMED);
                }
            }
            case "gcePersistentDisk" -> gceDisk(volume.with("persistentDisk", source.value()));
            case "ephemeral" -> ephemeral(volume, source, pod);
            case "image" -> {
                if (!pod.isEmpty()) {
                    source.at("reference").require();
                }
                source.at("pullPolicy").oneOfIfGiven("Always", "IfNotPresent", "Never");
            }
            case "csi" -> {
                csiDriver(source.at("driver"));
                Field secret = source.at("nodePublishSecretRef");
                if (secret.given() && secret.at("name").require()) {
                    source.with("name", secret.at("name").value()).obeys(Names::subdomain);
                }
            }
            default -> shared(name, source);
        }
    }

    /** Validates a source that persistent volumes have, too, with the same rules. */
    static void shared(String name, Field source) {
        switch (name) {
            case "hostPath" -> hostPath(source);
            case "gcePersistentDisk" -> gceDisk(source);
            case "awsElasticBlockStore" -> {
                source.at("volumeID").require();
                source.at("partition").between(0, 255, "must be between 1 and 255, inclusive");
            }
            case "nfs" -> {
                source.at("server").require();
                source.at("path").require();
                if (!source.at("path").text().startsWith("/")) {
                    source.at("path").invalid(source.at("path").text(), "must be an absolute path");
                }
            }
            case "glusterfs" -> {
                source.at("endpoints").require();
                source.at("path").require();
            }
            case "flocker" -> flocker(source);
            case "rbd" -> {
                list(source.at("monitors"));
                source.at("image").require();
            }
            case "cinder" -> {
                source.at("volumeID").require();
                if (source.at("secretRef").given()) {
                    source.at("secretRef", "name").require();
                }
            }
            case "cephfs" -> list(source.at("monitors"));
            case "quobyte" -> quobyte(source);
            case "fc" -> fibreChannel(source);
            case "flexVolume" -> flexVolume(source);
            case "azureFile" -> {
                source.at("secretName").require();
                source.at("shareName").require();
            }
            case "vsphereVolume" -> source.at("volumePath").require();
            case "photonPersistentDisk" -> source.at("pdID").require();
            case "portworxVolume" -> source.at("volumeID").require();
            case "azureDisk" -> azureDisk(source);
            case "storageos" -> storageos(source);
            case "scaleIO" -> {
                source.at("gateway").require();
                source.at("system").require();
                source.at("volumeName").require();
            }
            default -> throw new IllegalStateException("no rule for volume source " + name);
        }
    }

    private static void list(Field list) {
        if (list.array().isEmpty()) {
            list.missing();
        }
    }

    private static void hostPath(Field source) {
        Field path = source.at("path");
        if (!path.require()) {
            return;
        }
        FormatRules.noBacksteps(path, path.text());
        Field type = source.at("type");
        if (type.given()) {
            type.oneOf(
                    "",
                    "BlockDevice",
                    "CharDevice",
                    "Directory",
                    "DirectoryOrCreate",
                    "File",
                    "FileOrCreate",
                    "Socket");
        }
    }

    private static void gceDisk(Field source) {
        source.at("pdName").require();
        source.at("partition").between(0, 255, "must be between 1 and 255, inclusive");
    }

    /** Validates an iSCSI target. */
    static void iscsi(Field source, String prefixError) {
        source.at("targetPortal").require();
        iscsiTarget(source, prefixError);
        iscsiInitiator(source, prefixError);
    }

    static void iscsiTarget(Field source, String prefixError) {
        Field iqn = source.at("iqn");
        if (iqn.require()) {
            iscsiName(iqn, prefixError);
        }
        source.at("lun").between(0, 255);
        boolean authenticates =
                Boolean.TRUE.equals(source.at("chapAuthDiscovery").value())
                        || Boolean.TRUE.equals(source.at("chapAuthSession").value());
        if (authenticates && !source.at("secretRef").given()) {
            source.at("secretRef").missing();
        }
    }

    static void iscsiInitiator(Field source, String prefixError) {
        Field initiator = source.at("initiatorName");
        if (initiator.given()) {
            iscsiName(source.with("initiatorname", initiator.value()), prefixError);
        }
    }

    private static void iscsiName(Field name, String prefixError) {
        String text = name.text();
        if (!text.startsWith("iqn") && !text.startsWith("eui") && !text.startsWith("naa")) {
            name.invalid(text, prefixError);
        } else if ((text.startsWith("iqn") && !IQN.matcher(text).find())
                || (text.startsWith("eui") && !EUI.matcher(text).find())
                || (text.startsWith("naa") && !NAA.matcher(text).find())) {
            name.invalid(text, "must be valid format");
        }
    }

    private static void flocker(Field source) {
        boolean name = !source.at("datasetName").text().isEmpty();
        boolean uuid = !source.at("datasetUUID").text().isEmpty();
        if (!name && !uuid) {
            source.missing("one of datasetName and datasetUUID is required");
        }
        if (name && uuid) {
            source.invalid("resource", "datasetName and datasetUUID can not be specified simultaneously");
        }
        if (source.at("datasetName").text().contains("/")) {
            source.at("datasetName").invalid("must not contain '/'");
        }
    }

    private static void quobyte(Field source) {
        String pairs = "must be a host:port pair or multiple pairs separated by commas";
        Field registry = source.at("registry");
        if (registry.text().isEmpty()) {
            registry.missing(pairs);
        } else if (Names.bytes(source.at("tenant").text()) >= 65) {
            source.at("tenant").missing("must be a UUID and may not exceed a length of 64 characters");
        } else {
            for (String pair : registry.text().split(",", -1)) {
                if (!pair.matches("(\\[[^\\]]*\\]|[^:\\[\\]]*):[^:]*")) {
                    registry.invalid(pairs);
                }
            }
        }
        source.at("volume").require();
    }

    private static void fibreChannel(Field source) {
        boolean targets = !source.at("targetWWNs").array().isEmpty();
        boolean ids = !source.at("wwids").array().isEmpty();
        if (!targets && !ids) {
            source.at("targetWWNs").missing("must specify either targetWWNs or wwids, but not both");
        }
        if (targets && ids) {
            source.at("targetWWNs").invalid("targetWWNs and wwids can not be specified simultaneously");
        }
        if (targets) {
            if (source.at("lun").given()) {
                source.at("lun").between(0, 255);
            } else {
                source.at("lun").missing("lun is required if targetWWNs is specified");
            }
        }
    }

    private static void flexVolume(Field source) {
        source.at("driver").require();
        source.at("options").object().keySet().forEach(key -> {
            String prefix =
                    "." + (key.contains("/") ? key.substring(0, key.indexOf('/')) : key).toLowerCase(Locale.ROOT);
            if (prefix.endsWith(".kubernetes.io") || prefix.endsWith(".k8s.io")) {
                source.at("options").entry(key).invalid(key, "kubernetes.io and k8s.io namespaces are reserved");
            }
        });
    }

    private static void azureDisk(Field source) {
        source.at("diskName").require();
        Field uri = source.at("diskURI");
        uri.require();
        SecurityContextRules.oneOfIfPresent(source.at("cachingMode"), "None", "ReadOnly", "ReadWrite");
        Field kind = source.at("kind");
        SecurityContextRules.oneOfIfPresent(kind, "Dedicated", "Managed", "Shared");
        boolean managed = kind.text().equals("Managed");
        if (managed && !uri.text().startsWith("/subscriptions/")) {
            uri.notSupported(
                    uri.text(),
                    List.of(
                            "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"));
        }
        if (kind.given() && !managed && !uri.text().startsWith("https://")) {
            uri.notSupported(
                    uri.text(),
                    List.of("https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"));
        }
    }

    private static void storageos(Field source) {
        source.at("volumeName").require(Names::label);
        source.at("volumeNamespace").requireIfGiven(Names::label);
        if (source.at("secretRef").given()) {
            source.at("secretRef", "name").require();
        }
    }

    /** Validates the name of a CSI driver. */
    static void csiDriver(Field driver) {
        if (driver.require()) {
            csiDriver(driver, driver.text());
        }
    }

    /** Checks the name of a driver that is all or a part of a field. */
    static void csiDriver(Field field, String name) {
        if (Names.bytes(name) > 63) {
            field.tooLong(63);
        }
        Names.subdomain(name.toLowerCase(Locale.ROOT)).forEach(detail -> field.invalid(name, detail));
    }

    private static void ephemeral(Field volume, Field source, String pod) {
        Field template = source.at("volumeClaimTemplate");
        if (template.given()) {
            PersistentVolumeClaimRules.template(template);
        } else {
            template.missing();
        }
        String name = volume.at("name").text();
        if (!pod.isEmpty() && !name.isEmpty()) {
            String claim = pod + "-" + name;
            Names.subdomain(claim)
                    .forEach(detail -> volume.at("name").invalid(name, "PVC name \"" + claim + "\": " + detail));
        }
    }

    private static void keys(Field source, String name) {
        source.at(name).require();
        mode(source.at("defaultMode"));
        source.at("items").items().forEach(VolumeRules::keyToPath);
    }

    private static void keyToPath(Field item) {
        item.at("key").require();
        item.at("path").require();
        FormatRules.localPath(item.at("path"));
        mode(item.at("mode"));
    }

    private static void mode(Field mode) {
        mode.between(0, 511, "must be a number between 0 and 0777 (octal), both inclusive");
    }

    /** Validates a file; upstream shows its errors under the field that holds the list. */
    private static void downwardFile(Field shown, Field file) {
        Field path = shown.with("path", file.at("path").value());
        path.require();
        FormatRules.localPath(path);
        Field field = file.at("fieldRef");
        Field resource = file.at("resourceFieldRef");
        if (field.given()) {
            FieldReferences.object(shown.with("fieldRef", field.value()), FieldReferences.IN_VOLUMES);
            if (resource.given()) {
                shown.invalid("resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
            }
        } else if (resource.given()) {
            FieldReferences.resource(shown.with("resourceFieldRef", resource.value()), true);
        } else {
            shown.missing("one of fieldRef and resourceFieldRef is required");
        }
        mode(shown.with("mode", file.at("mode").value()));
    }

    private static void projections(Field projected) {
        Set<String> paths = new HashSet<>();
        for (Field source : projected.at("sources").items()) {
            for (String kind : List.of("secret", "configMap")) {
                Field files = source.at(kind);
                if (files.given()) {
                    files.at("name").require();
                    for (Field item : files.at("items").items()) {
                        keyToPath(item);
                        unique(
                                projected,
                                paths,
                                item.at("path").text(),
                                files.at("name").text());
                    }
                }
            }
            Field downward = source.at("downwardAPI");
            downward.at("items").items().forEach(file -> {
                downwardFile(downward, file);
                String path = file.at("path").text();
                unique(projected, paths, path, path);
            });
            present(source.at("serviceAccountToken"), token -> token(projected, token));
            long kinds = List.of("secret", "configMap", "downwardAPI", "serviceAccountToken").stream()
                    .filter(kind -> source.at(kind).given())
                    .count();
            if (kinds > 1) {
                source.forbidden("may not specify more than 1 volume type per source");
            }
        }
    }

    private static void present(Field field, Consumer<Field> rule) {
        if (field.given()) {
            rule.accept(field);
        }
    }

    private static void unique(Field projected, Set<String> paths, String path, String shown) {
        if (!path.isEmpty() && !paths.add(path)) {
            projected.invalid(shown, "conflicting duplicate paths");
        }
    }

    private static void token(Field projected, Field token) {
        Field seconds = token.at("expirationSeconds");
        if (seconds.number() < 600) {
            seconds.invalid(seconds.number(), "may not specify a duration less than 10 minutes");
        }
        if (seconds.number() > 1L << 32) {
            seconds.invalid("may not specify a duration larger than 2^32 seconds");
        }
        Field path = projected.with("path", token.at("path").value());
        if (path.require()) {
            FormatRules.localPath(path);
        }
    }
}
