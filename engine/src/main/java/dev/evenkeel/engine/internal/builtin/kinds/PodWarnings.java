package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Warnings about pods and templates of pods that are accepted, in upstream's order and words. */
final class PodWarnings {
    private static final Map<String, String> NODE_LABELS = Map.of(
            "beta.kubernetes.io/arch", "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
            "beta.kubernetes.io/os", "deprecated since v1.14; use \"kubernetes.io/os\" instead",
            "failure-domain.beta.kubernetes.io/region",
                    "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
            "failure-domain.beta.kubernetes.io/zone",
                    "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
            "beta.kubernetes.io/instance-type",
                    "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead");
    private static final List<Map.Entry<String, String>> ANNOTATIONS = List.of(
            Map.entry(
                    "scheduler.alpha.kubernetes.io/critical-pod",
                    "non-functional in v1.16+; use the \"priorityClassName\" field instead"),
            Map.entry(
                    "seccomp.security.alpha.kubernetes.io/pod",
                    "non-functional in v1.27+; use the \"seccompProfile\" field instead"),
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
        warnings.affinity();
        if (template.integer("spec", "terminationGracePeriodSeconds") < 0) {
            warnings.add(
                    "spec.terminationGracePeriodSeconds",
                    "must be >= 0; negative values are invalid and will be" + " treated as 1");
        }
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
            keys(terms.get(i), affinity + required + ".nodeSelectorTerms[" + i + "]");
        }
        String preferred = "preferredDuringSchedulingIgnoredDuringExecution";
        List<JsonObject> preferences = spec.objects("affinity", "nodeAffinity", preferred);
        for (int i = 0; i < preferences.size(); i++) {
            keys(preferences.get(i).object("preference"), affinity + preferred + "[" + i + "].preference");
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

    private void keys(JsonObject term, String at) {
        List<JsonObject> expressions = term.objects("matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            String key = expressions.get(i).string("key");
            if (NODE_LABELS.containsKey(key)) {
                add(at + ".matchExpressions[" + i + "].key", key + " is " + NODE_LABELS.get(key));
            }
        }
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
                    add("spec.volumes[" + i + "]." + known.getKey(), known.getValue());
                }
            }
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
            if (name.isEmpty()) {
                add("spec.imagePullSecrets[" + i + "].name", "invalid empty name \"\"");
            } else if (!names.add(name)) {
                add("spec.imagePullSecrets[" + i + "].name", "duplicate name " + Json.text(name));
            }
        }
    }

    private void containers() {
        for (String kind : List.of("initContainers", "containers", "ephemeralContainers")) {
            List<JsonObject> containers = spec.objects(kind);
            for (int i = 0; i < containers.size(); i++) {
                container(containers.get(i), "spec." + kind + "[" + i + "]");
            }
        }
    }

    private void container(JsonObject container, String at) {
        amounts(container.object("resources", "limits"), path + at + ".resources.limits");
        amounts(container.object("resources", "requests"), path + at + ".resources.requests");
        Set<String> variables = new HashSet<>();
        List<JsonObject> env = container.objects("env");
        for (int i = 0; i < env.size(); i++) {
            String name = env.get(i).string("name");
            if (!variables.add(name)) {
                add(
                        at + ".env[" + i + "]",
                        "hides previous definition of " + Json.text(name) + ", which may be dropped when using apply");
            }
        }
        ports(container.objects("ports"), at);
    }

    private void ports(List<JsonObject> ports, String at) {
        for (int i = 0; i < ports.size(); i++) {
            JsonObject port = ports.get(i);
            String here = at + ".ports[" + i + "]";
            if (!port.string("hostIP").isEmpty() && port.integer("hostPort") == 0) {
                add(here, "hostIP set without hostPort: " + shown(port));
            }
            for (int j = 0; j < i; j++) {
                if (same(port, ports.get(j))) {
                    add(here, "duplicate port definition with " + path + at + ".ports[" + j + "]");
                    break;
                }
            }
        }
    }

    private static boolean same(JsonObject port, JsonObject other) {
        return port.integer("containerPort") == other.integer("containerPort")
                && port.integer("hostPort") == other.integer("hostPort")
                && port.string("hostIP").equals(other.string("hostIP"))
                && port.string("protocol").equals(other.string("protocol"));
    }

    private static String shown(JsonObject port) {
        return "{Name:" + port.string("name") + " HostPort:" + port.integer("hostPort") + " ContainerPort:"
                + port.integer("containerPort") + " Protocol:" + port.string("protocol") + " HostIP:"
                + port.string("hostIP") + "}";
    }

    private void amounts(JsonObject amounts, String at) {
        for (String name : List.of("memory", "ephemeral-storage")) {
            Quantity.read(String.valueOf(amounts.get(name)))
                    .filter(amount -> amount.value().remainder(BigDecimal.ONE).signum() != 0)
                    .ifPresent(amount -> found.add(at + "[" + name + "]: fractional byte value "
                            + Json.text(amount.text()) + " is invalid, must be an integer"));
        }
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
