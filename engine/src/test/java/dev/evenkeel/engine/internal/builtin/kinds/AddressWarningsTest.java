package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AddressWarningsTest {
    private static final String INVALID = " is invalid: use ";

    private static List<String> warnings(String id, String json) {
        return Kinds.of(id).warnings(Kinds.tree(json), null);
    }

    @Test
    void addressesInTheirUsualFormPass() {
        for (String address : List.of("10.0.0.1", "2001:db8::1", "::", "1::2:0:0:3", "none")) {
            assertThat(AddressWarnings.ip("f", address)).isEmpty();
        }
        for (String range : List.of("10.0.0.0/8", "2001:db8::/32", "::/0", "0.0.0.0/0", "none")) {
            assertThat(AddressWarnings.range("f", range)).isEmpty();
        }
    }

    @Test
    void addressesInOtherFormsAreWarnedAbout() {
        assertThat(AddressWarnings.ip("f", "192.012.2.2"))
                .containsExactly("f: non-standard IP address \"192.012.2.2\"" + INVALID + "\"192.12.2.2\"");
        assertThat(AddressWarnings.ip("f", "::ffff:1.2.3.4"))
                .containsExactly("f: non-standard IP address \"::ffff:1.2.3.4\"" + INVALID + "\"1.2.3.4\"");
        assertThat(AddressWarnings.ip("f", "2001:db8:0:0::2"))
                .containsExactly("f: IPv6 address \"2001:db8:0:0::2\" should be in RFC 5952 canonical format"
                        + " (\"2001:db8::2\")");
    }

    @Test
    void rangesInOtherFormsAreWarnedAbout() {
        assertThat(AddressWarnings.range("f", "192.012.2.0/24"))
                .containsExactly("f: non-standard CIDR value \"192.012.2.0/24\"" + INVALID + "\"192.12.2.0/24\"");
        assertThat(AddressWarnings.range("f", "192.12.2.0/024"))
                .containsExactly("f: non-standard CIDR value \"192.12.2.0/024\"" + INVALID + "\"192.12.2.0/24\"");
        assertThat(AddressWarnings.range("f", "192.12.2.8/24"))
                .containsExactly("f: CIDR value \"192.12.2.8/24\" is ambiguous in this context (should be"
                        + " \"192.12.2.0/24\" or \"192.12.2.8/32\"?)");
        assertThat(AddressWarnings.range("f", "::ffff:1.2.3.0/120"))
                .containsExactly("f: non-standard CIDR value \"::ffff:1.2.3.0/120\"" + INVALID + "\"1.2.3.0/24\"");
        assertThat(AddressWarnings.range("f", "2001:DB8::/64"))
                .containsExactly("f: IPv6 CIDR value \"2001:DB8::/64\" should be in RFC 5952 canonical format"
                        + " (\"2001:db8::/64\")");
        assertThat(AddressWarnings.range("f", "2001:db8::1/64"))
                .containsExactly("f: CIDR value \"2001:db8::1/64\" is ambiguous in this context (should be"
                        + " \"2001:db8::/64\" or \"2001:db8::1/128\"?)");
    }

    @Test
    void servicesWarnOfTheirAddresses() {
        assertThat(warnings("services", """
                {'spec':{'type':'LoadBalancer','clusterIP':'A::1','clusterIPs':['A::1'],'loadBalancerIP':'A::3',
                 'loadBalancerSourceRanges':['A::/16']}}"""))
                .extracting(text -> text.substring(0, text.indexOf(':')))
                .containsExactly("spec.clusterIPs[0]", "spec.loadBalancerIP", "spec.loadBalancerSourceRanges[0]");
        for (String id : List.of("services", "ingresses.networking.k8s.io")) {
            assertThat(Kinds.of(id)
                            .statusWarnings(Kinds.tree("{'status':{'loadBalancer':{'ingress':[{'ip':'A::1'}]}}}")))
                    .hasSize(1)
                    .allMatch(text -> text.startsWith("status.loadBalancer.ingress[0]: IPv6 address"));
        }
    }

    @Test
    void podsWarnOfTheirAddresses() {
        assertThat(warnings("pods", """
                {'metadata':{'name':'p'},'spec':{'hostAliases':[{'ip':'A::1'}],
                 'dnsConfig':{'nameservers':['::1','A::2']}}}"""))
                .extracting(text -> text.substring(0, text.indexOf(':')))
                .containsExactly("spec.dnsConfig.nameservers[1]", "spec.hostAliases[0].ip");
        assertThat(Kinds.of("pods")
                        .statusWarnings(Kinds.tree("{'status':{'podIPs':[{'ip':'A::1'}],'hostIPs':[{'ip':'A::2'}]}}")))
                .extracting(text -> text.substring(0, text.indexOf(':')))
                .containsExactly("status.podIPs[0].ip", "status.hostIPs[0].ip");
    }

    @Test
    void endpointsWarnOfTheirAddressesUnlessAControllerWritesThem() {
        assertThat(warnings("endpoints", """
                {'subsets':[{'addresses':[{'ip':'A::1'}],'notReadyAddresses':[{'ip':'A::2'}]}]}"""))
                .extracting(text -> text.substring(0, text.indexOf(':')))
                .containsExactly("subsets[0].addresses[0].ip", "subsets[0].notReadyAddresses[0].ip");
        String slices = "endpointslices.discovery.k8s.io";
        String endpoints = "'addressType':'IPv6','endpoints':[{'addresses':['A::1']}]}";
        assertThat(warnings(slices, "{" + endpoints))
                .hasSize(1)
                .allMatch(text -> text.startsWith("endpoints[0].addresses[0]: IPv6 address"));
        String labels = "'metadata':{'labels':{'endpointslice.kubernetes.io/managed-by':"
                + "'endpointslice-controller.k8s.io'}},";
        assertThat(warnings(slices, "{" + labels + endpoints)).isEmpty();
    }

    @Test
    void networkPoliciesWarnOfTheirRanges() {
        assertThat(warnings("networkpolicies.networking.k8s.io", """
                {'spec':{'ingress':[{'from':[{'ipBlock':{'cidr':'A::/16','except':['A:1::/32']}}]}],
                 'egress':[{'to':[{'ipBlock':{'cidr':'A::/16'}}]}]}}"""))
                .extracting(text -> text.substring(0, text.indexOf(':')))
                .containsExactly(
                        "spec.ingress[0].from[0].ipBlock.cidr",
                        "spec.ingress[0].from[0].ipBlock.except[0]",
                        "spec.egress[0].to[0].ipBlock.cidr");
    }
}
