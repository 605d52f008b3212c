package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.ControllerEvent;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.cache.Informers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a manager gives its controllers.
 *
 * @param client reads and writes; what it writes is in the caches
 * @param rawClient the same without the caches, for leases
 * @param events makes the recorder of a controller
 */
public record ManagerServices(
        Client client,
        Client rawClient,
        Informers informers,
        Scheduler scheduler,
        Optional<Leases> leases,
        Function<String, EventRecorder> events,
        ControllerMetrics metrics,
        List<ControllerEvent.Listener> listeners,
        Duration syncTimeout) {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerEvent.Listener.class);

    // whatever a listener throws: what it is told of goes on
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
