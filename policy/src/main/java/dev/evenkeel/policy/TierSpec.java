package dev.evenkeel.policy;

import org.jspecify.annotations.Nullable;

/**
 * The place of a {@link Tier}.
 *
 * <p>The tiers {@code kube-admin} (1000), {@code default} (1000000: NetworkPolicies, and policies without a tier) and
 * {@code kube-baseline} (10000000) always exist and cannot be changed.
 *
 * @param order tiers with a lower order are evaluated first; null: after all others
 * @param defaultAction the effect on connections of endpoints that a policy of the tier selects, if no rule matches:
 *     {@code Deny} (also if null) or {@code Pass}
 */
public record TierSpec(@Nullable Double order, @Nullable String defaultAction) {}
