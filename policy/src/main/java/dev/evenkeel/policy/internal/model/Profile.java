package dev.evenkeel.policy.internal.model;

import java.util.List;
import java.util.Map;

/**
 * Labels and rules that endpoints inherit: of their namespace and of their service account.
 *
 * @param name the name, such as {@code kns.default} or {@code ksa.default.web}
 * @param labels the labels that endpoints have unless they have their own of that name
 * @param ingress the rules for connections to endpoints that no tier decides
 * @param egress the rules for connections from endpoints that no tier decides
 */
public record Profile(String name, Map<String, String> labels, List<Rule> ingress, List<Rule> egress) {
    /** Copies the collections. */
    public Profile {
        labels = Map.copyOf(labels);
        ingress = List.copyOf(ingress);
        egress = List.copyOf(egress);
    }

    /** Returns the stand-in of a profile that does not exist: it denies everything. */
    public static Profile missing(String name) {
        List<Rule> deny = List.of(Rule.of(Action.DENY, "the profile does not exist"));
        return new Profile(name, Map.of(), deny, deny);
    }

    /** Returns the rules of a direction. */
    public List<Rule> rules(Direction direction) {
        return direction == Direction.INGRESS ? ingress : egress;
    }
}
