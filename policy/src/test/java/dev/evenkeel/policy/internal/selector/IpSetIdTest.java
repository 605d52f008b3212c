package dev.evenkeel.policy.internal.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The names that other implementations of the language calculate for the same selectors. */
class IpSetIdTest {
    private static final Map<String, String> KNOWN = Map.ofEntries(
            Map.entry("all()", "s:5y5I3VdRZfDU01O--xXAPx2yxCQQqMf0M6IWug"),
            Map.entry("b == \"b\"", "s:8Fb8HeM2GAxsfgNYVjbNrgSZ2H4cZJI8ODNBVg"),
            Map.entry("a == \"a\"", "s:eL5PkIZXG5LKC2qDo1s0uUwiuTG0H8ba8Q6EHw"),
            Map.entry("has(tag-1)", "s:Uer_WT88sQCXEsgt_Gm9OvdamPy1Y44eCHDKJA"),
            Map.entry("tag-1 == \"foobar\"", "s:vnGZV1btQHLm-dgk0W4uBme30gvFHdUa8l6SZw"),
            Map.entry("profile == \"prof-1\"", "s:G6oSW0nL0SDeAX1XrjyikkyAC75lM6RseJX_rg"),
            Map.entry("(all() && !foo == \"bar\")", "s:EeWw3YaQcA00fIPOgHiOeeTIYsqHTNsDBYLdDw"),
            Map.entry("!(has(b) || !has(a))", "s:Iss0uCleLYv1GSv_pNm7hAO58kE9jAx1NKyG3Q"),
            Map.entry("!(a == \"b\" && !c != \"d\")", "s:lh3haoY1ikTRkd4UZu0nWSaIBknYLPJLX16d-w"),
            Map.entry("projectcalico.org/namespace == \"default\"", "s:4g010_DunYvItGg3dv2MxnaJYxWEVRwn0exiaA"),
            Map.entry(
                    "(projectcalico.org/namespace == \"default\" && projectcalico.org/orchestrator == \"k8s\")",
                    "s:0vCEykPprsZZcH94s4zBUc4uzgaXGUp0eiaw9g"));

    @TestFactory
    Stream<DynamicTest> selectors() {
        return KNOWN.entrySet().stream()
                .map(known -> DynamicTest.dynamicTest(known.getKey(), () -> {
                    Selector selector = Selector.parse(known.getKey());
                    assertThat(selector.text()).isEqualTo(known.getKey());
                    assertThat(IpSetId.of(selector)).isEqualTo(known.getValue());
                }));
    }

    @Test
    void namedPorts() {
        assertThat(IpSetId.ofNamedPort(Selector.all(), "tcp", "tcpport"))
                .isEqualTo("n:RMAIMXhhyW5sWWm_0o9euzK6TlyAbtjf6Ta9Jw");
    }

    @Test
    void services() {
        assertThat(IpSetId.ofService("default", "svc")).isEqualTo("svc:Jhwii46PCMT5NlhWsUqZmv7al8TeHFbNQMhoVg");
        assertThat(IpSetId.ofServiceAddresses("default", "svc"))
                .isEqualTo("svcnoport:T03S_6hogdrGKrNFBcbKTFsH_uKwDHEo8JddOg");
    }
}
