package dev.evenkeel.simulation.internal;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.Supplier;

/** The connection of a process to the server, on which an injector injects faults before and after each call. */
public final class FaultInjectingClient extends ForwardingClient {
    /** Decides which faults are injected into the calls of a process. */
    public interface Injector {
        /**
         * Called when a call is about to reach the server.
         *
         * @param versioned whether another actor may have changed its object
         * @param effect performs the call, for faults that perform it twice
         * @return receives the answer
         * @throws RuntimeException in place of the call, which then does not reach the server
         */
        Answering begin(Operation operation, boolean versioned, Supplier<?> effect);

        /** Lists objects, as the server the process is connected to sees them. */
        default <T extends HasMetadata> Listing<T> list(Client server, Kind<T> kind, ListOptions options) {
            return server.list(kind, options);
        }

        /** Opens a watch over the connection. */
        <T extends HasMetadata> Watch<T> watch(Client server, Kind<T> kind, ListOptions options);
    }

    /** The answer to a call. */
    public interface Answering {
        /**
         * Called when the server has performed the call.
         *
         * @throws RuntimeException in place of the answer, which is lost
         */
        void answered(Object answer);

        /** Called when the server has refused the call. */
        default void refused(ApiException e) {}
    }

    private final Client server;
    private final Injector injector;

    /** Returns true if an operation changes nothing. */
    public static boolean reads(Operation operation) {
        return switch (operation.action()) {
            case FIND, LIST, WATCH, GET_SCALE -> true;
            default -> false;
        };
    }

    /** Creates a connection. */
    public FaultInjectingClient(Client server, Injector injector) {
        super(server);
        this.server = server;
        this.injector = injector;
    }

    @Override
    protected <R> R read(Operation operation, Supplier<R> effect) {
        return call(operation, false, effect);
    }

    @Override
    protected <R> R write(Operation operation, Supplier<R> effect) {
        Action action = operation.action();
        return call(operation, action != Action.CREATE && !action.deletes(), effect);
    }

    private <R> R call(Operation operation, boolean versioned, Supplier<R> effect) {
        Answering answering = injector.begin(operation, versioned, effect);
        R answer;
        try {
            answer = effect.get();
        } catch (ApiException e) {
            answering.refused(e);
            throw e;
        }
        answering.answered(answer);
        return answer;
    }

    private static Operation of(Action action, Kind<?> kind, String namespace) {
        return new Operation(action, kind, ObjectKey.of(namespace, ""), false);
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        return read(of(Action.LIST, kind, options.namespace()), () -> injector.list(server, kind, options));
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        return read(of(Action.WATCH, kind, options.namespace()), () -> injector.watch(server, kind, options));
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        return call(
                new Operation(Action.DELETE, kind, key, options.dryRun()),
                options.uid().isPresent() || options.resourceVersion().isPresent(),
                () -> server.delete(kind, key, options));
    }
}
