package dev.evenkeel.policy.internal.nftables;

import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.PortRange;
import dev.evenkeel.policy.v1.Action;
import dev.evenkeel.policy.v1.IcmpType;
import dev.evenkeel.policy.v1.IpVersion;
import dev.evenkeel.policy.v1.Rule;
import dev.evenkeel.policy.v1.RuleEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * A rule of a policy as rules of nftables.
 *
 * <p>A rule of nftables is a conjunction, for one family if it mentions addresses. So a rule becomes one line for each
 * family and each combination of alternatives: single addresses or blocks of a set, numbers or names of ports. A family in
 * which the rule can't match gives none.
 */
final class RuleLines {
    private static final int ICMP = 1;
    private static final int ICMPV6 = 58;
    private static final List<Integer> WITH_PORTS = List.of(6, 17, 132);
    private static final String HAS_PORTS = "meta l4proto { 6, 17, 132 }";
    private static final String HAS_NO_PORTS = "meta l4proto != { 6, 17, 132 }";
    private static final String NUMBERS = " . meta l4proto . th ";

    /** The longest comment of a rule. */
    static final int COMMENT = 120;

    private final Rule rule;
    private final BiPredicate<String, Family> hasBlocks;

    private RuleLines(Rule rule, BiPredicate<String, Family> hasBlocks) {
        this.rule = rule;
        this.hasBlocks = hasBlocks;
    }

    /**
     * Returns the lines of a rule.
     *
     * @param verdict the statements if it matches
     * @param hasBlocks whether a set has blocks of a family
     */
    static List<String> of(Rule rule, String verdict, BiPredicate<String, Family> hasBlocks) {
        String comment = rule.getOrigin().isEmpty() ? "" : " comment " + Names.quoted(rule.getOrigin(), COMMENT);
        return new RuleLines(rule, hasBlocks)
                .matches().stream()
                        .map(match -> (match.isEmpty() ? "" : match + " ") + verdict + comment)
                        .toList();
    }

    private List<String> matches() {
        if (!isOfFamily()) {
            Conditions conditions = new Conditions(Optional.empty());
            addTo(conditions);
            return conditions.lines();
        }
        List<String> lines = new ArrayList<>();
        for (Family family : Family.values()) {
            Conditions conditions = new Conditions(Optional.of(family));
            if (rule.getIpVersion() != (family == Family.IPV4 ? IpVersion.IP_VERSION_6 : IpVersion.IP_VERSION_4)) {
                addTo(conditions);
                lines.addAll(conditions.lines());
            }
        }
        return lines;
    }

    private boolean isOfFamily() {
        return rule.getIpVersion() != IpVersion.IP_VERSION_UNSPECIFIED
                || rule.hasIcmp()
                || rule.hasNotIcmp()
                || isOfFamily(rule.getSource())
                || isOfFamily(rule.getDestination());
    }

    private static boolean isOfFamily(RuleEnd end) {
        return end.getNetsCount() > 0
                || end.getNotNetsCount() > 0
                || end.getIpSetIdsCount() > 0
                || end.getNotIpSetIdsCount() > 0
                || end.getNamedPortIpSetIdsCount() > 0
                || end.getNotNamedPortIpSetIdsCount() > 0
                || end.getIpPortSetIdsCount() > 0;
    }

    private void addTo(Conditions conditions) {
        if (rule.hasProtocol()) {
            conditions.and("meta l4proto " + rule.getProtocol());
        }
        if (rule.hasNotProtocol()) {
            conditions.and("meta l4proto != " + rule.getNotProtocol());
        }
        conditions.family().ifPresent(family -> {
            addAddresses(conditions, family, rule.getSource(), family.keyword + " saddr");
            addAddresses(conditions, family, rule.getDestination(), family.keyword + " daddr");
            addIcmp(conditions, family);
        });
        addPorts(conditions, rule.getSource(), "saddr", "sport");
        addPorts(conditions, rule.getDestination(), "daddr", "dport");
    }

    private void addAddresses(Conditions conditions, Family family, RuleEnd end, String field) {
        if (end.getNetsCount() > 0) {
            List<Cidr> blocks = blocks(end.getNetsList(), family);
            if (blocks.isEmpty()) {
                conditions.never();
            } else if (!family.isAll(blocks.getFirst())) {
                conditions.and(
                        field + " " + choice(blocks.stream().map(Family::text).toList()));
            }
        }
        List<Cidr> not = blocks(end.getNotNetsList(), family);
        if (!not.isEmpty() && family.isAll(not.getFirst())) {
            conditions.never();
        } else if (!not.isEmpty()) {
            conditions.and(
                    field + " != " + choice(not.stream().map(Family::text).toList()));
        }
        for (String set : end.getIpSetIdsList()) {
            List<String> alternatives = new ArrayList<>();
            alternatives.add(field + " @" + AddressSets.name(set, family));
            if (hasBlocks.test(set, family)) {
                alternatives.add(field + " @" + AddressSets.blocksName(set, family));
            }
            conditions.and(alternatives);
        }
        for (String set : end.getNotIpSetIdsList()) {
            conditions.and(field + " != @" + AddressSets.name(set, family));
            if (hasBlocks.test(set, family)) {
                conditions.and(field + " != @" + AddressSets.blocksName(set, family));
            }
        }
    }

