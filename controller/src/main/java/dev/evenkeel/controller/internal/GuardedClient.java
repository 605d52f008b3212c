package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.LeaseLostException;
import java.util.Optional;

/**
 * A client that writes only while it is permitted: it checks a guard before each write, and fences the write, so that
 * the server refuses a write that is in flight when the permission ends.
 */
final class GuardedClient extends ForwardingClient {
    @FunctionalInterface
    interface Guard {
        /** Returns when writes are permitted; otherwise throws {@link LeaseLostException}. */
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
        return fence.isPresent() && options.fence().isEmpty() ? options.fence(fence.get()) : options;
    }

    @Override
    protected DeleteOptions options(DeleteOptions options) {
        guard.check();
        return fence.isPresent() && options.fence().isEmpty() ? options.fence(fence.get()) : options;
    }
}
