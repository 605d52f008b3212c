package dev.evenkeel.policy.internal.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.TextFormat;
import dev.evenkeel.policy.v1.Rule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rules of messages as rules of nftables. The sets s:blocks4 and s:blocks6 have blocks. */
class RuleLinesTest {
    private static List<String> lines(String text) throws TextFormat.ParseException {
        return RuleLines.of(
                TextFormat.parse(text, Rule.class),
                "accept",
                (set, family) -> Set.of("s:blocks4" + Family.IPV4, "s:blocks6" + Family.IPV6)
                        .contains(set + family));
    }

    @Test
    void aRuleWithoutConditionsIsItsVerdict() throws Exception {
        assertThat(lines("")).containsExactly("accept");
        assertThat(lines("origin: 'spec.\"x\"[0]'")).containsExactly("accept comment \"spec.?x?[0]\"");
    }

    @Test
    void protocolsAndPortsAreOfBothFamilies() throws Exception {
        assertThat(lines("protocol: 6 destination { ports { first: 80 last: 80 } }"))
                .containsExactly("meta l4proto 6 th dport 80 accept");
        assertThat(lines("protocol: 17 source { ports { first: 1 last: 9 } ports { first: 10 last: 12 }"
                        + " ports { first: 20 last: 20 } }"))
                .containsExactly("meta l4proto 17 th sport { 1-12, 20 } accept");
        assertThat(lines("not_protocol: 47")).containsExactly("meta l4proto != 47 accept");
        assertThat(lines("destination { ports { first: 80 last: 80 } }"))
                .containsExactly("meta l4proto { 6, 17, 132 } th dport 80 accept");
        assertThat(lines("protocol: 1 destination { ports { first: 80 last: 80 } }"))
                .isEmpty();
    }

    @Test
    void portsThatMustNotBeAlsoMatchProtocolsWithoutPorts() throws Exception {
        assertThat(lines("protocol: 6 destination { not_ports { first: 80 last: 80 } }"))
                .containsExactly("meta l4proto 6 th dport != 80 accept");
        assertThat(lines("destination { not_ports { first: 80 last: 81 } }"))
                .containsExactly("meta l4proto != { 6, 17, 132 } accept", "th dport != 80-81 accept");
        assertThat(lines("protocol: 1 destination { not_ports { first: 80 last: 80 } }"))
                .containsExactly("meta l4proto 1 accept");
    }

    @Test
    void blocksAreOfTheirFamilyWithoutOverlaps() throws Exception {
        assertThat(lines("source { nets: '10.0.0.0/8' nets: '10.1.0.0/16' nets: '192.0.2.1/32' }"))
                .containsExactly("ip saddr { 10.0.0.0/8, 192.0.2.1 } accept");
        assertThat(lines("source { nets: '0.0.0.0/0' nets: '10.0.0.0/8' }"))
                .containsExactly("meta nfproto ipv4 accept");
        assertThat(lines("destination { nets: '::/0' not_nets: 'fd00::/8' }"))
                .containsExactly("ip6 daddr != fd00::/8 accept");
        assertThat(lines("destination { not_nets: '10.0.0.0/8' }"))
                .containsExactly("ip daddr != 10.0.0.0/8 accept", "meta nfproto ipv6 accept");
        assertThat(lines("destination { not_nets: '0.0.0.0/0' not_nets: '::/0' }"))
                .isEmpty();
        assertThat(lines("ip_version: IP_VERSION_6 protocol: 6"))
                .containsExactly("meta nfproto ipv6 meta l4proto 6 accept");
        assertThat(lines("ip_version: IP_VERSION_4 source { nets: 'fd00::/8' }"))
                .isEmpty();
    }

    @Test
    void setsHaveAddressesAndPerhapsBlocks() throws Exception {
        assertThat(lines("source { ip_set_ids: 's:a' }"))
                .containsExactly("ip saddr @set/s-a/ipv4 accept", "ip6 saddr @set/s-a/ipv6 accept");
        assertThat(lines("ip_version: IP_VERSION_4 source { ip_set_ids: 's:blocks4' ip_set_ids: 's:a' }"))
                .containsExactly(
                        "ip saddr @set/s-blocks4/ipv4 ip saddr @set/s-a/ipv4 accept",
                        "ip saddr @blocks/s-blocks4/ipv4 ip saddr @set/s-a/ipv4 accept");
        assertThat(lines("destination { not_ip_set_ids: 's:blocks6' }"))
                .containsExactly(
                        "ip daddr != @set/s-blocks6/ipv4 accept",
                        "ip6 daddr != @set/s-blocks6/ipv6 ip6 daddr != @blocks/s-blocks6/ipv6 accept");
    }

    @Test
    void namedPortsAreAnAlternativeToNumbers() throws Exception {
        assertThat(lines("ip_version: IP_VERSION_4 protocol: 6"
                        + " destination { ports { first: 80 last: 80 } named_port_ip_set_ids: 'n:a' }"))
                .containsExactly(
                        "meta nfproto ipv4 meta l4proto 6 th dport 80 accept",
                        "meta l4proto 6 ip daddr . meta l4proto . th dport @set/n-a/ipv4 accept");
        assertThat(lines("ip_version: IP_VERSION_6 destination { ip_port_set_ids: 'svc:a' }"))
                .containsExactly("ip6 daddr . meta l4proto . th dport @set/svc-a/ipv6 accept");
        assertThat(lines("ip_version: IP_VERSION_4 protocol: 6 source { not_named_port_ip_set_ids: 'n:a' }"))
                .containsExactly("meta l4proto 6 ip saddr . meta l4proto . th sport != @set/n-a/ipv4 accept");
    }

    @Test
    void icmpIsOfItsFamily() throws Exception {
        assertThat(lines("protocol: 1 ip_version: IP_VERSION_4 icmp { type: 8 code: 0 }"))
                .containsExactly("meta nfproto ipv4 meta l4proto 1 icmp type 8 icmp code 0 accept");
        assertThat(lines("protocol: 58 ip_version: IP_VERSION_6 not_icmp { type: 128 }"))
                .containsExactly("meta nfproto ipv6 meta l4proto 58 icmpv6 type != 128 accept");
        assertThat(lines("ip_version: IP_VERSION_4 not_icmp { type: 8 code: 1 }"))
                .containsExactly(
                        "meta nfproto ipv4 meta l4proto != 1 accept",
                        "meta nfproto ipv4 icmp type != 8 accept",
                        "meta nfproto ipv4 icmp type 8 icmp code != 1 accept");
    }
}