    private static List<Cidr> blocks(List<String> texts, Family family) {
        return Blocks.widest(texts.stream()
                .map(Cidr::parse)
                .filter(block -> Family.of(block) == family)
                .toList());
    }

    private static String choice(List<String> texts) {
        return texts.size() == 1 ? texts.getFirst() : "{ " + String.join(", ", texts) + " }";
    }

    private void addPorts(Conditions conditions, RuleEnd end, String address, String port) {
        boolean ofAnyProtocol = !rule.hasProtocol();
        boolean canHavePorts = ofAnyProtocol || WITH_PORTS.contains(rule.getProtocol());
        if (end.getPortsCount() > 0 || end.getNamedPortIpSetIdsCount() > 0) {
            List<String> alternatives = new ArrayList<>();
            if (end.getPortsCount() > 0) {
                alternatives.add(
                        (ofAnyProtocol ? HAS_PORTS + " " : "") + "th " + port + " " + ranges(end.getPortsList()));
            }
            for (String set : end.getNamedPortIpSetIdsList()) {
                conditions.family().ifPresent(family -> alternatives.add(isIn(family, address, port, "", set)));
            }
            conditions.and(canHavePorts ? alternatives : List.of());
        }
        for (String set : end.getIpPortSetIdsList()) {
            conditions.family().ifPresent(family -> conditions.and(isIn(family, address, port, "", set)));
        }
        if (end.getNotPortsCount() > 0 && canHavePorts) {
            String none = "th " + port + " != " + ranges(end.getNotPortsList());
            conditions.and(ofAnyProtocol ? List.of(HAS_NO_PORTS, none) : List.of(none));
        }
        for (String set : end.getNotNamedPortIpSetIdsList()) {
            if (canHavePorts) {
                conditions
                        .family()
                        .ifPresent(family -> conditions.and(
                                ofAnyProtocol
                                        ? List.of(HAS_NO_PORTS, isIn(family, address, port, "!= ", set))
                                        : List.of(isIn(family, address, port, "!= ", set))));
            }
        }
    }

    private static String isIn(Family family, String address, String port, String not, String set) {
        return family.keyword + " " + address + NUMBERS + port + " " + not + "@" + AddressSets.name(set, family);
    }

    private static String ranges(List<dev.evenkeel.policy.v1.PortRange> ranges) {
        List<PortRange> merged = PortRange.merge(ranges.stream()
                .map(range -> new PortRange(range.getFirst(), range.getLast()))
                .toList());
        return choice(merged.stream()
                .map(range -> range.first() == range.last() ? "" + range.first() : range.first() + "-" + range.last())
                .toList());
    }

    private void addIcmp(Conditions conditions, Family family) {
        String word = family == Family.IPV4 ? "icmp" : "icmpv6";
        int number = family == Family.IPV4 ? ICMP : ICMPV6;
        if (rule.hasIcmp()) {
            IcmpType icmp = rule.getIcmp();
            conditions.and(
                    word + " type " + icmp.getType() + (icmp.hasCode() ? " " + word + " code " + icmp.getCode() : ""));
        }
        if (rule.hasNotIcmp()) {
            IcmpType not = rule.getNotIcmp();
            List<String> alternatives = new ArrayList<>();
            if (!rule.hasProtocol()) {
                alternatives.add("meta l4proto != " + number);
            }
            alternatives.add(word + " type != " + not.getType());
            if (not.hasCode()) {
                alternatives.add(word + " type " + not.getType() + " " + word + " code != " + not.getCode());
            }
            conditions.and(alternatives);
        }
    }

    /** Returns the statements of an action; in a profile, passing is denying, as there is no next tier. */
    static String verdict(Action action, String allow, String pass, String log) {
        return switch (action) {
            case ACTION_ALLOW -> allow;
            case ACTION_PASS -> pass;
            case ACTION_LOG -> log;
            case ACTION_DENY, ACTION_UNSPECIFIED, UNRECOGNIZED -> "drop";
        };
    }

    /** A conjunction of alternatives, for a family or for both. */
    private static final class Conditions {
        private final Optional<Family> family;
        private List<String> lines = List.of("");

        Conditions(Optional<Family> family) {
            this.family = family;
        }

        Optional<Family> family() {
            return family;
        }

        void never() {
            lines = List.of();
        }

        void and(String condition) {
            and(List.of(condition));
        }

        void and(List<String> alternatives) {
            lines = lines.stream()
                    .flatMap(line -> alternatives.stream().map(one -> line.isEmpty() ? one : line + " " + one))
                    .toList();
        }

        List<String> lines() {
            String only = family.map(value -> "meta nfproto " + value.word).orElse("");
            return lines.stream()
                    .map(line -> only.isEmpty() || namesFamily(line) ? line : (only + " " + line).strip())
                    .toList();
        }

        /** Returns whether a line has a condition on a header of its family, which nft completes. */
        private boolean namesFamily(String line) {
            return family.stream().anyMatch(value -> (" " + line).contains(" " + value.keyword + " "));
        }
    }
}
