package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of pods and of the pods in templates: those that users run into, in upstream's order. */
final class PodValidation {
    /** In the order in which upstream looks at them: the first one wins, later ones are too many. */
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

    static List<FieldError> pod(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        template(Trees.object(tree, "spec"), "spec", findings);
        return findings.list();
    }

    /** Of any pod spec. */
    static void template(Map<String, @Nullable Object> spec, String at, Findings findings) {
        template(spec, at, Set.of(), findings);
    }

    /**
     * Of any pod spec.
     *
     * @param claims names of volumes that its pods get beside those that it says
     */
    static void template(Map<String, @Nullable Object> spec, String at, Set<String> claims, Findings findings) {
        Set<String> volumes = volumes(Trees.list(spec, "volumes"), at + ".volumes", findings);
        volumes.addAll(claims);
        List<@Nullable Object> containers = Trees.list(spec, "containers");
        if (containers.isEmpty()) {
            findings.required(at + ".containers");
        }
        Set<String> names = new HashSet<>();
        containers(containers, at + ".containers", volumes, names, findings);
        containers(Trees.list(spec, "initContainers"), at + ".initContainers", volumes, names, findings);
        findings.oneOf(at + ".restartPolicy", Json.string(spec, "restartPolicy"), "Always", "OnFailure", "Never");
        findings.oneOf(
                at + ".dnsPolicy",
                Json.string(spec, "dnsPolicy"),
                "ClusterFirst",
                "ClusterFirstWithHostNet",
                "Default",
                "None");
        Trees.object(spec, "nodeSelector").forEach((key, value) -> {
            findings.invalid(at + ".nodeSelector", key, Names.qualified(key));
            findings.invalid(at + ".nodeSelector", value, Names.labelValue(String.valueOf(value)));
        });
        String account = Json.string(spec, "serviceAccountName");
        if (!account.isEmpty()) {
            findings.invalid(at + ".serviceAccountName", account, Names.subdomain(account));
        }
        String node = Json.string(spec, "nodeName");
        if (!node.isEmpty()) {
            findings.invalid(at + ".nodeName", node, Names.subdomain(node));
        }
        if (spec.get("activeDeadlineSeconds") instanceof Long seconds && (seconds < 1 || seconds > Integer.MAX_VALUE)) {
            findings.invalid(at + ".activeDeadlineSeconds", seconds, "must be between 1 and 2147483647, inclusive");
        }
        for (String name : List.of("hostname", "subdomain")) {
            String value = Json.string(spec, name);
            if (!value.isEmpty()) {
                findings.invalid(at + "." + name, value, Names.label(value));
            }
        }
    }

