package dev.evenkeel.policy.internal.model;

import dev.evenkeel.policy.internal.selector.Selector;
import dev.evenkeel.policy.internal.sharing.Shared;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An ordered list of rules for the endpoints that its selector matches.
 *
 * @param key the object it comes from
 * @param tier the name of its tier
 * @param order its place in the tier: lower first; infinity if it has none
 * @param selector the endpoints it applies to
 * @param types the directions it applies to
 * @param ingress the rules for connections to the endpoints
 * @param egress the rules for connections from the endpoints
 */
public record Policy(
        Key key,
        String tier,
        double order,
        Selector selector,
        Set<Direction> types,
        List<Rule> ingress,
        List<Rule> egress) {
    /** The order of policies in a tier: policies with the same order are sorted by name, namespace and kind. */
    public static final Comparator<Policy> ORDER = Comparator.comparingDouble(Policy::order)
            .thenComparing(policy -> policy.key().name())
            .thenComparing(policy -> policy.key().namespace())
            .thenComparing(policy -> policy.key().kind());

    /** Copies the collections. */
    public Policy {
        types = Shared.of(Set.copyOf(types));
        ingress = List.copyOf(ingress);
        egress = List.copyOf(egress);
    }

    /** Returns the rules of a direction. */
    public List<Rule> rules(Direction direction) {
        return direction == Direction.INGRESS ? ingress : egress;
    }

    /**
     * The object that a policy comes from.
     *
     * @param kind the kind of the object
     * @param namespace its namespace; empty if it has none
     * @param name its name
     */
    public record Key(String kind, String namespace, String name) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && name.equals(key.name)
                    && namespace.equals(key.namespace)
                    && kind.equals(key.kind);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * kind.hashCode() + namespace.hashCode()) + name.hashCode();
        }

        @Override
        public String toString() {
            return kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
        }
    }
}
