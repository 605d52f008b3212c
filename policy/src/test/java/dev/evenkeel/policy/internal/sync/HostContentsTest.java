package dev.evenkeel.policy.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.policy.HostState;
import dev.evenkeel.policy.PolicyCalculation;
import dev.evenkeel.policy.RandomWorld;
import dev.evenkeel.policy.World;
import dev.evenkeel.policy.v1.IpPoolUpdate;
import dev.evenkeel.policy.v1.IpSetDeltaUpdate;
import dev.evenkeel.policy.v1.NamespaceUpdate;
import dev.evenkeel.policy.v1.ServiceAccountUpdate;
import dev.evenkeel.policy.v1.Update;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HostContentsTest {
    private static final int WORLDS = Integer.getInteger("policy.worlds", 100);

    private final long seed = Long.getLong("policy.seed", System.nanoTime());

    private static List<Update> state(World world) {
        PolicyCalculation calculation = PolicyCalculation.forAllHosts();
        calculation.transact(tx -> {
            world.objects().forEach(tx::put);
            PolicyCalculation.kinds().forEach(tx::synced);
        });
        return calculation.open("n1").poll().messages();
    }

    private static HostContents contents(List<Update> updates) {
        HostContents contents = new HostContents();
        updates.forEach(contents::apply);
        return contents;
    }

    @Test
    void theDifferenceLeadsFromOneStateToTheOther() {
        for (int i = 0; i < WORLDS; i++) {
            String where = "-Dpolicy.worlds=1 -Dpolicy.seed=" + (seed + i);
            List<Update> first = state(RandomWorld.tiered(seed + i).world());
            List<Update> second = state(RandomWorld.tiered(seed + i + 1).world());
            HostContents before = contents(first);
            HostContents after = contents(second);
            // the check of the stream finds what is out of order or superfluous
            HostState state = new HostState().apply(first).apply(after.since(before));
            assertThat(state)
                    .as(where)
                    .hasToString(new HostState().apply(second).toString());
            assertThat(after.since(contents(second))).as(where).isEmpty();
            assertThat(new HostState().apply(after.since(new HostContents())))
                    .as(where)
                    .hasToString(new HostState().apply(second).toString());
        }
    }

    @Test
    void otherKindsOfObjects() {
        List<Update> updates = Stream.of(
                        Update.newBuilder()
                                .setIpPoolUpdate(IpPoolUpdate.newBuilder().setCidr("10.0.0.0/24")),
                        Update.newBuilder()
                                .setNamespaceUpdate(NamespaceUpdate.newBuilder().setName("x")),
                        Update.newBuilder()
                                .setServiceAccountUpdate(ServiceAccountUpdate.newBuilder()
                                        .setNamespace("x")
                                        .setName("default")))
                .map(Update.Builder::build)
                .toList();
        assertThat(contents(updates).since(new HostContents())).isEqualTo(updates);
        assertThat(new HostContents().since(contents(updates)))
                .extracting(Update::getKindCase)
                .containsExactly(
                        Update.KindCase.SERVICE_ACCOUNT_REMOVE,
                        Update.KindCase.NAMESPACE_REMOVE,
                        Update.KindCase.IP_POOL_REMOVE);
    }

    @Test
    void aChangeOfAnUnknownSetIsRefused() {
        Update change = Update.newBuilder()
                .setIpSetDeltaUpdate(IpSetDeltaUpdate.newBuilder().setId("s:1"))
                .build();
        assertThatThrownBy(() -> new HostContents().apply(change))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a change of IP set s:1, which was not sent");
    }
}