    private static Set<String> volumes(List<@Nullable Object> volumes, String at, Findings findings) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < volumes.size(); i++) {
            Object volume = volumes.get(i);
            String path = at + "[" + i + "]";
            boolean found = false;
            for (String source : SOURCES) {
                if (Trees.has(volume, source)) {
                    if (found) {
                        findings.forbidden(path + "." + source, "may not specify more than 1 volume type");
                    }
                    found = true;
                }
            }
            if (!found) {
                findings.required(path, "must specify a volume type");
            }
            String name = Json.string(volume, "name");
            List<String> wrong = Names.label(name);
            if (name.isEmpty()) {
                findings.required(path + ".name");
            } else if (!wrong.isEmpty()) {
                findings.invalid(path + ".name", name, wrong);
            } else if (!names.add(name)) {
                findings.add(FieldError.duplicate(path + ".name", name));
            }
        }
        return names;
    }

    private static void containers(
            List<@Nullable Object> containers, String at, Set<String> volumes, Set<String> names, Findings findings) {
        for (int i = 0; i < containers.size(); i++) {
            String path = at + "[" + i + "]";
            Object container = containers.get(i);
            String name = Json.string(container, "name");
            if (name.isEmpty()) {
                findings.required(path + ".name");
            } else {
                findings.invalid(path + ".name", name, Names.label(name));
            }
            container(container, path, volumes, findings);
            if (!name.isEmpty() && !names.add(name)) {
                findings.add(FieldError.duplicate(path + ".name", name));
            }
        }
    }

    private static void container(@Nullable Object container, String at, Set<String> volumes, Findings findings) {
        String image = Json.string(container, "image");
        if (image.isEmpty()) {
            findings.required(at + ".image");
        } else if (!image.strip().equals(image)) {
            findings.invalid(at + ".image", image, "must not have leading or trailing whitespace");
        }
        findings.oneOf(
                at + ".terminationMessagePolicy",
                Json.string(container, "terminationMessagePolicy"),
                "FallbackToLogsOnError",
                "File");
        List<@Nullable Object> ports = Trees.list(container, "ports");
        Set<String> portNames = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            port(ports.get(i), at + ".ports[" + i + "]", portNames, findings);
        }
        List<@Nullable Object> env = Trees.list(container, "env");
        for (int i = 0; i < env.size(); i++) {
            env(env.get(i), at + ".env[" + i + "]", findings);
        }
        List<@Nullable Object> mounts = Trees.list(container, "volumeMounts");
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < mounts.size(); i++) {
            String path = at + ".volumeMounts[" + i + "]";
            String volume = Json.string(mounts.get(i), "name");
            String mountPath = Json.string(mounts.get(i), "mountPath");
            if (volume.isEmpty()) {
                findings.required(path + ".name");
            } else if (!volumes.contains(volume)) {
                findings.add(FieldError.notFound(path + ".name", volume));
            }
            if (mountPath.isEmpty()) {
                findings.required(path + ".mountPath");
            } else if (!paths.add(mountPath)) {
                findings.invalid(path + ".mountPath", mountPath, "must be unique");
            }
        }
        findings.oneOf(
                at + ".imagePullPolicy", Json.string(container, "imagePullPolicy"), "Always", "IfNotPresent", "Never");
        resources(container, at + ".resources", findings);
    }

    private static void port(@Nullable Object port, String at, Set<String> names, Findings findings) {
        String name = Json.string(port, "name");
        if (!name.isEmpty()) {
            List<String> wrong = PortNames.wrong(name);
            findings.invalid(at + ".name", name, wrong);
            if (wrong.isEmpty() && !names.add(name)) {
                findings.add(FieldError.duplicate(at + ".name", name));
            }
        }
        if (Json.integer(port, "containerPort") == 0) {
            findings.required(at + ".containerPort");
        } else {
            findings.port(at + ".containerPort", Json.at(port, "containerPort"));
        }
        findings.port(at + ".hostPort", Json.at(port, "hostPort"));
        findings.oneOf(at + ".protocol", Json.string(port, "protocol"), "SCTP", "TCP", "UDP");
    }

    private static void env(@Nullable Object env, String at, Findings findings) {
        String name = Json.string(env, "name");
        if (name.isEmpty()) {
            findings.required(at + ".name");
        } else if (!name.chars().allMatch(c -> c >= 32 && c < 127 && c != '=')) {
            findings.invalid(
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
            findings.invalid(
                    at + ".valueFrom",
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or"
                            + " `fileKeyRef`");
        } else if (!Json.string(env, "value").isEmpty()) {
            findings.invalid(at + ".valueFrom", "", "may not be specified when `value` is not empty");
        } else if (sources > 1) {
            findings.invalid(at + ".valueFrom", "", "may not have more than one field specified at a time");
        }
    }

    private static void resources(@Nullable Object container, String at, Findings findings) {
        Map<String, @Nullable Object> limits = Trees.object(container, "resources", "limits");
        Map<String, @Nullable Object> requests = Trees.object(container, "resources", "requests");
        amounts(limits, at + ".limits", findings);
        requests.forEach((resource, value) -> {
            Quantity.read(String.valueOf(value)).ifPresent(amount -> {
                negative(amount, at + ".requests[" + resource + "]", findings);
                Quantity.read(String.valueOf(limits.get(resource))).ifPresent(limit -> {
                    if (amount.compareTo(limit) > 0) {
                        findings.invalid(
                                at + ".requests",
                                value,
                                "must be less than or equal to " + resource + " limit of " + limit.text());
                    }
                });
            });
        });
    }

    private static void amounts(Map<String, @Nullable Object> amounts, String at, Findings findings) {
        amounts.forEach((resource, value) -> Quantity.read(String.valueOf(value))
                .ifPresent(amount -> negative(amount, at + "[" + resource + "]", findings)));
    }

    private static void negative(Quantity amount, String at, Findings findings) {
        if (amount.value().signum() < 0) {
            findings.invalid(at, amount.text(), "must be greater than or equal to 0");
        }
    }

    static List<FieldError> update(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        Findings findings = new Findings();
        Map<String, @Nullable Object> is = Json.copyObject(Trees.object(tree, "spec"));
        Map<String, @Nullable Object> was = Json.copyObject(Trees.object(old, "spec"));
        if (Trees.list(is, "containers").size() != Trees.list(was, "containers").size()) {
            findings.forbidden("spec.containers", "pod updates may not add or remove containers");
            return findings.list();
        }
        if (Trees.list(is, "initContainers").size()
                != Trees.list(was, "initContainers").size()) {
            findings.forbidden("spec.initContainers", "pod updates may not add or remove containers");
            return findings.list();
        }
        List<@Nullable Object> tolerations = new ArrayList<>(Trees.list(was, "tolerations"));
        tolerations.removeAll(Trees.list(is, "tolerations"));
        if (tolerations.isEmpty()) {
            is.remove("tolerations");
            was.remove("tolerations");
        }
        for (String containers : List.of("containers", "initContainers")) {
            Trees.each(is, container -> container.remove("image"), containers);
            Trees.each(was, container -> container.remove("image"), containers);
        }
        if (Json.integer(was, "terminationGracePeriodSeconds") < 0
                && Json.integer(is, "terminationGracePeriodSeconds") == 1) {
            is.remove("terminationGracePeriodSeconds");
            was.remove("terminationGracePeriodSeconds");
        }
        if (is.get("activeDeadlineSeconds") instanceof Long seconds
                && (!(was.get("activeDeadlineSeconds") instanceof Long before) || seconds <= before)) {
            is.remove("activeDeadlineSeconds");
            was.remove("activeDeadlineSeconds");
        }
        if (Trees.list(was, "schedulingGates").containsAll(Trees.list(is, "schedulingGates"))) {
            is.remove("schedulingGates");
            was.remove("schedulingGates");
        }
        if (!is.equals(was)) {
            findings.forbidden(
                    "spec",
                    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`"
                            + ",`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)"
                            + ",`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously"
                            + " negative)\n");
        }
        return findings.list();
    }
}
