package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** Warnings about pods and templates of pods that are accepted, in upstream's order and words. */
final class PodWarnings {
    /** The labels of nodes that have newer names. */
    static final Map<String, String> NODE_LABELS = Map.of(
            "beta.kubernetes.io/arch", "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
            "beta.kubernetes.io/os", "deprecated since v1.14; use \"kubernetes.io/os\" instead",
            "failure-domain.beta.kubernetes.io/region",
                    "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
            "failure-domain.beta.kubernetes.io/zone",
                    "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
            "beta.kubernetes.io/instance-type",
                    "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
            "app.kubernetes.io/created-by", "deprecated since v1.9",
            "scheduler.alpha.kubernetes.io/preferAvoidPods",
                    "deprecated since v1.22; use Taints and Tolerations instead",
            "node-role.kubernetes.io/master", "use \"node-role.kubernetes.io/control-plane\" instead");

    private static final List<Map.Entry<String, String>> ANNOTATIONS = List.of(
            Map.entry(
                    "scheduler.alpha.kubernetes.io/critical-pod",
                    "non-functional in v1.16+; use the \"priorityClassName\" field instead"),
            Map.entry(
                    "security.alpha.kubernetes.io/sysctls",
                    "non-functional in v1.11+; use the \"sysctls\" field instead"),
            Map.entry(
                    "security.alpha.kubernetes.io/unsafe-sysctls",
                    "non-functional in v1.11+; use the \"sysctls\" field instead"));
    static final List<Map.Entry<String, String>> VOLUMES = List.of(
            Map.entry("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
            Map.entry("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
            Map.entry("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
            Map.entry("flocker", "deprecated in v1.22, non-functional in v1.25+"),
            Map.entry("storageos", "deprecated in v1.22, non-functional in v1.25+"),
            Map.entry("quobyte", "deprecated in v1.22, non-functional in v1.25+"),
            Map.entry("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
            Map.entry("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
            Map.entry("rbd", "deprecated in v1.28, non-functional in v1.31+"));

    private static final String SECCOMP = "non-functional in v1.27+; use the \"seccompProfile\" field instead";

    private final String path;
    private final JsonObject spec;
    private final JsonObject metadata;
    private final List<String> found = new ArrayList<>();

    private PodWarnings(String path, JsonObject template) {
        this.path = path;
        this.spec = template.object("spec");
        this.metadata = template.object("metadata");
    }

    /**
     * Returns the warnings of a template.
     *
     * @param path of the template, such as {@code spec.template.}; empty for a pod
     */
    static List<String> of(String path, JsonObject template) {
        PodWarnings warnings = new PodWarnings(path, template);
        warnings.labels();
        warnings.annotations();
        warnings.volumes();
        warnings.lists();
        warnings.amounts(template.object("spec", "overhead"), path + "spec.overhead");
        warnings.containers();
        if (template.integer("spec", "terminationGracePeriodSeconds") < 0) {
            warnings.add(
                    "spec.terminationGracePeriodSeconds",
                    "must be >= 0; negative values are invalid and will be" + " treated as 1");
        }
        warnings.affinity();
        warnings.addresses();
        return warnings.found;
    }

    /**
     * Returns the warning about the name of an object from which its pods are named.
     *
     * @param use the names that are derived, such as {@code Pod names and hostnames}
     */
    static List<String> name(JsonObject tree, String use) {
        List<String> wrong = Names.label(tree.string("metadata", "name"));
        return wrong.isEmpty()
                ? List.of()
                : List.of("metadata.name: this is used in " + use
                        + ", which can result in surprising behavior; a DNS label is recommended: ["
                        + String.join(" ", wrong) + "]");
    }

    private void add(String field, String text) {
        found.add(path + field + ": " + text);
    }

    private void labels() {
        spec.object("nodeSelector").keySet().forEach(key -> {
            if (NODE_LABELS.containsKey(key)) {
                add("spec.nodeSelector[" + key + "]", NODE_LABELS.get(key));
            }
        });
        String affinity = "spec.affinity.nodeAffinity.";
        String required = "requiredDuringSchedulingIgnoredDuringExecution";
        List<JsonObject> terms = spec.objects("affinity", "nodeAffinity", required, "nodeSelectorTerms");
        for (int i = 0; i < terms.size(); i++) {
            keys(terms.get(i), false, affinity + required + ".nodeSelectorTerms[" + i + "]");
        }
        String preferred = "preferredDuringSchedulingIgnoredDuringExecution";
        List<JsonObject> preferences = spec.objects("affinity", "nodeAffinity", preferred);
        for (int i = 0; i < preferences.size(); i++) {
            keys(preferences.get(i).object("preference"), true, affinity + preferred + "[" + i + "].preference");
        }
        List<JsonObject> constraints = spec.objects("topologySpreadConstraints");
        for (int i = 0; i < constraints.size(); i++) {
            String key = constraints.get(i).string("topologyKey");
            String at = "spec.topologySpreadConstraints[" + i + "].";
            if (NODE_LABELS.containsKey(key)) {
                add(at + "topologyKey", key + " is " + NODE_LABELS.get(key));
            }
            if (!constraints.get(i).has("labelSelector")) {
                add(at + "labelSelector", "a null labelSelector results in matching no pod");
            }
        }
    }

    private void keys(JsonObject term, boolean values, String at) {
        found.addAll(nodeTerm(term, values, path + at));
    }

    /**
     * Returns the warnings about a term of a selector of nodes.
     *
     * @param values whether values that no label can have are accepted, with a warning
     */
    static List<String> nodeTerm(JsonObject term, boolean values, String at) {
        List<String> warnings = new ArrayList<>();
        List<JsonObject> expressions = term.objects("matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            String here = at + ".matchExpressions[" + i + "].";
            String key = expressions.get(i).string("key");
            if (NODE_LABELS.containsKey(key)) {
                warnings.add(here + "key: " + key + " is " + NODE_LABELS.get(key));
            }
            List<String> labels = values ? expressions.get(i).strings("values") : List.of();
            for (int j = 0; j < labels.size(); j++) {
                for (String wrong : Names.labelValue(labels.get(j))) {
                    warnings.add(here + "values[" + j + "]: " + labels.get(j) + " is invalid, " + wrong);
                }
            }
        }
        return warnings;
    }

    private void annotations() {
        JsonObject annotations = metadata.object("annotations");
        ANNOTATIONS.stream()
                .filter(known -> annotations.containsKey(known.getKey()))
                .forEach(known -> add("metadata.annotations[" + known.getKey() + "]", known.getValue()));
    }

    private void volumes() {
        List<JsonObject> volumes = spec.objects("volumes");
        for (int i = 0; i < volumes.size(); i++) {
            for (Map.Entry<String, String> known : VOLUMES) {
                if (volumes.get(i).has(known.getKey())) {
                    add("spec.volumes[" + i + "]." + shown(known.getKey()), known.getValue());
                }
            }
            String claim = "spec.volumes[" + i + "].ephemeral.volumeClaimTemplate.spec";
            found.addAll(claim(volumes.get(i).object("ephemeral", "volumeClaimTemplate", "spec"), path + claim));
        }
        volumes.forEach(this::overlaps);
    }

    /** Returns the name of a source of volumes as warnings spell it. */
    static String shown(String source) {
        return source.equals("storageos") ? "storageOS" : source;
    }

    /** Returns the warnings about the specification of a claim. */
    static List<String> claim(JsonObject spec, String at) {
        List<String> warnings = new ArrayList<>();
        for (String which : List.of("requests", "limits")) {
            fraction(spec.object("resources", which), "storage", at + ".resources." + which, warnings);
        }
        return warnings;
    }

    /** The path of a file in a volume, and what it comes from; empty if that is the volume itself. */
    private record VolumePath(String path, String source) {
        boolean overlaps(VolumePath other) {
            return !path.isEmpty()
                    && !other.path.isEmpty()
                    && ((path + "/").startsWith(other.path + "/") || (other.path + "/").startsWith(path + "/"));
        }

        String text() {
            return Json.text(path) + (source.isEmpty() ? "" : " (" + source + ")");
        }
    }

    /** Warns about files of a volume that hide each other. */
    private void overlaps(JsonObject volume) {
        String name = "volume " + Json.text(volume.string("name")) + " ";
        items(volume, "configMap", "ConfigMap", "name", name);
        items(volume, "secret", "Secret", "secretName", name);
        overlaps(paths(volume.object("downwardAPI"), ""), name + "(DownwardAPI)");
        List<VolumePath> before = new ArrayList<>();
        for (JsonObject source : volume.objects("projected", "sources")) {
            if (source.isEmpty()) {
                found.add(name + "(Projected) has no sources provided");
            }
            overlaps(before, projected(source), name + "(Projected)");
        }
    }

    private static List<VolumePath> projected(JsonObject source) {
        if (source.has("configMap", "items")) {
            return paths(source.object("configMap"), "ConfigMap " + Json.text(source.string("configMap", "name")));
        }
        if (source.has("secret", "items")) {
            return paths(source.object("secret"), "Secret " + Json.text(source.string("secret", "name")));
        }
        if (source.has("downwardAPI", "items")) {
            return paths(source.object("downwardAPI"), "DownwardAPI");
        }
        if (source.has("serviceAccountToken")) {
            return List.of(path(source.string("serviceAccountToken", "path"), "ServiceAccountToken"));
        }
        return List.of();
    }

    private void items(JsonObject volume, String kind, String shown, String key, String name) {
        overlaps(paths(volume.object(kind), ""), name + "(" + shown + " " + Json.text(volume.string(kind, key)) + ")");
    }

    private static List<VolumePath> paths(JsonObject source, String what) {
        return source.objects("items").stream()
                .map(item -> path(item.string("path"), what))
                .toList();
    }

    private static VolumePath path(String path, String source) {
        return new VolumePath(path.replaceFirst("/+$", ""), source);
    }

    private void overlaps(List<VolumePath> paths, String what) {
        overlaps(new ArrayList<>(), paths, what);
    }

    /** Warns about paths that overlap with those before, to which they are added. */
    private void overlaps(List<VolumePath> before, List<VolumePath> paths, String what) {
        for (VolumePath path : paths) {
            before.stream()
                    .filter(path::overlaps)
                    .forEach(
                            other -> found.add(what + ": overlapping paths: " + path.text() + " with " + other.text()));
            before.add(path);
        }
    }

    private void lists() {
        Set<String> addresses = new HashSet<>();
        List<JsonObject> aliases = spec.objects("hostAliases");
        for (int i = 0; i < aliases.size(); i++) {
            if (!addresses.add(aliases.get(i).string("ip"))) {
                add(
                        "spec.hostAliases[" + i + "].ip",
                        "duplicate ip " + Json.text(aliases.get(i).string("ip")));
            }
        }
        Set<String> names = new HashSet<>();
        List<JsonObject> secrets = spec.objects("imagePullSecrets");
        for (int i = 0; i < secrets.size(); i++) {
            String name = secrets.get(i).string("name");
            if (!names.add(name)) {
                add("spec.imagePullSecrets[" + i + "].name", "duplicate name " + Json.text(name));
            }
        }
        for (int i = 0; i < secrets.size(); i++) {
            if (secrets.get(i).string("name").isEmpty()) {
                add("spec.imagePullSecrets[" + i + "].name", "invalid empty name \"\"");
            }
        }
    }

    private void addresses() {
        found.addAll(
                AddressWarnings.ips(path + "spec.dnsConfig.nameservers", spec.strings("dnsConfig", "nameservers")));
        found.addAll(AddressWarnings.ips(path + "spec.hostAliases", spec.objects("hostAliases"), "ip"));
    }

    /** Returns the warnings about a changed status of a pod. */
    static List<String> status(JsonObject pod) {
        List<String> warnings = new ArrayList<>();
        for (String kind : List.of("podIPs", "hostIPs")) {
            warnings.addAll(AddressWarnings.ips("status." + kind, pod.objects("status", kind), "ip"));
        }
        return warnings;
    }

    private void containers() {
        JsonObject annotations = metadata.object("annotations");
        if (annotations.containsKey(PodAnnotationRules.SECCOMP_OF_POD)
                && !spec.has("securityContext", "seccompProfile")) {
            add("metadata.annotations[" + PodAnnotationRules.SECCOMP_OF_POD + "]", SECCOMP);
        }
        containers((container, at) -> {
            profiles(container, annotations);
            container(container, at);
        });
        List<Port> before = new ArrayList<>();
        containers((container, at) -> ports(container.objects("ports"), at, before));
        Map<String, String> names = new HashMap<>();
        containers((container, at) -> portNames(container.objects("ports"), at, names));
    }

    private void containers(BiConsumer<JsonObject, String> visitor) {
        for (String kind : List.of("initContainers", "containers", "ephemeralContainers")) {
            List<JsonObject> containers = spec.objects(kind);
            for (int i = 0; i < containers.size(); i++) {
                visitor.accept(containers.get(i), "spec." + kind + "[" + i + "]");
            }
        }
    }

    /** Warns about annotations instead of fields; for pods, those of AppArmor have been when the fields were filled. */
    private void profiles(JsonObject container, JsonObject annotations) {
        String name = container.string("name");
        if (annotations.containsKey(PodAnnotationRules.SECCOMP + name)
                && !container.has("securityContext", "seccompProfile")) {
            add("metadata.annotations[" + PodAnnotationRules.SECCOMP + name + "]", SECCOMP);
        }
        String key = PodAnnotationRules.APP_ARMOR + name;
        if (!path.isEmpty()
                && annotations.containsKey(key)
                && !container.has("securityContext", "appArmorProfile")
                && !spec.has("securityContext", "appArmorProfile")) {
            add("metadata.annotations[" + key + "]", PodAnnotationRules.APP_ARMOR_DEPRECATED);
        }
    }

    private void container(JsonObject container, String at) {
        JsonObject resources = container.object("resources");
        for (String name : List.of("memory", "ephemeral-storage")) {
            for (String which : List.of("limits", "requests")) {
                fraction(resources.object(which), name, path + at + ".resources." + which, found);
            }
        }
        Set<String> variables = new HashSet<>();
        List<JsonObject> env = container.objects("env");
        for (int i = 0; i < env.size(); i++) {
            JsonObject variable = env.get(i);
            String name = variable.string("name");
            String reference = "$(" + name + ")";
            boolean extended = !variable.has("valueFrom")
                    && variable.string("value").contains(reference)
                    && !variable.string("value").equals(reference);
            if (!variables.add(name) && !extended) {
                add(
                        at + ".env[" + i + "]",
                        "hides previous definition of " + Json.text(name) + ", which may be dropped when using apply");
            }
        }
    }

    /** A port and its path. */
    private record Port(JsonObject port, String path) {}

    private void ports(List<JsonObject> ports, String at, List<Port> before) {
        for (int i = 0; i < ports.size(); i++) {
            JsonObject port = ports.get(i);
            String here = at + ".ports[" + i + "]";
            if (!port.string("hostIP").isEmpty() && port.integer("hostPort") == 0) {
                add(here, "hostIP set without hostPort: " + shown(port));
            }
            for (Port other : before) {
                String conflict = conflict(port, other.port());
                if (!conflict.isEmpty()) {
                    add(here, conflict + " port definition with " + other.path());
                }
            }
            before.add(new Port(port, path + here));
        }
    }

    /**
     * Warns about names of ports that hide each other.
     *
     * @param names the path of the first port of each name so far; names are added
     */
    private void portNames(List<JsonObject> ports, String at, Map<String, String> names) {
        for (int i = 0; i < ports.size(); i++) {
            String name = ports.get(i).string("name");
            String here = at + ".ports[" + i + "]";
            String first = name.isEmpty() ? null : names.putIfAbsent(name, path + here);
            if (first != null) {
                add(
                        here,
                        "duplicate port name " + Json.text(name) + " with " + first + ", services and probes that"
                                + " select ports by name will use " + first);
            }
        }
    }

    /** Returns how a port conflicts with another; empty if it does not. */
    private static String conflict(JsonObject port, JsonObject other) {
        if (port.integer("containerPort") != other.integer("containerPort")
                || !port.string("protocol").equals(other.string("protocol"))) {
            return "";
        }
        String address = port.string("hostIP");
        String otherAddress = other.string("hostIP");
        long number = port.integer("hostPort");
        long otherNumber = other.integer("hostPort");
        if (number == otherNumber && address.equals(otherAddress)) {
            return "duplicate";
        }
        if (number == 0 || otherNumber == 0) {
            return "overlapping";
        }
        return number == otherNumber && (address.isEmpty() || otherAddress.isEmpty()) ? "dangerously ambiguous" : "";
    }

    private static String shown(JsonObject port) {
        return "{Name:" + port.string("name") + " HostPort:" + port.integer("hostPort") + " ContainerPort:"
                + port.integer("containerPort") + " Protocol:" + port.string("protocol") + " HostIP:"
                + port.string("hostIP") + "}";
    }

    private void amounts(JsonObject amounts, String at) {
        for (String name : List.of("memory", "ephemeral-storage")) {
            fraction(amounts, name, at, found);
        }
    }

    private static void fraction(JsonObject amounts, String name, String at, List<String> warnings) {
        Quantity.read(String.valueOf(amounts.get(name)))
                .filter(amount -> amount.value().remainder(BigDecimal.ONE).signum() != 0)
                .ifPresent(amount -> warnings.add(at + "[" + name + "]: fractional byte value "
                        + Json.text(amount.text()) + " is invalid, must be an integer"));
    }

    private void affinity() {
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            for (String when : List.of(
                    "requiredDuringSchedulingIgnoredDuringExecution",
                    "preferredDuringSchedulingIgnoredDuringExecution")) {
                boolean preferred = when.startsWith("preferred");
                List<JsonObject> terms = spec.objects("affinity", kind, when);
                for (int i = 0; i < terms.size(); i++) {
                    JsonObject term = preferred ? terms.get(i).object("podAffinityTerm") : terms.get(i);
                    if (!term.has("labelSelector")) {
                        add(
                                "spec.affinity." + kind + "." + when + "[" + i + "]"
                                        + (preferred ? ".podAffinityTerm" : "") + ".labelSelector",
                                "a null labelSelector results in matching no pod");
                    }
                }
            }
        }
    }
}
