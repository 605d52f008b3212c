package dev.evenkeel.reconcile;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Trigger;
import dev.evenkeel.controller.cache.Cached;
import dev.evenkeel.controller.cache.Change;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The echo of a status that a failing reconciliation has written: the change by which the watch tells of it.
 *
 * <p>The problem: a failure waits before it is tried again, longer each time. When its status says something new each time,
 * such as how often it was tried, the echo of that would bring the object again at once, and the delays were for nothing.
 *
 * <ol>
 * <li>What is not listened to is one change for each write, of nothing but the status, and only of an object that comes
 *     again by itself. So nothing is missed, whoever writes meanwhile.
 * <li>The next reconciliation of the object ends the waiting for an echo, whether it was heard or not.
 * </ol>
 */
final class StatusEchoFilter<T extends HasMetadata> {
    private final Set<ObjectKey> awaited = ConcurrentHashMap.newKeySet();

    /** Forgets an echo that did not come. */
    void forget(ObjectKey key) {
        boolean unused = awaited.remove(key);
    }

    /** Writes a status whose echo is not listened to. */
    StatusWriter.Ending without(ObjectKey key, Supplier<StatusWriter.Ending> write) {
        // the echo may be faster than the answer
        boolean unused = awaited.add(key);
        StatusWriter.Ending ending = write.get();
        if (!(ending instanceof StatusWriter.Ending.Written)) {
            forget(key);
        }
        return ending;
    }

    /** All changes but echoes. */
    Trigger<T> trigger() {
        return change -> !(change instanceof Change.Updated<T>(Cached<T> before, Cached<T> after)
                && awaited.contains(change.key())
                && apartFromStatus(before).equals(apartFromStatus(after))
                && awaited.remove(change.key()));
    }

    private static GenericKubernetesResource apartFromStatus(Cached<?> cached) {
        GenericKubernetesResource object = cached.object(GenericKubernetesResource.class);
        object.getMetadata().setResourceVersion(null);
        object.getMetadata().setManagedFields(null);
        Map<String, Object> rest = object.getAdditionalProperties();
        Object unused = rest.remove("status");
        return object;
    }
}
