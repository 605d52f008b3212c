package dev.evenkeel.policy.internal.calculation;

import dev.evenkeel.policy.internal.model.Direction;
import dev.evenkeel.policy.internal.model.Policy;
import dev.evenkeel.policy.internal.model.TierOrder;
import java.util.Comparator;
import java.util.Set;

/**
 * The place of a policy among all. Rules are not in it, so a change of rules does not sort anything.
 *
 * @param key the policy
 * @param types the directions it applies to
 * @param order its place in the tier
 * @param tier its tier
 * @param exists whether the tier does; one that does not comes after all that do
 */
record Place(Policy.Key key, Set<Direction> types, double order, TierOrder tier, boolean exists) {
    /** The order of keys, which breaks ties. */
    static final Comparator<Policy.Key> BY_KEY = Comparator.comparing(Policy.Key::name)
            .thenComparing(Policy.Key::namespace)
            .thenComparing(Policy.Key::kind);

    /** The order of evaluation. */
    static final Comparator<Place> ORDER = Comparator.comparing((Place place) -> !place.exists())
            .thenComparing(Place::tier, TierOrder.ORDER)
            .thenComparingDouble(Place::order)
            .thenComparing(Place::key, BY_KEY);

    /** Returns the place of a policy whose tier has no object: a built-in one, or one that does not exist. */
    static Place of(Policy policy) {
        for (TierOrder tier : TierOrder.BUILT_IN) {
            if (tier.name().equals(policy.tier())) {
                return new Place(policy.key(), policy.types(), policy.order(), tier, true);
            }
        }
        return new Place(policy.key(), policy.types(), policy.order(), TierOrder.missing(policy.tier()), false);
    }

    /** Returns the same place in a tier that exists. */
    Place in(TierOrder existing) {
        return new Place(key, types, order, existing, true);
    }
}
