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
    private final Runnable guard;
    private final Optional<Fence> fence;

    /** Creates a client with a guard that throws {@link LeaseLostException} when writes are not permitted. */
    GuardedClient(Client client, Runnable guard, Optional<Fence> fence) {
        super(client);
        this.guard = guard;
        this.fence = fence;
    }

    @Override
    protected WriteOptions options(WriteOptions options) {
        guard.run();
        return fence.isPresent() && options.fence().isEmpty() ? options.fence(fence.get()) : options;
    }

    @Override
    protected DeleteOptions options(DeleteOptions options) {
        guard.run();
        return fence.isPresent() && options.fence().isEmpty() ? options.fence(fence.get()) : options;
    }
}
