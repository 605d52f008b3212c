package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.policy.Tier;
import dev.evenkeel.policy.TierSpec;
import dev.evenkeel.policy.internal.model.Action;
import dev.evenkeel.policy.internal.model.TierOrder;
import java.util.Optional;
import java.util.function.Consumer;

/** Tiers with their place in the order. The built-in ones cannot be changed; an unknown default action is Deny. */
public final class TierConversion {
    private TierConversion() {}

    /** Returns the problem of a tier that policies name and that does not exist. */
    public static String missing(String name) {
        return "Tier " + name + ": does not exist, and policies name it; they are evaluated after all others, and deny"
                + " what they do not allow";
    }

    /** Converts a tier; empty if it has the name of a built-in one. Reports what could not be converted as written. */
    public static Optional<TierOrder> convert(Tier tier, Consumer<String> problems) {
        String name = ObjectKey.of(tier).name();
        Problems of = new Problems("Tier " + name, problems);
        if (TierOrder.BUILT_IN.stream().anyMatch(known -> known.name().equals(name))) {
            of.add("metadata.name", "the tier always exists and cannot be changed", "the object is ignored");
            return Optional.empty();
        }
        TierSpec spec = tier.getSpec() == null ? new TierSpec(null, null) : tier.getSpec();
        String action = spec.defaultAction() == null ? "Deny" : spec.defaultAction();
        if (!action.equals("Deny") && !action.equals("Pass")) {
            of.add("spec.defaultAction", "\"" + action + "\" must be Deny or Pass", "it is Deny");
        }
        return Optional.of(new TierOrder(
                name,
                spec.order() == null ? Double.POSITIVE_INFINITY : spec.order(),
                action.equals("Pass") ? Action.PASS : Action.DENY));
    }
}
