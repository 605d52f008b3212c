package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Role bindings and cluster role bindings. */
record RoleBindingStrategy(KindFacts facts) implements KindStrategy {
    private static final String GROUP = "rbac.authorization.k8s.io";

    @Override
    public ResourceType.Names names() {
        return ResourceType.Names.PATH_SEGMENT;
    }

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(tree, ref -> Trees.fillText(ref, "apiGroup", GROUP), "roleRef");
        Trees.each(
                tree,
                subject -> {
                    String kind = Json.string(subject, "kind");
                    if (kind.equals("User") || kind.equals("Group")) {
                        Trees.fillText(subject, "apiGroup", GROUP);
                    }
                },
                "subjects");
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        errors.oneOf("roleRef.apiGroup", Json.string(tree, "roleRef", "apiGroup"), GROUP);
        String kind = Json.string(tree, "roleRef", "kind");
        if (facts.type().namespaced()) {
            errors.oneOf("roleRef.kind", kind, "Role", "ClusterRole");
        } else {
            errors.oneOf("roleRef.kind", kind, "ClusterRole");
        }
        String role = Json.string(tree, "roleRef", "name");
        if (role.isEmpty()) {
            errors.required("roleRef.name");
        } else {
            errors.invalid("roleRef.name", role, Names.pathSegment(role));
        }
        List<@Nullable Object> subjects = Trees.list(tree, "subjects");
        for (int i = 0; i < subjects.size(); i++) {
            validateSubject(subjects.get(i), "subjects[" + i + "]", errors);
        }
    }

    private static void validateSubject(@Nullable Object subject, String at, FieldErrors errors) {
        if (Json.string(subject, "name").isEmpty()) {
            errors.required(at + ".name");
        }
        switch (Json.string(subject, "kind")) {
            case "ServiceAccount" -> {
                errors.oneOf(at + ".apiGroup", Json.string(subject, "apiGroup"), "");
                if (Json.string(subject, "namespace").isEmpty()) {
                    errors.required(at + ".namespace");
                }
            }
            case "User", "Group" -> errors.oneOf(at + ".apiGroup", Json.string(subject, "apiGroup"), GROUP);
            default -> errors.oneOf(at + ".kind", Json.string(subject, "kind"), "ServiceAccount", "User", "Group");
        }
    }

    @Override
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        if (!Objects.equals(Json.at(tree, "roleRef"), Json.at(old, "roleRef"))) {
            // Upstream shows its internal form here, whose fields have no JSON names.
            errors.invalid(
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
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return switch (column) {
            case "Role" -> Json.string(tree, "roleRef", "kind") + "/" + Json.string(tree, "roleRef", "name");
            case "Users" -> subjects(tree, "User");
            case "Groups" -> subjects(tree, "Group");
            default -> subjects(tree, "ServiceAccount");
        };
    }

    private static String subjects(Map<String, @Nullable Object> tree, String kind) {
        return Trees.list(tree, "subjects").stream()
                .filter(subject -> Json.string(subject, "kind").equals(kind))
                .map(subject -> (kind.equals("ServiceAccount") ? Json.string(subject, "namespace") + "/" : "")
                        + Json.string(subject, "name"))
                .collect(Collectors.joining(", "));
    }
}
