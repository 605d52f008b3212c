package dev.evenkeel.controller.internal.event;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts occurrences to events of one of the APIs. One task at a time calls it. */
abstract sealed class Dialect permits CoreDialect, SeriesDialect {
    @FunctionalInterface
    interface Write {
        /** Writes the event; may be tried again when it failed. */
        void to(Client client);
    }

    static final Write NOTHING = client -> {};

    /** Leaves an occurrence out as one of too many. */
    static final Write FILTERED = client -> {};

    /** The most recently used entries, as many as client-go keeps. */
    static final class Recent<V> extends LinkedHashMap<String, V> {
        private static final int MOST = 4096;

        Recent() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > MOST;
        }
    }

    final Scheduler scheduler;
    final String controller;
    final String instance;
    private long number;

    Dialect(Scheduler scheduler, String controller, String instance) {
        this.scheduler = scheduler;
        this.controller = controller;
        this.instance = instance;
        this.number = scheduler.random().nextLong() & Long.MAX_VALUE;
    }

    /** Combines an occurrence with the previous ones. */
    abstract Write observe(Occurrence occurrence);

    /** Returns writes that are due without a new occurrence. */
    List<Write> due(boolean last) {
        return List.of();
    }

    String name(Occurrence occurrence) {
        return occurrence.name(number++);
    }

    static ObjectMeta metadata(Occurrence occurrence, String name) {
        ObjectMeta metadata = new ObjectMeta();
        metadata.setNamespace(occurrence.namespace());
        metadata.setName(name);
        return metadata;
    }

    /** Changes an event; returns false when it has expired. */
    static <E extends HasMetadata> boolean changed(
            Client client, Kind<E> kind, Occurrence occurrence, String name, E change) {
        Patch patch = Patch.merge(new String(ModelCodec.encode(change), StandardCharsets.UTF_8));
        try {
            client.patch(kind, ObjectKey.of(occurrence.namespace(), name), patch, WriteOptions.DEFAULT);
            return true;
        } catch (NotFoundException e) {
            return false;
        }
    }
}
