package dev.evenkeel.policy.internal.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.TextFormat;
import dev.evenkeel.policy.internal.nftables.Prober.Attempt;
import dev.evenkeel.policy.v1.Update;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tiers of host endpoints for packets that are forwarded, and before their addresses are translated. */
class HostEndpointPacketsTest {
    private static final String NODE = "172.18.0.2";
    private static final String POD = "10.0.1.1";
    private static final String TRUSTED = "172.17.0.5";
    private static final String OTHER = "172.17.1.5";

    @SuppressWarnings("NullAway.Init")
    private Lab lab;

    @SuppressWarnings("NullAway.Init")
    private Prober prober;

    @SuppressWarnings("NullAway.Init")
    private Dataplane dataplane;

    @BeforeAll
    static void needsNamespaces() {
        Lab.missing().ifPresent(Assumptions::abort);
    }

    @BeforeEach
    void start() {
        lab = Lab.create().add("core", "", List.of());
        lab.add("n1", "core", List.of(NODE));
        lab.add("trusted", "core", List.of(TRUSTED));
        lab.add("other", "core", List.of(OTHER));
        lab.add("pod", "n1", List.of(POD));
        lab.start();
        prober = new Prober(lab);
        dataplane = new Dataplane(PolicyLab.TABLE, 0x1000, lab.nft("n1"), Duration.ofMinutes(1), () -> Instant.EPOCH);
    }

    @AfterEach
    void stop() {
        prober.close();
        lab.close();
    }

    /** Sends a policy p with a rule for packets in, and a host endpoint that has it in tiers of a kind. */
    private void send(String rule, String tiers, String defaultAction) throws TextFormat.ParseException {
        List<Update> batch = new ArrayList<>();
        batch.add(update("active_policy_update { id { kind: 'P' name: 'p' } policy { tier: 't' inbound_rules { " + rule
                + " } } }"));
        batch.add(update("active_profile_update { name: 'open' profile { inbound_rules { action: ACTION_ALLOW }"
                + " outbound_rules { action: ACTION_ALLOW } } }"));
        batch.add(update("host_endpoint_update { id: 'h' endpoint { interface_name: 'eth0' profile_names: 'open' "
                + tiers + " { name: 't' ingress_policies { kind: 'P' name: 'p' } default_action: " + defaultAction
                + " } } }"));
        batch.add(update("in_sync {}"));
        dataplane.apply(batch);
        assertThat(Listing.parse(lab.nft("n1").list(PolicyLab.TABLE)).differences(dataplane.table()))
                .isEmpty();
    }

    private static Update update(String text) throws TextFormat.ParseException {
        return TextFormat.parse(text, Update.class);
    }

    private void assertReaches(String from, String to, int port, boolean expected) {
        BitSet wanted = new BitSet();
        wanted.set(0, expected);
        assertThat(prober.run(List.of(new Attempt(from, to, "TCP", port)), wanted)
                        .get(0))
                .as("%s to %s:%d", from, to, port)
                .isEqualTo(expected);
    }

    @Test
    void forwardTiersAreAboutWhatTheHostForwards() throws TextFormat.ParseException {
        send(
                "action: ACTION_ALLOW protocol: 6 source { nets: '172.17.0.0/24' } destination { ports { first: 80 last: 80 } }",
                "forward_tiers",
                "ACTION_DENY");
        assertReaches(TRUSTED, POD, 80, true);
        assertReaches(TRUSTED, POD, 81, false);
        assertReaches(OTHER, POD, 80, false);
        // not what the pod sends, nor what is for the host
        assertReaches(POD, OTHER, 81, true);
        assertReaches(OTHER, NODE, 81, true);
    }

    @Test
    void aForwardTierThatPassesLeavesPacketsToOthers() throws TextFormat.ParseException {
        send("action: ACTION_DENY source { nets: '172.17.0.0/24' }", "forward_tiers", "ACTION_PASS");
        assertReaches(TRUSTED, POD, 80, false);
        assertReaches(OTHER, POD, 80, true);
        assertReaches(TRUSTED, NODE, 80, true);
    }

    @Test
    void preDnatTiersSeeTheAddressAndThePortBeforeTranslation() throws TextFormat.ParseException {
        lab.nft("n1")
                .run("table ip nat {\n chain c {\n  type nat hook prerouting priority dstnat; policy accept;\n"
                        + "  ip daddr " + NODE + " tcp dport 8080 dnat to " + POD + ":80\n }\n}\n");
        assertReaches(OTHER, POD, 80, true);
        assertReaches(OTHER, NODE, 8080, true);
        send(
                "action: ACTION_DENY protocol: 6 destination { ports { first: 8080 last: 8080 } }",
                "pre_dnat_tiers",
                "ACTION_PASS");
        assertReaches(OTHER, NODE, 8080, false);
        assertReaches(OTHER, POD, 80, true);
        send(
                "action: ACTION_DENY protocol: 6 destination { ports { first: 80 last: 80 } }",
                "pre_dnat_tiers",
                "ACTION_PASS");
        assertReaches(OTHER, NODE, 8080, true);
        assertReaches(OTHER, POD, 80, false);
        assertReaches(OTHER, NODE, 80, false);
    }
}
