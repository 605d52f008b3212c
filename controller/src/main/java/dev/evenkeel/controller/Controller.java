package dev.evenkeel.controller;

import dev.evenkeel.client.Kind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;

/**
 * What a reconciler needs to be run: which objects it is for, which it owns, and by how many workers. A value; a
 * {@link Manager} runs it.
 *
 * @param name for people, unique in a manager
 * @param primary kind whose objects are reconciled
 * @param owned kinds whose objects wake the reconciler of the primary object that is their controller
 * @param workers how many keys at once
 * @param reconciler what is run
 * @param <T> class of the primary objects
 */
public record Controller<T extends HasMetadata>(
        String name, Kind<T> primary, List<Kind<?>> owned, int workers, Reconciler<T> reconciler) {
    /** Copies the kinds, and refuses what cannot run. */
    public Controller {
        owned = List.copyOf(owned);
        if (workers < 1) {
            throw new IllegalArgumentException("controller " + name + " needs at least one worker, not " + workers);
        }
    }

    /** A controller of this kind, named after it, with two workers, that owns nothing yet. */
    public static <T extends HasMetadata> Controller<T> of(Kind<T> primary, Reconciler<T> reconciler) {
        return new Controller<>(primary.id(), primary, List.of(), 2, reconciler);
    }

    /** A controller of the kind of this class. */
    public static <T extends HasMetadata> Controller<T> of(Class<T> primary, Reconciler<T> reconciler) {
        return of(Kind.of(primary), reconciler);
    }

    /** The same that owns objects of this kind too. */
    public Controller<T> owns(Kind<?> kind) {
        List<Kind<?>> kinds = new ArrayList<>(owned);
        kinds.add(kind);
        return new Controller<>(name, primary, kinds, workers, reconciler);
    }

    /** The same that owns objects of the kind of this class too. */
    public Controller<T> owns(Class<? extends HasMetadata> type) {
        return owns(Kind.of(type));
    }

    /** The same with another name. */
    public Controller<T> named(String value) {
        return new Controller<>(value, primary, owned, workers, reconciler);
    }

    /** The same with so many workers. */
    public Controller<T> workers(int value) {
        return new Controller<>(name, primary, owned, value, reconciler);
    }
}
