package dev.evenkeel.policy.internal.nftables;

import dev.evenkeel.policy.v1.Action;
import dev.evenkeel.policy.v1.PolicyId;
import dev.evenkeel.policy.v1.Rule;
import dev.evenkeel.policy.v1.RuleEnd;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rules of a policy or a profile.
 *
 * @param title the name in logs
 * @param in the rules for connections to endpoints
 * @param out the rules for connections from endpoints
 * @param untracked whether it applies before connection tracking
 * @param profile whether this is a profile
 */
record RuleOwner(String title, List<Rule> in, List<Rule> out, boolean untracked, boolean profile) {
    /**
     * The properties that the chains of endpoints depend on.
     *
     * @param in whether there are rules
     * @param out likewise
     * @param passesIn whether a rule passes to the next tier
     * @param passesOut likewise
     */
    record Shape(boolean in, boolean out, boolean passesIn, boolean passesOut) {}

    /** Returns the key of a policy, which its chains are named after. */
    static String key(PolicyId id) {
        return id.getNamespace().isEmpty()
                ? id.getKind() + "/" + id.getName()
                : id.getKind() + "/" + id.getNamespace() + "/" + id.getName();
    }

    /** Returns the name of a policy in logs. */
    static String title(PolicyId id) {
        return id.getKind() + " " + (id.getNamespace().isEmpty() ? "" : id.getNamespace() + "/") + id.getName();
    }

    /** Returns the key of a profile. */
    static String profile(String name) {
        return "profile/" + name;
    }

    Shape shape() {
        return new Shape(!in.isEmpty(), !out.isEmpty(), passes(in), passes(out));
    }

    private boolean passes(List<Rule> rules) {
        return !profile && rules.stream().anyMatch(rule -> rule.getAction() == Action.ACTION_PASS);
    }

    /** Returns the identifiers of the IP sets that the rules mention. */
    Set<String> sets() {
        Set<String> ids = new HashSet<>();
        Stream.concat(in.stream(), out.stream())
                .flatMap(rule -> Stream.of(rule.getSource(), rule.getDestination()))
                .flatMap(RuleOwner::sets)
                .forEach(ids::addAll);
        return ids;
    }

    private static Stream<List<String>> sets(RuleEnd end) {
        return Stream.of(
                end.getIpSetIdsList(),
                end.getNotIpSetIdsList(),
                end.getNamedPortIpSetIdsList(),
                end.getNotNamedPortIpSetIdsList(),
                end.getIpPortSetIdsList());
    }
}
