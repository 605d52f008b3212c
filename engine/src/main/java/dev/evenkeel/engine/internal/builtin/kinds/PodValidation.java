package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of pods and of the pods in templates: those that users are likely to break, in upstream's order. */
final class PodValidation {
    /** In the order in which upstream checks them: the first one is accepted, further ones are errors. */
    private static final List<String> SOURCES = List.of(
            "emptyDir",
            "hostPath",
            "gitRepo",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "secret",
            "nfs",
            "iscsi",
            "glusterfs",
            "flocker",
            "persistentVolumeClaim",
            "rbd",
            "cinder",
            "cephfs",
            "downwardAPI",
            "fc",
            "azureFile",
            "configMap",
            "quobyte",
            "vsphereVolume",
            "photonPersistentDisk",
            "portworxVolume",
            "azureDisk",
            "storageos",
            "projected",
            "scaleIO",
            "csi",
            "ephemeral",
            "image");

    private static final List<String> ENV_SOURCES =
            List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");

    private PodValidation() {}

    /**
     * Validates any pod spec.
     *
     * @param claims names of volumes that its pods get in addition to its own
     */
    static void spec(JsonObject spec, String at, Set<String> claims, FieldErrors errors) {
        Set<String> volumes = volumes(spec.array("volumes"), at + ".volumes", errors);
        volumes.addAll(claims);
        List<@Nullable Object> containers = spec.array("containers");
        if (containers.isEmpty()) {
            errors.required(at + ".containers");
        }
        Set<String> names = new HashSet<>();
        containers(containers, at + ".containers", volumes, names, errors);
        containers(spec.array("initContainers"), at + ".initContainers", volumes, names, errors);
        errors.oneOf(at + ".restartPolicy", spec.string("restartPolicy"), "Always", "OnFailure", "Never");
        errors.oneOf(
                at + ".dnsPolicy",
                spec.string("dnsPolicy"),
                "ClusterFirst",
                "ClusterFirstWithHostNet",
                "Default",
                "None");
        spec.object("nodeSelector").forEach((key, value) -> {
            errors.invalid(at + ".nodeSelector", key, Names.qualified(key));
            errors.invalid(at + ".nodeSelector", value, Names.labelValue(String.valueOf(value)));
        });
        String account = spec.string("serviceAccountName");
        if (!account.isEmpty()) {
            errors.invalid(at + ".serviceAccountName", account, Names.subdomain(account));
        }
        String node = spec.string("nodeName");
        if (!node.isEmpty()) {
            errors.invalid(at + ".nodeName", node, Names.subdomain(node));
        }
        if (spec.get("activeDeadlineSeconds") instanceof Long seconds && (seconds < 1 || seconds > Integer.MAX_VALUE)) {
            errors.invalid(at + ".activeDeadlineSeconds", seconds, "must be between 1 and 2147483647, inclusive");
        }
        for (String name : List.of("hostname", "subdomain")) {
            String value = spec.string(name);
            if (!value.isEmpty()) {
                errors.invalid(at + "." + name, value, Names.label(value));
            }
        }
    }

