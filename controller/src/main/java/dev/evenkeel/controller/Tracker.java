package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * Records what the object that is being reconciled depends on, beside what it owns and what an index finds: it is reconciled
 * again when that changes, comes or goes.
 *
 * <p>What is recorded holds for twice the {@linkplain Controller#every interval} of the controller after it was recorded
 * last, or until the object is deleted. So each reconciliation tracks what it needs, and what it needs no more is forgotten
 * by itself. With an interval of zero it holds until the object is deleted.
 */
public interface Tracker {
    /**
     * Records that the object depends on others.
     *
     * @throws IllegalArgumentException when the controller does not {@linkplain Controller#tracks track} the kind, or the
     *     namespace is none of {@linkplain Manager.Builder#namespaces the manager's}: nobody would wake it
     */
    void track(Tracked tracked);

    /** What {@link #find} and {@link #list} read with. */
    Client client();

    /** Tracks an object and reads it; it is tracked also when it is missing, or reading fails. */
    default <O extends HasMetadata> Optional<O> find(Kind<O> kind, ObjectKey key) {
        track(Tracked.of(kind, key));
        return client().find(kind, key);
    }

    /** Tracks an object of the kind of this class and reads it. */
    default <O extends HasMetadata> Optional<O> find(Class<O> type, ObjectKey key) {
        return find(Kind.of(type), key);
    }

    /**
     * Tracks the objects of a namespace and label selector and lists them; they are tracked also when listing fails. Fields
     * narrow what is listed, and not what is tracked.
     */
    default <O extends HasMetadata> Listing<O> list(Kind<O> kind, ListOptions options) {
        track(Tracked.selecting(kind, options.namespace(), options.labels()));
        return client().list(kind, options);
    }

    /** Tracks objects of the kind of this class and lists them. */
    default <O extends HasMetadata> Listing<O> list(Class<O> type, ListOptions options) {
        return list(Kind.of(type), options);
    }
}
