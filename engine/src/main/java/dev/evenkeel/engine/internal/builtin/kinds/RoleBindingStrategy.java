package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.time.Instant;
import java.util.List;
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
    public void applyDefaults(JsonObject tree) {
        tree.findObject("roleRef").ifPresent(ref -> ref.setIfEmpty("apiGroup", GROUP));
        tree.objects("subjects").forEach(subject -> {
            String kind = subject.string("kind");
            if (kind.equals("User") || kind.equals("Group")) {
                subject.setIfEmpty("apiGroup", GROUP);
            }
        });
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        errors.oneOf("roleRef.apiGroup", tree.string("roleRef", "apiGroup"), GROUP);
        String kind = tree.string("roleRef", "kind");
        if (facts.type().namespaced()) {
            errors.oneOf("roleRef.kind", kind, "Role", "ClusterRole");
        } else {
            errors.oneOf("roleRef.kind", kind, "ClusterRole");
        }
        String role = tree.string("roleRef", "name");
        if (role.isEmpty()) {
            errors.required("roleRef.name");
        } else {
            errors.invalid("roleRef.name", role, Names.pathSegment(role));
        }
        List<@Nullable Object> subjects = tree.array("subjects");
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
    public void validateUpdate(JsonObject tree, JsonObject old, FieldErrors errors) {
        if (!Objects.equals(tree.get("roleRef"), old.get("roleRef"))) {
            // Upstream shows its internal form here, whose fields have no JSON names.
            errors.invalid(
                    "roleRef",
                    JsonObject.of(
                            "APIGroup",
                            tree.string("roleRef", "apiGroup"),
                            "Kind",
                            tree.string("roleRef", "kind"),
                            "Name",
                            tree.string("roleRef", "name")),
                    "cannot change roleRef");
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Role" -> tree.string("roleRef", "kind") + "/" + tree.string("roleRef", "name");
            case "Users" -> subjects(tree, "User");
            case "Groups" -> subjects(tree, "Group");
            default -> subjects(tree, "ServiceAccount");
        };
    }

    private static String subjects(JsonObject tree, String kind) {
        return tree.array("subjects").stream()
                .filter(subject -> Json.string(subject, "kind").equals(kind))
                .map(subject -> (kind.equals("ServiceAccount") ? Json.string(subject, "namespace") + "/" : "")
                        + Json.string(subject, "name"))
                .collect(Collectors.joining(", "));
    }
}
