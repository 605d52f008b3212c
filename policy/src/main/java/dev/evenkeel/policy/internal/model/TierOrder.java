package dev.evenkeel.policy.internal.model;

import java.util.Comparator;
import java.util.List;

/**
 * A tier: policies of one tier are evaluated before those of the next.
 *
 * @param name the name
 * @param order the place of the tier: lower first; infinity if it has none
 * @param defaultAction the effect on connections that match no rule of a tier that has policies for the endpoint and the
 *     direction: {@link Action#DENY} or {@link Action#PASS}
 */
public record TierOrder(String name, double order, Action defaultAction) {
    /** The tier of the administrators' ClusterNetworkPolicies. */
    public static final TierOrder ADMIN = new TierOrder("kube-admin", 1_000, Action.PASS);

    /** The tier of NetworkPolicies, and of policies that name no tier. */
    public static final TierOrder DEFAULT = new TierOrder("default", 1_000_000, Action.DENY);

    /** The tier of ClusterNetworkPolicies that NetworkPolicies override. */
    public static final TierOrder BASELINE = new TierOrder("kube-baseline", 10_000_000, Action.PASS);

    /** The tiers that always exist. */
    public static final List<TierOrder> BUILT_IN = List.of(ADMIN, DEFAULT, BASELINE);

    /** The order of tiers: tiers with the same order are sorted by name. */
    public static final Comparator<TierOrder> ORDER =
            Comparator.comparingDouble(TierOrder::order).thenComparing(TierOrder::name);

    /**
     * Returns the tier of policies that name a tier that does not exist: it comes after all others, and denies what matches
     * no rule.
     */
    public static TierOrder missing(String name) {
        return new TierOrder(name, Double.POSITIVE_INFINITY, Action.DENY);
    }
}
