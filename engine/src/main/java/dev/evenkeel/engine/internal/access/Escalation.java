package dev.evenkeel.engine.internal.access;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.object.Refusal;
import java.util.List;
import java.util.stream.Collectors;

/** Refuses writes by which users would grant permissions that they do not have, to themselves or to other users. */
public final class Escalation {
    private Escalation() {}

    /**
     * Checks that the sender of a write has all permissions of some rules.
     *
     * @throws dev.evenkeel.client.ForbiddenException when some are missing; the message lists them
     */
    public static void check(ContentWrite write, List<PolicyRule> rules) {
        String problem = problem(write, rules);
        if (!problem.isEmpty()) {
            throw Refusal.forbidden(write.target().type(), write.tree().string("metadata", "name"), problem, List.of());
        }
    }

    /** Returns the message about missing permissions; empty when none are missing. */
    public static String problem(ContentWrite write, List<PolicyRule> rules) {
        User user = write.user();
        Permissions.Rules held = write.permissions().rules(user, write.target().namespace());
        List<PolicyRule> missing = PolicyRule.uncovered(rules, held.rules());
        if (missing.isEmpty()) {
            return "";
        }
        String listed =
                missing.stream().map(PolicyRule::toString).distinct().sorted().collect(Collectors.joining("\n"));
        String problems =
                held.problems().isEmpty() ? "" : "; resolution errors: [" + String.join(", ", held.problems()) + "]";
        return "user " + GoTypes.quoted(user.name()) + " (groups=" + GoTypes.quoted(user.groups())
                + ") is attempting to grant RBAC permissions not currently held:\n" + listed + problems;
    }
}
