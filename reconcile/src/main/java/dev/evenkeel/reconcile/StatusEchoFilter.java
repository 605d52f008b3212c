package dev.evenkeel.reconcile;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Trigger;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Informer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Filters the echo of a status that a failing reconciliation has written: the watch event of its own change.
 *
 * <p>The problem: a failure waits before it is retried, longer each time. When its status differs each time, such as by
 * a count of attempts, the echo would trigger the object at once, and defeat the delays.
 *
 * <ol>
 * <li>One change for each write is ignored, of nothing but the status, and only of an object that is requeued anyway.
 *     So nothing is missed, even if other clients write meanwhile.
 * <li>The next reconciliation of the object ends the wait for an echo, whether it was seen or not.
 * </ol>
 */
final class StatusEchoFilter<T extends HasMetadata> {
    private final Set<ObjectKey> awaited = ConcurrentHashMap.newKeySet();

    /** Forgets an echo that did not arrive. */
    void forget(ObjectKey key) {
        boolean unused = awaited.remove(key);
    }

    /** Writes a status whose echo is ignored. */
    StatusWriter.Ending without(ObjectKey key, Supplier<StatusWriter.Ending> write) {
        // the echo may be faster than the response
        boolean unused = awaited.add(key);
        StatusWriter.Ending ending = write.get();
        if (!(ending instanceof StatusWriter.Ending.Written)) {
            forget(key);
        }
        return ending;
    }

    Trigger<T> trigger() {
        return change -> !(change instanceof Informer.Change.Updated<T>(Cache.Entry<T> before, Cache.Entry<T> after)
                && awaited.contains(change.key())
                && apartFromStatus(before).equals(apartFromStatus(after))
                && awaited.remove(change.key()));
    }

    private static GenericKubernetesResource apartFromStatus(Cache.Entry<?> cached) {
        GenericKubernetesResource object = cached.object(GenericKubernetesResource.class);
        object.getMetadata().setResourceVersion(null);
        object.getMetadata().setManagedFields(null);
        Map<String, Object> rest = object.getAdditionalProperties();
        Object unused = rest.remove("status");
        return object;
    }
}
