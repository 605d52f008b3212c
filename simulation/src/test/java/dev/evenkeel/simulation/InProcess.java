package dev.evenkeel.simulation;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.store.MemoryStore;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** An engine as the server of a simulation: on its thread, in its time. */
public final class InProcess {
    private InProcess() {}

    public static Client start(Clock clock, RandomGenerator random, Executor executor) {
        return Engine.builder()
                // watches are polled after each change, so they need no wake-up
                .store(context -> new MemoryStore(
                        new MemoryStore.Window(10_000, Duration.ofMinutes(5)), context.clock(), Runnable::run))
                .clock(clock)
                .random(random)
                .executor(executor)
                .build()
                .client();
    }
}
