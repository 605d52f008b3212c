package dev.evenkeel.engine.internal.service;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.spi.Authorizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides by the authorizers of the program, and then by roles and bindings. Members of {@code system:masters} may do
 * everything, and what nothing allows is refused.
 */
public record AccessControl(List<Authorizer> authorizers, RbacIndex index) implements Permissions {
    private static final Decision MASTER = Decision.allow("");

    @Override
    public Decision authorize(Attributes attributes) {
        if (attributes.user().master()) {
            return MASTER;
        }
        for (Authorizer authorizer : authorizers) {
            Decision decision = authorizer.authorize(attributes);
            if (decision.outcome() != Outcome.NO_OPINION) {
                return decision;
            }
        }
        List<String> problems = new ArrayList<>(0);
        String origin = index.reason(attributes, problems);
        if (!origin.isEmpty()) {
            return Decision.allow("RBAC: allowed by " + origin);
        }
        return problems.isEmpty()
                ? Decision.NO_OPINION
                : new Decision(Outcome.NO_OPINION, "RBAC: " + Permissions.listed(problems));
    }

    @Override
    public Rules rules(User user, String namespace) {
        List<PolicyRule> rules = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        index.rules(user, namespace, rules, problems);
        return new Rules(rules, problems);
    }

    @Override
    public Optional<List<PolicyRule>> rules(RoleRef role) {
        return Optional.ofNullable(index.rules(role));
    }
}
