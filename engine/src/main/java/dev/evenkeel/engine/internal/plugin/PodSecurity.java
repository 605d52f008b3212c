package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.podsecurity.CheckedPod;
import dev.evenkeel.engine.internal.podsecurity.ExistingPods;
import dev.evenkeel.engine.internal.podsecurity.NamespacePolicy;
import dev.evenkeel.engine.internal.podsecurity.Standard;
import dev.evenkeel.engine.internal.podsecurity.Verdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The plugin PodSecurity: pods obey the Pod Security Standards that the labels of their namespace name. Those that
 * violate the enforced one are refused; warnings and audit annotations tell of other violations, also of templates of
 * pods. A namespace that enforces more than before is warned about its pods.
 */
record PodSecurity(WriteContext cluster) implements Plugin {
    private static final String PODS = "pods";
    private static final String ANNOTATION = "pod-security.kubernetes.io/";

    /** The subresources of pods that do not change what pods may do. */
    private static final Set<String> EXEMPT =
            Set.of("exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status");

    /** The paths of the templates of pods, by type. */
    private static final Map<String, String[]> TEMPLATES = Map.of(
            "podtemplates", path("template"),
            "replicationcontrollers", path("spec", "template"),
            "replicasets.apps", path("spec", "template"),
            "deployments.apps", path("spec", "template"),
            "statefulsets.apps", path("spec", "template"),
            "daemonsets.apps", path("spec", "template"),
            "jobs.batch", path("spec", "template"),
            "cronjobs.batch", path("spec", "jobTemplate", "spec", "template"));

    private static String[] path(String... keys) {
        return keys;
    }

    @Override
    public Set<String> types() {
        Set<String> types = new HashSet<>(TEMPLATES.keySet());
        types.add(PODS);
        types.add(Namespaces.ID);
        return types;
    }

    @Override
    public void validate(Write write) {
        String type = write.target().type().id();
        String subresource = write.target().subresource();
        if (type.equals(PODS) && !EXEMPT.contains(subresource)) {
            checkPod(write, policy(write));
        } else if (type.equals(Namespaces.ID) && subresource.isEmpty()) {
            checkNamespace(write);
        } else if (TEMPLATES.containsKey(type) && subresource.isEmpty()) {
            write.tree()
                    .findObject(TEMPLATES.get(type))
                    .ifPresent(template -> checkTemplate(write, policy(write), template));
        }
    }

    private NamespacePolicy policy(Write write) {
        return NamespacePolicy.of(Namespaces.labels(cluster, write.target().namespace()));
    }

    private static void checkPod(Write write, NamespacePolicy policy) {
        if (policy.isPrivileged()) {
            audit(write, "enforce-policy", Standard.PRIVILEGED.toString());
            return;
        }
        JsonObject old = write.old();
        if (old != null && !isSignificant(write.tree(), old)) {
            return;
        }
        audit(write, "enforce-policy", policy.enforce().toString());
        Verdicts verdicts = new Verdicts(write.tree());
        Verdict enforced = verdicts.of(policy.enforce());
        audit(write, policy, verdicts);
        if (!enforced.allowed()) {
            throw Plugin.refuse(write, "violates PodSecurity " + text(policy.enforce(), enforced));
        }
        warn(write, policy, verdicts);
    }

    private static void checkTemplate(Write write, NamespacePolicy policy, JsonObject template) {
        if (!policy.isSilent()) {
            Verdicts verdicts = new Verdicts(template);
            audit(write, policy, verdicts);
            warn(write, policy, verdicts);
        }
    }

    /** Returns whether an update adds containers or changes their images: nothing else that it may change is checked. */
    private static boolean isSignificant(JsonObject pod, JsonObject old) {
        return !images(pod, "containers").equals(images(old, "containers"))
                || !images(pod, "initContainers").equals(images(old, "initContainers"))
                || !ephemeral(old).entrySet().containsAll(ephemeral(pod).entrySet());
    }

    private static List<String> images(JsonObject pod, String containers) {
        return pod.objects("spec", containers).stream()
                .map(container -> container.string("image"))
                .toList();
    }

    private static Map<String, String> ephemeral(JsonObject pod) {
        Map<String, String> images = new HashMap<>();
        pod.objects("spec", "ephemeralContainers")
                .forEach(container -> images.put(container.string("name"), container.string("image")));
        return images;
    }

    private static void warn(Write write, NamespacePolicy policy, Verdicts verdicts) {
        Verdict verdict = verdicts.of(policy.warn());
        if (!verdict.allowed()) {
            write.warnings().add("would violate PodSecurity " + text(policy.warn(), verdict));
        }
    }

    private static void audit(Write write, NamespacePolicy policy, Verdicts verdicts) {
        List<FieldError> errors = policy.errors();
        if (!errors.isEmpty()) {
            audit(write, "error", "Failed to parse policy: " + Refusal.text(errors));
        }
        Verdict verdict = verdicts.of(policy.audit());
        if (!verdict.allowed()) {
            audit(write, "audit-violations", "would violate PodSecurity " + text(policy.audit(), verdict));
        }
    }

    private static void audit(Write write, String key, String value) {
        write.options().requester().audit().accept(ANNOTATION + key, value);
    }

    private static String text(Standard standard, Verdict verdict) {
        return Json.text(standard.toString()) + ": " + verdict.details();
    }

    private void checkNamespace(Write write) {
        JsonObject old = write.old();
        NamespacePolicy now = policy(write.tree());
        NamespacePolicy before = old == null ? NamespacePolicy.of(Map.of()) : policy(old);
        if (!now.errors().isEmpty() && !now.errors().equals(before.errors())) {
            throw Refusal.invalid(write.target().type(), write.tree(), now.errors());
        }
        if (old != null && isStricter(now.enforce(), before.enforce())) {
            String name = write.target().name();
            write.warnings().addAll(ExistingPods.warnings(name, now.enforce(), cluster.objects(PODS, name)));
        }
    }

    private static NamespacePolicy policy(JsonObject namespace) {
        return NamespacePolicy.of(namespace.object("metadata", "labels"));
    }

    private static boolean isStricter(Standard now, Standard before) {
        return !now.isPrivileged()
                && (now.minor() != before.minor() || now.level().compareTo(before.level()) > 0);
    }

    /** The verdicts about a pod or template, each of which is reached once. */
    private record Verdicts(CheckedPod pod, Map<Standard, Verdict> known) {
        Verdicts(JsonObject pod) {
            this(CheckedPod.of(pod), new HashMap<>());
        }

        Verdict of(Standard standard) {
            return known.computeIfAbsent(standard, missing -> missing.verdict(pod));
        }
    }
}
