package dev.evenkeel.policy.internal.nftables;

import dev.evenkeel.policy.v1.Action;
import dev.evenkeel.policy.v1.PolicyId;
import dev.evenkeel.policy.v1.TierInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The chains of endpoints: they jump to the policies of their tiers, in order. A rule that passes sets a bit of the packet's
 * mark, and the chain continues with that of the next tier, which clears it.
 */
final class EndpointRules {
    private final long mark;
    private final Function<String, RuleOwner.Shape> shapes;

    /**
     * Creates chains.
     *
     * @param mark the bit
     * @param shapes returns the properties of a policy or a profile by its key
     */
    EndpointRules(long mark, Function<String, RuleOwner.Shape> shapes) {
        this.mark = mark;
        this.shapes = shapes;
    }

    /** Returns the statements of a rule that passes. */
    String pass() {
        return "meta mark set meta mark or " + hex(mark) + " return";
    }

    private static String hex(long bits) {
        return "0x" + Long.toHexString(bits);
    }

    /**
     * Adds the chains of an endpoint in a direction: a chain is left by a rule that passes, and continues otherwise.
     *
     * @param name the name of the first chain
     * @param before rules before all others
     * @param withProfiles whether profiles decide after all tiers, and deny what they do not allow
     */
    void add(
            String name,
            List<String> before,
            List<TierInfo> tiers,
            boolean ingress,
            List<String> profiles,
            boolean withProfiles,
            Map<String, List<String>> chains) {
        String chain = name;
        List<String> lines = new ArrayList<>(before);
        int number = 1;
        for (TierInfo tier : tiers) {
            List<PolicyId> policies = ingress ? tier.getIngressPoliciesList() : tier.getEgressPoliciesList();
            if (policies.isEmpty()) {
                continue;
            }
            number++;
            String next = name + "/" + number;
            boolean passes = false;
            for (PolicyId policy : policies) {
                RuleOwner.Shape shape = shapes.apply(RuleOwner.key(policy));
                if (ingress ? shape.in() : shape.out()) {
                    lines.add("jump " + Names.of(ingress ? "in" : "out", RuleOwner.key(policy)));
                }
                if (ingress ? shape.passesIn() : shape.passesOut()) {
                    passes = true;
                    lines.add("meta mark and " + hex(mark) + " == " + hex(mark) + " goto " + next);
                }
            }
            boolean denies = tier.getDefaultAction() != Action.ACTION_PASS;
            if (denies) {
                lines.add("drop comment " + Names.quoted("default of tier " + tier.getName(), RuleLines.COMMENT));
            } else if (passes) {
                lines.add("goto " + next);
            }
            if (denies && !passes) {
                chains.put(chain, lines);
                return;
            }
            if (passes) {
                chains.put(chain, lines);
                chain = next;
                lines = new ArrayList<>();
                lines.add("meta mark set meta mark and " + hex(~mark & 0xffff_ffffL));
            }
        }
        if (withProfiles) {
            for (String profile : profiles) {
                RuleOwner.Shape shape = shapes.apply(RuleOwner.profile(profile));
                if (ingress ? shape.in() : shape.out()) {
                    lines.add("jump " + Names.of(ingress ? "in" : "out", RuleOwner.profile(profile)));
                }
            }
            lines.add("drop comment \"no profile allows\"");
        }
        chains.put(chain, lines);
    }
}