    private static Set<String> volumes(List<@Nullable Object> volumes, String at, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < volumes.size(); i++) {
            Object volume = volumes.get(i);
            String path = at + "[" + i + "]";
            boolean found = false;
            for (String source : SOURCES) {
                if (Trees.has(volume, source)) {
                    if (found) {
                        errors.forbidden(path + "." + source, "may not specify more than 1 volume type");
                    }
                    found = true;
                }
            }
            if (!found) {
                errors.required(path, "must specify a volume type");
            }
            String name = Json.string(volume, "name");
            List<String> wrong = Names.label(name);
            if (name.isEmpty()) {
                errors.required(path + ".name");
            } else if (!wrong.isEmpty()) {
                errors.invalid(path + ".name", name, wrong);
            } else if (!names.add(name)) {
                errors.add(FieldError.duplicate(path + ".name", name));
            }
        }
        return names;
    }

    private static void containers(
            List<@Nullable Object> containers, String at, Set<String> volumes, Set<String> names, FieldErrors errors) {
        for (int i = 0; i < containers.size(); i++) {
            String path = at + "[" + i + "]";
            Object container = containers.get(i);
            String name = Json.string(container, "name");
            if (name.isEmpty()) {
                errors.required(path + ".name");
            } else {
                errors.invalid(path + ".name", name, Names.label(name));
            }
            container(container, path, volumes, errors);
            if (!name.isEmpty() && !names.add(name)) {
                errors.add(FieldError.duplicate(path + ".name", name));
            }
        }
    }

    private static void container(@Nullable Object container, String at, Set<String> volumes, FieldErrors errors) {
        String image = Json.string(container, "image");
        if (image.isEmpty()) {
            errors.required(at + ".image");
        } else if (!image.strip().equals(image)) {
            errors.invalid(at + ".image", image, "must not have leading or trailing whitespace");
        }
        errors.oneOf(
                at + ".terminationMessagePolicy",
                Json.string(container, "terminationMessagePolicy"),
                "FallbackToLogsOnError",
                "File");
        List<@Nullable Object> ports = Trees.list(container, "ports");
        Set<String> portNames = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            port(ports.get(i), at + ".ports[" + i + "]", portNames, errors);
        }
        List<@Nullable Object> env = Trees.list(container, "env");
        for (int i = 0; i < env.size(); i++) {
            env(env.get(i), at + ".env[" + i + "]", errors);
        }
        List<@Nullable Object> mounts = Trees.list(container, "volumeMounts");
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < mounts.size(); i++) {
            String path = at + ".volumeMounts[" + i + "]";
            String volume = Json.string(mounts.get(i), "name");
            String mountPath = Json.string(mounts.get(i), "mountPath");
            if (volume.isEmpty()) {
                errors.required(path + ".name");
            } else if (!volumes.contains(volume)) {
                errors.add(FieldError.notFound(path + ".name", volume));
            }
            if (mountPath.isEmpty()) {
                errors.required(path + ".mountPath");
            } else if (!paths.add(mountPath)) {
                errors.invalid(path + ".mountPath", mountPath, "must be unique");
            }
        }
        errors.oneOf(
                at + ".imagePullPolicy", Json.string(container, "imagePullPolicy"), "Always", "IfNotPresent", "Never");
        resources(container, at + ".resources", errors);
    }

    private static void port(@Nullable Object port, String at, Set<String> names, FieldErrors errors) {
        String name = Json.string(port, "name");
        if (!name.isEmpty()) {
            List<String> wrong = PortNames.wrong(name);
            errors.invalid(at + ".name", name, wrong);
            if (wrong.isEmpty() && !names.add(name)) {
                errors.add(FieldError.duplicate(at + ".name", name));
            }
        }
        if (Json.integer(port, "containerPort") == 0) {
            errors.required(at + ".containerPort");
        } else {
            errors.port(at + ".containerPort", Json.at(port, "containerPort"));
        }
        errors.port(at + ".hostPort", Json.at(port, "hostPort"));
        errors.oneOf(at + ".protocol", Json.string(port, "protocol"), "SCTP", "TCP", "UDP");
    }

    private static void env(@Nullable Object env, String at, FieldErrors errors) {
        String name = Json.string(env, "name");
        if (name.isEmpty()) {
            errors.required(at + ".name");
        } else if (!name.chars().allMatch(c -> c >= 32 && c < 127 && c != '=')) {
            errors.invalid(
                    at + ".name",
                    name,
                    "a valid environment variable name must consist only of printable ASCII characters other than '='");
        }
        Object from = Json.at(env, "valueFrom");
        if (from == null) {
            return;
        }
        long sources = ENV_SOURCES.stream().filter(s -> Trees.has(from, s)).count();
        if (sources == 0) {
            errors.invalid(
                    at + ".valueFrom",
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or"
                            + " `fileKeyRef`");
        } else if (!Json.string(env, "value").isEmpty()) {
            errors.invalid(at + ".valueFrom", "", "may not be specified when `value` is not empty");
        } else if (sources > 1) {
            errors.invalid(at + ".valueFrom", "", "may not have more than one field specified at a time");
        }
    }

    private static void resources(@Nullable Object container, String at, FieldErrors errors) {
        JsonObject limits = Trees.object(container, "resources", "limits");
        JsonObject requests = Trees.object(container, "resources", "requests");
        amounts(limits, at + ".limits", errors);
        requests.forEach((resource, value) -> {
            Quantity.read(String.valueOf(value)).ifPresent(amount -> {
                negative(amount, at + ".requests[" + resource + "]", errors);
                Quantity.read(String.valueOf(limits.get(resource))).ifPresent(limit -> {
                    if (amount.compareTo(limit) > 0) {
                        errors.invalid(
                                at + ".requests",
                                value,
                                "must be less than or equal to " + resource + " limit of " + limit.text());
                    }
                });
            });
        });
    }

    private static void amounts(JsonObject amounts, String at, FieldErrors errors) {
        amounts.forEach((resource, value) -> Quantity.read(String.valueOf(value))
                .ifPresent(amount -> negative(amount, at + "[" + resource + "]", errors)));
    }

    private static void negative(Quantity amount, String at, FieldErrors errors) {
        if (amount.value().signum() < 0) {
            errors.invalid(at, amount.text(), "must be greater than or equal to 0");
        }
    }
}
