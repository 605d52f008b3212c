package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.Supplier;

/** The way from a process to the server: each write is numbered, and what the schedule has for it happens. */
final class Wire extends ForwardingClient {
    /** Decides what becomes of calls. */
    interface Gate {
        /** Does a write, or does not; says what the process is to be told. */
        <R> R write(Write write, Supplier<R> effect);

        /** A read is done, and its answer is on its way. */
        void read();

        /** What a process that starts is told of a kind. */
        <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options);
    }

    private final Machine machine;
    private final Gate gate;

    Wire(Machine machine, Client server, Gate gate) {
        super(server);
        this.machine = machine;
        this.gate = gate;
    }

    @Override
    protected <R> R read(Operation operation, Supplier<R> effect) {
        machine.requireAlive();
        R answer = effect.get();
        if (operation.action() != Action.WATCH && !machine.overtaken()) {
            gate.read();
        }
        return answer;
    }

    @Override
    protected <R> R write(Operation operation, Supplier<R> effect) {
        machine.requireAlive();
        // events are for people: nobody depends on them, and they are lost as it happens
        boolean counts = !operation.dryRun() && !operation.kind().plural().equals("events");
        machine.requirePlace();
        return counts
                ? gate.write(new Write(operation.action(), operation.kind(), operation.key()), effect)
                : effect.get();
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        machine.requireAlive();
        Listing<T> answer = gate.list(kind, options);
        if (!options.resourceVersion().equals("0") && !machine.overtaken()) { // that is how caches ask
            gate.read();
        }
        return answer;
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        return new Feed<>(kind.id(), super.watch(kind, options));
    }
}
