package dev.evenkeel.soak;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.cache.Cache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the events of a soak and collects its failures. Thread-safe. */
final class SoakTally {
    private static final int KEPT = 20;

    final LongAdder writes = new LongAdder();
    final LongAdder unknown = new LongAdder();
    final LongAdder checks = new LongAdder();
    final LongAdder stale = new LongAdder();
    final LongAdder reconciliations = new LongAdder();
    final LongAdder activations = new LongAdder();
    final LongAdder placesLost = new LongAdder();
    final LongAdder faults = new LongAdder();
    private final LongAdder wrongs = new LongAdder();
    private final List<String> wrong = new ArrayList<>();
    private final ConcurrentMap<String, String> running = new ConcurrentHashMap<>();

    void wrong(String what) {
        wrongs.increment();
        synchronized (wrong) {
            if (wrong.size() < KEPT) {
                wrong.add(what);
            }
        }
    }

    List<String> wrong() {
        synchronized (wrong) {
            List<String> all = new ArrayList<>(wrong);
            if (wrongs.sum() > all.size()) {
                all.add("and " + (wrongs.sum() - all.size()) + " more");
            }
            return all;
        }
    }

    void enter(String controller, ObjectKey key, String member) {
        reconciliations.increment();
        String other = running.putIfAbsent(controller + " " + key, member);
        if (other != null) {
            wrong(controller + " reconciles " + key + " at " + member + " while " + other + " does");
        }
    }

    void leave(String controller, ObjectKey key, String member) {
        running.remove(controller + " " + key, member);
    }

    /**
     * Checks that a cache is at least as new as an object just written through its client; only the caller deletes the
     * object.
     */
    void written(Cache<? extends HasMetadata> cache, HasMetadata object) {
        checks.increment();
        if (!isSeen(cache, object)) {
            stale(cache, object);
        }
    }

    static boolean isSeen(Cache<? extends HasMetadata> cache, HasMetadata written) {
        Optional<? extends Cache.Entry<?>> seen = cache.get(ObjectKey.of(written));
        return seen.isPresent()
                && Long.parseLong(seen.get().resourceVersion())
                        >= Long.parseLong(written.getMetadata().getResourceVersion());
    }

    void stale(Cache<? extends HasMetadata> cache, HasMetadata written) {
        stale.increment();
        ObjectKey key = ObjectKey.of(written);
        wrong("stale: " + key + " was written as version "
                + written.getMetadata().getResourceVersion()
                + ", but the cache has "
                + cache.get(key).map(Cache.Entry::resourceVersion).orElse("none"));
    }

    /**
     * Checks that a cache no longer has an object just deleted through its client; only the caller creates the object.
     */
    void deleted(Cache<? extends HasMetadata> cache, ObjectKey key) {
        checks.increment();
        cache.get(key).ifPresent(seen -> {
            stale.increment();
            wrong("stale: " + key + " was deleted, but the cache has version " + seen.resourceVersion());
        });
    }
}
