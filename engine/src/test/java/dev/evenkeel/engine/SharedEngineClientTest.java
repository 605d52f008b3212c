package dev.evenkeel.engine;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.SharedStore.Delivery;
import dev.evenkeel.engine.contract.ClientContract;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;

/** The client of an engine that does not lead, and sees late what the leader writes. */
class SharedEngineClientTest extends ClientContract {
    private final SharedEngines engines = new SharedEngines(1);
    private final SharedEngines.Member leader = engines.start();
    private final SharedEngines.Member member = engines.start(builder -> builder.clock(InstantSource.system()));
    private final Client client =
            member.engine().partition(Engine.DEFAULT_PARTITION).client("contract");

    SharedEngineClientTest() {
        leader.store().deliver(Delivery.DELAYED);
        member.store().deliver(Delivery.DELAYED);
    }

    @Override
    protected Client client() {
        return client;
    }

    @Override
    protected void compact() {
        member.store().compact(member.store().latest().revision());
    }

    @AfterEach
    void close() {
        engines.close();
    }
}
