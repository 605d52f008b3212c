package dev.evenkeel.policy;

import java.util.List;

/**
 * The verdict on a connection, and why.
 *
 * @param allowed true if no endpoint denies the connection
 * @param decisions the verdicts of the endpoints, at the source first; none if no end is an endpoint
 */
public record Explanation(boolean allowed, List<Decision> decisions) {
    /** Copies the list. */
    public Explanation {
        decisions = List.copyOf(decisions);
    }

    /**
     * The verdict of an endpoint.
     *
     * @param endpoint the pod as {@code namespace/name}, or the name of a host endpoint
     * @param direction {@code egress} at the source, {@code ingress} at the destination
     * @param allowed the verdict
     * @param reason the policy and the rule, or the default, that decides
     * @param path the rules and tiers that logged or passed the connection before, in their order
     */
    public record Decision(String endpoint, String direction, boolean allowed, String reason, List<String> path) {
        /** Copies the list. */
        public Decision {
            path = List.copyOf(path);
        }
    }

    /** Returns one line for each step, and the verdict at the end. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Decision decision : decisions) {
            String of = decision.direction() + " of " + decision.endpoint() + ": ";
            decision.path().forEach(step -> text.append(of).append(step).append('\n'));
            text.append(of).append(decision.reason()).append('\n');
        }
        if (decisions.isEmpty()) {
            text.append("neither end is an endpoint that policies apply to\n");
        }
        return text.append(allowed ? "allowed" : "denied").toString();
    }
}
