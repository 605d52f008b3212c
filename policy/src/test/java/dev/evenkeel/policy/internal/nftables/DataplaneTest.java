package dev.evenkeel.policy.internal.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.policy.v1.Update;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When transactions are run, with a list of them instead of nft. */
class DataplaneTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = START;
    private final List<String> ran = new ArrayList<>();
    private String refusal = "";
    private String listing = "";
    private Optional<Transactions.Names> names = Optional.empty();
    private final Transactions recorder = new Transactions() {
        @Override
        public void run(String commands) {
            if (!refusal.isEmpty()) {
                throw new NftException(refusal);
            }
            ran.add(commands);
        }

        @Override
        public Optional<Names> names(String table) {
            return names;
        }

        @Override
        public String list(String table) {
            return listing;
        }
    };
    private final Dataplane dataplane = new Dataplane("t", 1, recorder, Duration.ofMinutes(1), () -> now);

    private static Update pod(String address) {
        Update.Builder pod = Update.newBuilder();
        pod.getWorkloadEndpointUpdateBuilder().setId("x/a").getEndpointBuilder().addIpv4Nets(address + "/32");
        return pod.build();
    }

    private static Update inSync() {
        return Update.newBuilder()
                .setInSync(dev.evenkeel.policy.v1.InSync.getDefaultInstance())
                .build();
    }

    @Test
    void nothingIsChangedBeforeTheStateIsInSync() {
        dataplane.apply(List.of(pod("10.0.0.1")));
        dataplane.work();
        assertThat(ran).isEmpty();
        dataplane.apply(List.of(inSync()));
        assertThat(ran)
                .singleElement()
                .asString()
                .startsWith("""
                create table inet t
                add map inet t from/ipv4 { type ipv4_addr : verdict; }
                """)
                .contains("add element inet t to/ipv4 { 10.0.0.1 : goto to/x/a }");
    }

    @Test
    void furtherBatchesAreTransactionsOfWhatHasChanged() {
        dataplane.apply(List.of(inSync(), pod("10.0.0.1")));
        dataplane.apply(List.of(pod("10.0.0.1")));
        assertThat(ran).hasSize(1);
        dataplane.apply(List.of(pod("10.0.0.2")));
        assertThat(ran).hasSize(2);
        assertThat(ran.getLast())
                .doesNotContain("table inet t\n")
                .contains("delete element inet t to/ipv4 { 10.0.0.1 }");
        assertThat(dataplane.committed()).isEqualTo(2);
    }

    @Test
    void aTableThatCannotBeReplacedInItsChainsIsDeletedAndCreatedAgain() {
        names = Optional.of(new Transactions.Names(List.of("forward/to"), List.of(), List.of()));
        refusal = "File exists";
        dataplane.apply(List.of(inSync(), pod("10.0.0.1")));
        refusal = "";
        now = dataplane.next();
        dataplane.work();
        assertThat(ran).singleElement().asString().startsWith("delete table inet t\ncreate table inet t\n");
    }

    @Test
    void transactionsNeedTheOwnerThatTheTableHad() {
        names = Optional.of(
                new Transactions.Names(List.of("forward/to", "agent/1"), List.of("set/old"), List.of("to/ipv4")));
        dataplane.apply(List.of(inSync(), pod("10.0.0.1")));
        assertThat(ran.getLast()).startsWith("""
                flush chain inet t agent/1
                flush table inet t
                flush map inet t to/ipv4
                flush set inet t set/old
                delete set inet t set/old
                delete chain inet t agent/1
                """);
        String owner = ran.getLast()
                .lines()
                .filter(line -> line.startsWith("add chain inet t agent/"))
                .findFirst()
                .orElseThrow()
                .replace("add", "flush")
                .strip();
        dataplane.apply(List.of(pod("10.0.0.2")));
        assertThat(ran.getLast()).startsWith(owner + "\n").doesNotContain("agent/1\n");
    }

    @Test
    void aRefusedTransactionIsReplacedByACompleteOneAfterADelay() {
        dataplane.apply(List.of(inSync(), pod("10.0.0.1")));
        names = Optional.of(new Transactions.Names(List.of("forward/to"), List.of(), List.of()));
        refusal = "out of memory";
        dataplane.apply(List.of(pod("10.0.0.2")));
        assertThat(dataplane.next()).isEqualTo(START.plusMillis(100));
        dataplane.apply(List.of(pod("10.0.0.3")));
        refusal = "";
        dataplane.work();
        assertThat(ran).as("not before the delay is over").hasSize(1);
        now = START.plusMillis(100);
        dataplane.work();
        assertThat(ran).hasSize(2);
        assertThat(ran.getLast())
                .contains("flush table inet t")
                .contains("10.0.0.3")
                .doesNotContain("10.0.0.2");
        dataplane.apply(List.of(pod("10.0.0.4")));
        assertThat(ran.getLast()).doesNotContain("flush table");
    }

    @Test
    void delaysGrow() {
        refusal = "out of memory";
        dataplane.apply(List.of(inSync()));
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            delays.add(Duration.between(now, dataplane.next()).toMillis());
            now = dataplane.next();
            dataplane.work();
        }
        assertThat(delays)
                .containsExactly(
                        100L, 200L, 400L, 800L, 1600L, 3200L, 6400L, 12_800L, 25_600L, 30_000L, 30_000L, 30_000L);
    }

    @Test
    void whatSomethingElseChangedIsSetAgainAtTheNextCheck() {
        dataplane.apply(List.of(inSync(), pod("10.0.0.1")));
        assertThat(dataplane.next()).isEqualTo(START.plusSeconds(60));
        dataplane.work();
        assertThat(ran).hasSize(1);
        now = START.plusSeconds(60);
        dataplane.work();
        assertThat(ran).as("the table is missing").hasSize(2);
        assertThat(ran.getLast()).isEqualTo(ran.getFirst());
        assertThat(dataplane.next()).isEqualTo(START.plusSeconds(120));
    }
}
