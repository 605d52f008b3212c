package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rules of roles and bindings. */
final class RbacValidation {
    private static final String GROUP = "rbac.authorization.k8s.io";

    private RbacValidation() {}

    static List<FieldError> role(Map<String, @Nullable Object> tree) {
        return rules(tree, true);
    }

    static List<FieldError> clusterRole(Map<String, @Nullable Object> tree) {
        return rules(tree, false);
    }

    private static List<FieldError> rules(Map<String, @Nullable Object> tree, boolean namespaced) {
        Findings findings = new Findings();
        List<@Nullable Object> rules = Trees.list(tree, "rules");
        for (int i = 0; i < rules.size(); i++) {
            String at = "rules[" + i + "]";
            Object rule = rules.get(i);
            List<@Nullable Object> urls = Trees.list(rule, "nonResourceURLs");
            List<@Nullable Object> groups = Trees.list(rule, "apiGroups");
            List<@Nullable Object> resources = Trees.list(rule, "resources");
            if (Trees.list(rule, "verbs").isEmpty()) {
                findings.required(at + ".verbs", "verbs must contain at least one value");
            }
            if (!urls.isEmpty()) {
                if (namespaced) {
                    findings.invalid(
                            at + ".nonResourceURLs", urls, "namespaced rules cannot apply to non-resource URLs");
                }
                if (!groups.isEmpty()
                        || !resources.isEmpty()
                        || !Trees.list(rule, "resourceNames").isEmpty()) {
                    findings.invalid(
                            at + ".nonResourceURLs",
                            urls,
                            "rules cannot apply to both regular resources and non-resource URLs");
                }
                continue;
            }
            if (groups.isEmpty()) {
                findings.required(at + ".apiGroups", "resource rules must supply at least one api group");
            }
            if (resources.isEmpty()) {
                findings.required(at + ".resources", "resource rules must supply at least one resource");
            }
        }
        return findings.list();
    }

    static List<FieldError> roleBinding(Map<String, @Nullable Object> tree) {
        return binding(tree, true);
    }

    static List<FieldError> clusterRoleBinding(Map<String, @Nullable Object> tree) {
        return binding(tree, false);
    }

    private static List<FieldError> binding(Map<String, @Nullable Object> tree, boolean namespaced) {
        Findings findings = new Findings();
        findings.oneOf("roleRef.apiGroup", Json.string(tree, "roleRef", "apiGroup"), GROUP);
        String kind = Json.string(tree, "roleRef", "kind");
        if (namespaced) {
            findings.oneOf("roleRef.kind", kind, "Role", "ClusterRole");
        } else {
            findings.oneOf("roleRef.kind", kind, "ClusterRole");
        }
        String role = Json.string(tree, "roleRef", "name");
        if (role.isEmpty()) {
            findings.required("roleRef.name");
        } else {
            findings.invalid("roleRef.name", role, dev.evenkeel.engine.internal.syntax.Names.pathSegment(role));
        }
        List<@Nullable Object> subjects = Trees.list(tree, "subjects");
        for (int i = 0; i < subjects.size(); i++) {
            subject(subjects.get(i), "subjects[" + i + "]", findings);
        }
        return findings.list();
    }

    private static void subject(@Nullable Object subject, String at, Findings findings) {
        if (Json.string(subject, "name").isEmpty()) {
            findings.required(at + ".name");
        }
        switch (Json.string(subject, "kind")) {
            case "ServiceAccount" -> {
                findings.oneOf(at + ".apiGroup", Json.string(subject, "apiGroup"), "");
                if (Json.string(subject, "namespace").isEmpty()) {
                    findings.required(at + ".namespace");
                }
            }
            case "User", "Group" -> findings.oneOf(at + ".apiGroup", Json.string(subject, "apiGroup"), GROUP);
            default -> findings.oneOf(at + ".kind", Json.string(subject, "kind"), "ServiceAccount", "User", "Group");
        }
    }

    static List<FieldError> bindingUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        Findings findings = new Findings();
        if (!Objects.equals(Json.at(tree, "roleRef"), Json.at(old, "roleRef"))) {
            // Upstream shows its internal form here, whose fields have no JSON names.
            findings.invalid(
                    "roleRef",
                    Trees.of(
                            "APIGroup",
                            Json.string(tree, "roleRef", "apiGroup"),
                            "Kind",
                            Json.string(tree, "roleRef", "kind"),
                            "Name",
                            Json.string(tree, "roleRef", "name")),
                    "cannot change roleRef");
        }
        return findings.list();
    }
}
