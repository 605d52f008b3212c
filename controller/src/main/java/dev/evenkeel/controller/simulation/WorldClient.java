package dev.evenkeel.controller.simulation;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ForwardingClient;
import java.util.function.Supplier;

/** The server as the world sees it: at once, and always there. */
final class WorldClient extends ForwardingClient {
    private final Simulation simulation;
    private final Client server;

    WorldClient(Simulation simulation, Client server) {
        super(server);
        this.simulation = simulation;
        this.server = server;
    }

    /** The server as it is. */
    Client server() {
        return server;
    }

    @Override
    protected <R> R write(Operation operation, Supplier<R> effect) {
        R answer = effect.get();
        simulation.changed();
        simulation.trace("world", operation.toString());
        return answer;
    }
}
