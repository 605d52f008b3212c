package dev.evenkeel.engine.internal.access;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.spi.Authorizer;
import java.util.List;
import java.util.Optional;

/** The permissions of users in a partition. */
public interface Permissions extends Authorizer {
    /** Allows everything. */
    Permissions ALL = new Permissions() {
        private static final Decision ALLOWED = Decision.allow("access control is off");

        @Override
        public Decision authorize(Attributes attributes) {
            return ALLOWED;
        }

        @Override
        public Rules rules(User user, String namespace) {
            List<String> all = List.of("*");
            return new Rules(
                    List.of(
                            new PolicyRule(all, all, all, List.of(), List.of()),
                            new PolicyRule(all, List.of(), List.of(), List.of(), all)),
                    List.of());
        }

        @Override
        public Optional<List<PolicyRule>> rules(RoleRef role) {
            return Optional.empty();
        }
    };

    /** Returns the rules that roles give a user, cluster-wide and in a namespace; an empty namespace stands for none. */
    Rules rules(User user, String namespace);

    /** Returns the rules of a role; empty when it does not exist. */
    Optional<List<PolicyRule>> rules(RoleRef role);

    /**
     * Checks a request.
     *
     * @throws dev.evenkeel.client.ForbiddenException when it is not allowed
     */
    default void require(Attributes attributes) {
        Decision decision = authorize(attributes);
        if (!decision.allowed()) {
            throw Refusal.forbidden(attributes, decision.reason());
        }
    }

    /** Lists errors as upstream does: one as it is, several in brackets. */
    static String listed(List<String> errors) {
        List<String> distinct = errors.stream().distinct().toList();
        return distinct.size() == 1
                ? distinct.getFirst()
                : distinct.isEmpty() ? "" : "[" + String.join(", ", distinct) + "]";
    }

    /**
     * The rules of a user.
     *
     * @param problems roles that bindings of the user name and that do not exist
     */
    record Rules(List<PolicyRule> rules, List<String> problems) {}

    /**
     * A role.
     *
     * @param namespace empty for a cluster role
     */
    record RoleRef(String namespace, String name) {}
}
