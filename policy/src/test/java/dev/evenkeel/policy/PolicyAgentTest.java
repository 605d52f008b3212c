package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.v1.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The agent without nftables; packets are tested elsewhere. */
class PolicyAgentTest {
    private final World world = PolicyCase.all().getFirst().world();
    private final PolicyCalculation calculation = PolicyCalculation.forHost("n1");
    private final Cursor<Update> cursor = calculation.open("n1");

    private void synced() {
        calculation.transact(tx -> {
            world.objects().forEach(tx::put);
            PolicyCalculation.kinds().forEach(tx::synced);
        });
    }

    @Test
    void transactionsFollowTheCalculationUntilTheAgentIsClosed() throws InterruptedException {
        BlockingQueue<String> printed = new LinkedBlockingQueue<>();
        PolicyAgent agent =
                PolicyAgent.builder(cursor).table("t").dryRun(printed::add).build();
        Thread thread = Thread.startVirtualThread(() -> {
            try {
                agent.run();
            } catch (InterruptedException e) {
                printed.add("interrupted");
            }
        });
        synced();
        assertThat(printed.poll(120, TimeUnit.SECONDS)).startsWith("create table inet t\n");
        calculation.transact(
                tx -> tx.put(world.pod("x", "new", "n1", java.util.Map.of(), List.of("10.0.1.9"), List.of())));
        assertThat(printed.poll(120, TimeUnit.SECONDS))
                .contains("add element inet t to/ipv4 { 10.0.1.9 : goto to/x/new }");
        agent.close();
        thread.join();
        assertThat(printed).isEmpty();
        assertThat(agent.transactions()).isEqualTo(2);
        assertThatThrownBy(agent::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the agent runs, or has ended: build another one");
    }

    @Test
    void onceEndsWithTheStateOrWithoutIt() throws InterruptedException {
        List<String> printed = new ArrayList<>();
        PolicyAgent early = PolicyAgent.builder(cursor).dryRun(printed::add).build();
        assertThat(early.runOnce(Duration.ofMillis(1))).isFalse();
        assertThat(printed).isEmpty();
        synced();
        PolicyAgent agent =
                PolicyAgent.builder(calculation.open("n1")).dryRun(printed::add).build();
        assertThat(agent.runOnce(Duration.ofMinutes(1))).isTrue();
        assertThat(printed).hasSize(1);
    }

    @Test
    void anAgentThatCannotProgramSaysWhatIsNeeded() {
        PolicyAgent agent =
                PolicyAgent.builder(cursor).nft(List.of("no-such-nft")).build();
        assertThatThrownBy(agent::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nftables can't be programmed: no-such-nft list tables: ")
                .hasMessageContaining("install the package nftables")
                .hasMessageEndingWith("this needs root, or the capability CAP_NET_ADMIN");
    }

    @Test
    void settingsAreChecked() {
        assertThatThrownBy(() -> PolicyAgent.builder(cursor).mark(3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mark: must be one bit of 32, such as 0x1000: 3");
        assertThatThrownBy(() -> PolicyAgent.builder(cursor).table("a; flush ruleset"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("table: must be letters");
    }
}
