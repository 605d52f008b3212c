package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.LeaseLostException;
import java.util.Optional;

/**
 * A client that writes only as long as it may: it looks at a guard before each write, and fences the write, so that what is
 * under way when the guard turns is refused by the server.
 */
final class GuardedClient extends ForwardingClient {
    /** Whether writes are allowed. */
    @FunctionalInterface
    interface Guard {
        /** Returns when they are; throws {@link LeaseLostException} when not. */
        void check();
    }

    private final Guard guard;
    private final Optional<Fence> fence;

    GuardedClient(Client client, Guard guard, Optional<Fence> fence) {
        super(client);
        this.guard = guard;
        this.fence = fence;
    }

    @Override
    protected WriteOptions options(WriteOptions options) {
        guard.check();
        return fence.isPresent() && options.fence().isEmpty() ? options.withFence(fence.get()) : options;
    }

    @Override
    protected DeleteOptions options(DeleteOptions options) {
        guard.check();
        return fence.isPresent() && options.fence().isEmpty() ? options.withFence(fence.get()) : options;
    }
}
