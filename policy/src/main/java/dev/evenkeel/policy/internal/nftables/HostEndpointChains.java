package dev.evenkeel.policy.internal.nftables;

import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.v1.HostEndpoint;
import dev.evenkeel.policy.v1.TierInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The chains of host endpoints: few and rarely changed, so all are made again.
 *
 * <p>An endpoint with an interface is found by it, one without by its addresses, and one of all interfaces applies to what
 * no other does.
 */
final class HostEndpointChains {
    /** Interfaces first, then addresses, then all interfaces. */
    private static final Comparator<Map.Entry<String, HostEndpoint>> ORDER = Comparator.comparingInt(
                    (Map.Entry<String, HostEndpoint> entry) -> order(entry.getValue()))
            .thenComparing(Map.Entry::getKey);

    private final Table table;
    private final EndpointRules rulesOfEndpoints;
    private Set<String> chains = Set.of();

    HostEndpointChains(Table table, EndpointRules rulesOfEndpoints) {
        this.table = table;
        this.rulesOfEndpoints = rulesOfEndpoints;
    }

    /** A place where packets of host endpoints are decided. */
    private enum Place {
        INPUT("host/input", "filter hook input priority filter - 10", true, true, true),
        OUTPUT("host/output", "filter hook output priority filter - 10", false, true, true),
        FORWARD_IN("host/forward-in", "filter hook forward priority filter - 10", true, true, false),
        FORWARD_OUT("host/forward-out", "filter hook forward priority filter - 10", false, true, false),
        UNTRACKED_IN("host/untracked-in", "filter hook prerouting priority raw", true, false, false),
        UNTRACKED_OUT("host/untracked-out", "filter hook output priority raw", false, false, false),
        PRE_DNAT("host/pre-dnat", "filter hook prerouting priority mangle", true, true, false);

        private final String chain;
        private final String hook;
        private final boolean ingress;
        private final boolean tracked;
        private final boolean withProfiles;

        Place(String chain, String hook, boolean ingress, boolean tracked, boolean withProfiles) {
            this.chain = chain;
            this.hook = "{ type " + hook + "; policy accept; }";
            this.ingress = ingress;
            this.tracked = tracked;
            this.withProfiles = withProfiles;
        }

        private List<TierInfo> tiers(HostEndpoint endpoint) {
            return switch (this) {
                case INPUT, OUTPUT -> endpoint.getTiersList();
                case FORWARD_IN, FORWARD_OUT -> endpoint.getForwardTiersList();
                case UNTRACKED_IN, UNTRACKED_OUT -> endpoint.getUntrackedTiersList();
                case PRE_DNAT -> endpoint.getPreDnatTiersList();
            };
        }
    }

    /** Replaces the chains of all host endpoints. */
    void replace(Map<String, HostEndpoint> endpoints) {
        Map<String, List<String>> now = new TreeMap<>();
        Set<String> base = new TreeSet<>();
        for (Place place : Place.values()) {
            List<String> rules = new ArrayList<>();
            endpoints.entrySet().stream().sorted(ORDER).forEach(entry -> {
                HostEndpoint endpoint = entry.getValue();
                List<String> matches = matches(endpoint, place);
                if (!matches.isEmpty()
                        && (place.withProfiles || !place.tiers(endpoint).isEmpty())) {
                    String chain = Names.of(place.chain, entry.getKey());
                    rulesOfEndpoints.add(
                            chain,
                            List.of(),
                            place.tiers(endpoint),
                            place.ingress,
                            endpoint.getProfileNamesList(),
                            place.withProfiles,
                            now);
                    matches.forEach(match -> rules.add((match + " goto " + chain).strip()));
                }
            });
            if (!rules.isEmpty()) {
                List<String> first = place.tracked ? List.of(Ruleset.ESTABLISHED) : List.of();
                List<String> local =
                        List.of(Ruleset.NEIGHBORS, (place.ingress ? "iifname" : "oifname") + " \"lo\" accept");
                List<String> all =
                        Stream.of(first, local, rules).flatMap(List::stream).toList();
                now.put(place.chain, all);
                table.putChain(place.chain, place.hook, all);
                base.add(place.chain);
            }
        }
        now.forEach((chain, rules) -> {
            if (!base.contains(chain)) {
                table.putChain(chain, "", rules);
            }
        });
        chains.stream().filter(chain -> !now.containsKey(chain)).forEach(table::removeChain);
        chains = Set.copyOf(now.keySet());
    }

    private static int order(HostEndpoint endpoint) {
        return switch (endpoint.getInterfaceName()) {
            case "" -> 1;
            case "*" -> 2;
            default -> 0;
        };
    }

    private static List<String> matches(HostEndpoint endpoint, Place place) {
        return switch (endpoint.getInterfaceName()) {
            case "" ->
                Stream.concat(endpoint.getExpectedIpv4NetsList().stream(), endpoint.getExpectedIpv6NetsList().stream())
                        .map(Cidr::parse)
                        .map(block ->
                                Family.of(block).keyword + (place.ingress ? " daddr " : " saddr ") + Family.text(block))
                        .toList();
            case "*" -> List.of("");
            default ->
                List.of((place.ingress ? "iifname " : "oifname ") + Names.quoted(endpoint.getInterfaceName(), 15));
        };
    }
}
