package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.ControllerEvent;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.cache.Informers;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services that a manager provides to its controllers.
 *
 * @param client client for reads and writes; its writes are visible in the caches
 * @param rawClient the same client without the caches, for leases
 * @param events returns the recorder of a controller
 */
public record ManagerServices(
        Client client,
        Client rawClient,
        Informers informers,
        Scheduler scheduler,
        Optional<Leases> leases,
        Function<String, EventRecorder> events,
        ControllerMetrics metrics,
        List<ControllerEvent.Listener> listeners) {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerEvent.Listener.class);

    /** Copies the listeners. */
    public ManagerServices {
        listeners = List.copyOf(listeners);
    }

    // a listener may throw anything: it must not affect its caller
    @SuppressWarnings("CatchThrowable")
    void tell(ControllerEvent event) {
        for (ControllerEvent.Listener listener : listeners) {
            try {
                listener.on(event);
            } catch (Throwable e) {
                LOG.atError().addKeyValue("event", event).setCause(e).log("a listener failed");
            }
        }
    }
}
