package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.LinkedHashMap;
import java.util.Map;

/** One informer a kind, however many controllers look at it. */
final class Informers {
    private final Client client;
    private final Scheduler scheduler;
    private final Backoff backoff;
    private final Map<Kind<?>, Informer<?>> informers = new LinkedHashMap<>();

    Informers(Client client, Scheduler scheduler, Backoff backoff) {
        this.client = client;
        this.scheduler = scheduler;
        this.backoff = backoff;
    }

    /** The informer of a kind. */
    @SuppressWarnings("unchecked")
    <T extends HasMetadata> Informer<T> of(Kind<T> kind) {
        return (Informer<T>)
                informers.computeIfAbsent(kind, k -> new Informer<>(client, kind, ListOptions.ALL, scheduler, backoff));
    }

    void start() {
        informers.values().forEach(Informer::start);
    }

    void close() {
        informers.values().forEach(Informer::close);
    }
}
