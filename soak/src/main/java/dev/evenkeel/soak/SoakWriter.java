package dev.evenkeel.soak;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.cache.Cache;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Creates, updates and deletes objects of its own, which no other writer touches, and checks after each write that the
 * cache of the same process has it. One thread.
 */
final class SoakWriter {
    private static final Kind<ConfigMap> KIND = Kind.of(ConfigMap.class);
    private static final int NAMESPACES = 20;
    private static final int ROLES = 20;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Client client;
    private final Cache<ConfigMap> cache;
    private final SoakTally tally;
    private final AtomicLong sequence;
    private final Random random;
    private final List<ObjectKey> keys;
    private final int wanted;

    /** Keys whose delete has an unknown outcome. */
    private final List<ObjectKey> doubtful = new ArrayList<>();

    SoakWriter(SoakMember member, SoakTally tally, AtomicLong sequence, Random random, List<ObjectKey> keys) {
        this.client = member.manager.client();
        this.cache = member.manager.informer(KIND).cache();
        this.tally = tally;
        this.sequence = sequence;
        this.random = random;
        this.keys = new ArrayList<>(keys);
        this.wanted = keys.size();
    }

    static List<String> namespaces() {
        return IntStream.range(0, NAMESPACES).mapToObj(i -> "soak-" + i).toList();
    }

    /** Returns the object of this number for a create. */
    static ConfigMap object(long number) {
        String role = number % ROLES == 0 ? SoakMember.MIRROR : number % ROLES == 1 ? SoakMember.COPY : "none";
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("soak-" + number % NAMESPACES)
                .withName("soak-" + number)
                .addToLabels(SoakMember.ROLE, role)
                .endMetadata()
                .addToData(SoakMember.VALUE, "0")
                .addToData("text", "Lorem ipsum dolor sit amet, consetetur sadipscing elitr, number " + number)
                .build();
    }

    /** Writes once; returns after a pause when the API is unreachable. */
    void write() throws InterruptedException {
        int chance = random.nextInt(100);
        // a tenth is created and a tenth deleted; imbalances from unknown outcomes are compensated
        boolean few = keys.size() < wanted;
        try {
            if (!doubtful.isEmpty()) {
                delete(doubtful.getFirst());
            } else if (keys.isEmpty() || (few && chance < 20)) {
                create();
            } else if (!few && chance < 20) {
                delete();
            } else {
                update();
            }
            tally.writes.increment();
        } catch (ApiException e) {
            tally.wrong("a write was refused: " + e.getMessage());
        } catch (RuntimeException e) {
            // the outcome is unknown; the object is looked up the next time
            tally.unknown.increment();
            Thread.sleep(PAUSE);
        }
    }

    private void create() {
        ConfigMap object = object(sequence.getAndIncrement());
        keys.add(ObjectKey.of(object));
        tally.written(cache, client.create(object));
    }

    private void update() {
        int at = random.nextInt(keys.size());
        ObjectKey key = keys.get(at);
        try {
            String value = "{\"data\":{\"" + SoakMember.VALUE + "\":\"" + random.nextInt(1_000_000) + "\"}}";
            tally.written(cache, client.patch(KIND, key, Patch.merge(value), WriteOptions.DEFAULT));
        } catch (NotFoundException e) {
            forget(at);
        }
    }

    private void delete() {
        int at = random.nextInt(keys.size());
        ObjectKey key = keys.get(at);
        // a late delete must not meet a later update: from here on the key is only deleted
        forget(at);
        doubtful.add(key);
        delete(key);
    }

    private void delete(ObjectKey key) {
        try {
            var _ = client.delete(ConfigMap.class, key);
            tally.deleted(cache, key);
        } catch (NotFoundException e) {
            // an earlier delete succeeded after all, or its create did not
        }
        doubtful.remove(key);
    }

    private void forget(int at) {
        ObjectKey last = keys.removeLast();
        if (at < keys.size()) {
            keys.set(at, last);
        }
    }
}
