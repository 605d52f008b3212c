package dev.evenkeel.controller.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same with threads: it begins, hands over and ends, and nothing waits for itself. */
@Timeout(300)
class RealTimeTest {
    private final Engine engine = Engine.create();
    private final Client client = engine.partition(Engine.DEFAULT_PARTITION).client("test");
    private final SystemScheduler scheduler = new SystemScheduler();

    @AfterEach
    void close() {
        scheduler.close();
        engine.close();
    }

    @Test
    void electionsBeginAndEnd() throws Exception {
        ObjectKey key = ObjectKey.of("default", "leader");
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Term> begun = new CompletableFuture<>();
            Election election = new Election(scheduler, client, key, "p" + i, Leases.Timing.DEFAULT, Map.of(), term -> {
                begun.complete(term);
                return term.ending();
            });
            election.start();

            Term term = begun.get(120, TimeUnit.SECONDS);
            assertThat(term.holds()).isTrue();
            assertThat(term.fence().transitions()).isEqualTo(i);
            election.stop().get(120, TimeUnit.SECONDS);

            assertThat(term.lost().get(120, TimeUnit.SECONDS)).isNull();
            assertThat(client.get(Lease.class, key).getSpec().getHolderIdentity())
                    .isEmpty();
        }
    }

    @Test
    void slotsBeginAndEnd() throws Exception {
        CountDownLatch all = new CountDownLatch(ShardSettings.DEFAULT_SLOTS);
        Shards shards = new Shards(scheduler, client, ShardSettings.of("default", "demo", "p"), (slot, term) -> {
            all.countDown();
            return term.ending();
        });
        shards.start();
        assertThat(all.await(120, TimeUnit.SECONDS)).isTrue();
        assertThat(shards.owned()).hasSize(ShardSettings.DEFAULT_SLOTS);

        shards.stop().get(120, TimeUnit.SECONDS);

        assertThat(shards.owned()).isEmpty();
        assertThat(client.get(Lease.class, ObjectKey.of("default", "demo-slot-0-of-32"))
                        .getSpec()
                        .getHolderIdentity())
                .isEmpty();
    }
}
