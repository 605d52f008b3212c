package dev.evenkeel.controller;

import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Informer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Selects the changes that trigger a controller.
 *
 * <p>It receives the states before and after: an object that stops matching is a change as much as one that starts to.
 * Composable; {@link #any()} is the default.
 *
 * @param <T> class of the objects
 */
@FunctionalInterface
public interface Trigger<T extends HasMetadata> {
    /** Returns whether this change counts. */
    boolean test(Informer.Change<T> change);

    /** Returns a trigger for all changes. */
    static <T extends HasMetadata> Trigger<T> any() {
        return change -> true;
    }

    /**
     * Returns a trigger for changes of a part of the object, or of a value derived from it. Creations and deletions
     * count.
     *
     * @param part returns the part, with equals
     */
    static <T extends HasMetadata> Trigger<T> changed(Function<Cache.Entry<T>, ?> part) {
        return change -> !(change instanceof Informer.Change.Updated<T>(Cache.Entry<T> before, Cache.Entry<T> after))
                || !Objects.equals(part.apply(before), part.apply(after));
    }

    /**
     * Returns a trigger for changes of the desired state: the generation, the deletion timestamp, and the finalizers
     * after that. Changes of status, labels and annotations do not count. For kinds without generations, such as config
     * maps, all changes count, since their part is unknown.
     */
    static <T extends HasMetadata> Trigger<T> generation() {
        record Wanted(long generation, boolean deleted, List<String> finalizers) {}
        Trigger<T> uncounted = change -> change.object().generation() == 0;
        return uncounted.or(changed(object -> new Wanted(
                object.generation(),
                object.deleted(),
                object.deleted() ? object.encoded().header().finalizers() : List.of())));
    }

    /** Returns a trigger for changes of labels. */
    static <T extends HasMetadata> Trigger<T> labels() {
        return changed(Cache.Entry::labels);
    }

    /** Returns a trigger for changes of annotations. */
    static <T extends HasMetadata> Trigger<T> annotations() {
        return changed(Cache.Entry::annotations);
    }

    /** Returns a trigger for objects that match a predicate after, or matched it before the change. */
    static <T extends HasMetadata> Trigger<T> where(Predicate<Cache.Entry<T>> wanted) {
        return change -> switch (change) {
            case Informer.Change.Updated<T>(Cache.Entry<T> before, Cache.Entry<T> after) ->
                wanted.test(before) || wanted.test(after);
            default -> wanted.test(change.object());
        };
    }

    /** Returns a trigger for changes that match both. */
    default Trigger<T> and(Trigger<T> other) {
        return change -> test(change) && other.test(change);
    }

    /** Returns a trigger for changes that match at least one of the two. */
    default Trigger<T> or(Trigger<T> other) {
        return change -> test(change) || other.test(change);
    }

    /** Returns a trigger for all changes that do not match. */
    default Trigger<T> not() {
        return change -> !test(change);
    }
}
