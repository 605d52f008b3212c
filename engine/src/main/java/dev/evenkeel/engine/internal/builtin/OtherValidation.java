package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rules of kinds that have few. */
final class OtherValidation {
    private OtherValidation() {}

    static List<FieldError> autoscaler(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        for (String field : List.of("kind", "name")) {
            if (Json.string(tree, "spec", "scaleTargetRef", field).isEmpty()) {
                findings.required("spec.scaleTargetRef." + field);
            }
        }
        long min = Json.integer(tree, "spec", "minReplicas");
        long max = Json.integer(tree, "spec", "maxReplicas");
        if (min < 1) {
            findings.invalid("spec.minReplicas", min, "must be greater than or equal to 1");
        }
        if (max < 1) {
            findings.invalid("spec.maxReplicas", max, "must be greater than 0");
        }
        if (min > max) {
            findings.invalid("spec.maxReplicas", max, "must be greater than or equal to `minReplicas`");
        }
        return findings.list();
    }

    static List<FieldError> disruptionBudget(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        if (Trees.has(tree, "spec", "minAvailable") && Trees.has(tree, "spec", "maxUnavailable")) {
            findings.invalid("spec", Json.at(tree, "spec"), "minAvailable and maxUnavailable cannot be both set");
        }
        findings.notNegative("spec.minAvailable", Json.at(tree, "spec", "minAvailable"));
        findings.notNegative("spec.maxUnavailable", Json.at(tree, "spec", "maxUnavailable"));
        SelectorValidation.selector(Trees.object(tree, "spec", "selector"), "spec.selector", findings);
        return findings.list();
    }

    static List<FieldError> ingress(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        List<@Nullable Object> rules = Trees.list(tree, "spec", "rules");
        if (rules.isEmpty() && !Trees.has(tree, "spec", "defaultBackend")) {
            findings.invalid(
                    "spec", Trees.list(tree, "spec", "rules"), "either `defaultBackend` or `rules` must be specified");
        }
        for (int i = 0; i < rules.size(); i++) {
            List<@Nullable Object> paths = Trees.list(rules.get(i), "http", "paths");
            for (int j = 0; j < paths.size(); j++) {
                String at = "spec.rules[" + i + "].http.paths[" + j + "]";
                String type = Json.string(paths.get(j), "pathType");
                if (type.isEmpty()) {
                    findings.required(at + ".pathType", "pathType must be specified");
                } else {
                    findings.oneOf(at + ".pathType", type, "Exact", "ImplementationSpecific", "Prefix");
                }
            }
        }
        return findings.list();
    }

    static List<FieldError> networkPolicy(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        SelectorValidation.selector(Trees.object(tree, "spec", "podSelector"), "spec.podSelector", findings);
        List<@Nullable Object> types = Trees.list(tree, "spec", "policyTypes");
        for (int i = 0; i < types.size(); i++) {
            findings.oneOf("spec.policyTypes[" + i + "]", String.valueOf(types.get(i)), "Egress", "Ingress");
        }
        return findings.list();
    }

    static List<FieldError> priorityClassUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        Findings findings = new Findings();
        if (Json.integer(tree, "value") != Json.integer(old, "value")) {
            findings.forbidden("value", "may not be changed in an update.");
        }
        if (!Objects.equals(Json.at(tree, "preemptionPolicy"), Json.at(old, "preemptionPolicy"))) {
            findings.invalid("preemptionPolicy", Json.at(tree, "preemptionPolicy"), Findings.IMMUTABLE);
        }
        return findings.list();
    }

    /** Events speak of objects in their own namespace; of cluster-scoped ones in {@code default}. */
    static List<FieldError> event(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        String namespace = Json.string(tree, "metadata", "namespace");
        String involved = Json.string(tree, "involvedObject", "namespace");
        boolean right = involved.isEmpty() ? namespace.equals("default") : involved.equals(namespace);
        if (!right && !namespace.isEmpty()) {
            findings.invalid("involvedObject.namespace", involved, "does not match event.namespace");
        }
        return findings.list();
    }

    static List<FieldError> namespace(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        for (Object finalizer : Trees.list(tree, "spec", "finalizers")) {
            String name = String.valueOf(finalizer);
            findings.invalid("spec.finalizers", name, Names.qualified(name));
            if (!name.contains("/")
                    && !List.of("kubernetes", "orphan", "foregroundDeletion").contains(name)) {
                findings.invalid(
                        "spec.finalizers", name, "name is neither a standard finalizer name nor is it fully qualified");
            }
        }
        return findings.list();
    }
}
