package dev.evenkeel.policy.internal.nftables;

import dev.evenkeel.policy.internal.model.Cidr;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The base chains, and the maps that lead from addresses of local pods to the chains of these.
 *
 * <p>An address that several pods have, as when one is replaced, is subject to all of them: the second one is in the maps of
 * a second level, which has base chains of its own, since a packet that one base chain accepts meets the next.
 */
final class Dispatch {
    private static final String FILTER = "priority filter - 10; policy accept; }";

    private final Table table;

    /** The endpoints that have an address. */
    private final Map<Cidr, Set<String>> holders = new HashMap<>();

    private final Set<Cidr> dirty = new TreeSet<>();
    private int levels;

    /** Adds the base chains to a table. */
    Dispatch(Table table) {
        this.table = table;
        addLevel();
    }

    /** Changes the addresses of an endpoint. */
    void move(String endpoint, Set<Cidr> old, Set<Cidr> now) {
        Ruleset.move(holders, endpoint, old, now);
        dirty.addAll(old);
        dirty.addAll(now);
    }

    /** Brings the maps to the addresses. */
    void refresh() {
        dirty.forEach(this::refresh);
        dirty.clear();
        removeLevels();
    }

    private static String level(String name, int level) {
        return level == 1 ? name : name + "/" + level;
    }

    private static String map(boolean ingress, Family family, int level) {
        return level((ingress ? "to/" : "from/") + family.word, level);
    }

    private void addLevel() {
        levels++;
        for (Family family : Family.values()) {
            for (boolean ingress : List.of(false, true)) {
                table.putSet(
                        map(ingress, family, levels), new Table.Kind(true, family.word + "_addr : verdict", false));
            }
        }
        Function<Boolean, List<String>> rules = ingress -> List.of(
                Ruleset.ESTABLISHED,
                Ruleset.NEIGHBORS,
                "ip " + (ingress ? "daddr" : "saddr") + " vmap @" + map(ingress, Family.IPV4, levels),
                "ip6 " + (ingress ? "daddr" : "saddr") + " vmap @" + map(ingress, Family.IPV6, levels));
        table.putChain(level("forward/from", levels), "{ type filter hook forward " + FILTER, rules.apply(false));
        table.putChain(level("forward/to", levels), "{ type filter hook forward " + FILTER, rules.apply(true));
        table.putChain(level("input/from", levels), "{ type filter hook input " + FILTER, rules.apply(false));
    }

    private void refresh(Cidr address) {
        List<String> endpoints = List.copyOf(holders.getOrDefault(address, Set.of()));
        while (levels < endpoints.size()) {
            addLevel();
        }
        Family family = Family.of(address);
        for (int level = 1; level <= levels; level++) {
            for (boolean ingress : List.of(false, true)) {
                String map = map(ingress, family, level);
                if (level <= endpoints.size()) {
                    String chain = Names.of(ingress ? "to" : "from", endpoints.get(level - 1));
                    table.putElement(map, Family.text(address), "goto " + chain);
                } else {
                    table.removeElement(map, Family.text(address));
                }
            }
        }
    }

    private void removeLevels() {
        while (levels > 1 && isEmpty(levels)) {
            int last = levels;
            List.of("forward/from", "forward/to", "input/from").forEach(chain -> table.removeChain(level(chain, last)));
            for (Family family : Family.values()) {
                List.of(false, true).forEach(ingress -> table.removeSet(map(ingress, family, last)));
            }
            levels--;
        }
    }

    private boolean isEmpty(int level) {
        return Stream.of(Family.values())
                .allMatch(family -> table.keys(map(false, family, level)).isEmpty());
    }
}
