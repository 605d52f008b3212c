package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.access.ContentWrite;
import dev.evenkeel.engine.internal.access.Escalation;
import dev.evenkeel.engine.internal.access.Permissions.RoleRef;
import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Role bindings and cluster role bindings. */
record RoleBindingStrategy(KindFacts facts) implements KindStrategy {
    private static final String GROUP = "rbac.authorization.k8s.io";

    @Override
    public void validate(Field root) {
        Field role = root.at("roleRef");
        role.at("apiGroup").oneOf(GROUP);
        if (facts.type().namespaced()) {
            role.at("kind").oneOf("Role", "ClusterRole");
        } else {
            role.at("kind").oneOf("ClusterRole");
        }
        role.at("name").require(Names::pathSegment);
        root.at("subjects").items().forEach(this::validateSubject);
    }

    /** Checks that the sender has the permissions of the role, or may {@code bind} it. */
    @Override
    public void authorize(ContentWrite write) {
        JsonObject role = write.tree().object("roleRef");
        String name = role.string("name");
        boolean local = role.string("kind").equals("Role");
        Attributes bind = Attributes.ofResource(
                write.user(),
                "bind",
                GROUP,
                "",
                local ? "roles" : "clusterroles",
                "",
                write.target().namespace(),
                name);
        boolean known = local || role.string("kind").equals("ClusterRole");
        if (write.changesOwnershipOnly()
                || (known && write.permissions().authorize(bind).allowed())) {
            return;
        }
        if (!known) {
            throw Refusal.internal("unsupported role reference kind: \"" + role.string("kind") + "\"");
        }
        if (name.isEmpty()) {
            throw Refusal.badRequest("Name parameter required.");
        }
        RoleRef reference = new RoleRef(local ? write.target().namespace() : "", name);
        // upstream's message names the kind of the binding
        List<PolicyRule> rules =
                write.permissions().rules(reference).orElseThrow(() -> Refusal.notFound(facts.type(), name));
        Escalation.check(write, rules);
    }

    private void validateSubject(Field subject) {
        subject.at("name").require();
        switch (subject.at("kind").text()) {
            case "ServiceAccount" -> {
                subject.at("name").requireIfGiven(Names::subdomain);
                subject.at("apiGroup").oneOf("");
                if (!facts.type().namespaced()) {
                    subject.at("namespace").require();
                }
            }
            case "User", "Group" -> subject.at("apiGroup").oneOf(GROUP);
            default -> subject.at("kind").oneOf("ServiceAccount", "User", "Group");
        }
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Field role = root.at("roleRef");
        if (!Objects.equals(role.value(), old.get("roleRef"))) {
            // Upstream shows its internal form here, whose fields have no JSON names.
            JsonObject shown = new JsonObject();
            shown.put("APIGroup", role.at("apiGroup").text());
            shown.put("Kind", role.at("kind").text());
            shown.put("Name", role.at("name").text());
            role.invalid(shown, "cannot change roleRef");
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
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
