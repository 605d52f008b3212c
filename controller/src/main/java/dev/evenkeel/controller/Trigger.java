package dev.evenkeel.controller;

import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Informer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Which changes wake a controller.
 *
 * <p>It sees the state before and after: an object that leaves what is looked for is a change as much as one that comes.
 * Composable; {@link #any()} is the default.
 *
 * @param <T> class of the objects
 */
@FunctionalInterface
public interface Trigger<T extends HasMetadata> {
    /** Whether this change counts. */
    boolean test(Informer.Change<T> change);

    /** All changes. */
    static <T extends HasMetadata> Trigger<T> any() {
        return change -> true;
    }

    /**
     * That what somebody looks at changed: a part of the object, or what was made of it. Objects that come or go count.
     *
     * @param part what is looked at, with equals
     */
    static <T extends HasMetadata> Trigger<T> changed(Function<Cache.Entry<T>, ?> part) {
        return change -> !(change instanceof Informer.Change.Updated<T>(Cache.Entry<T> before, Cache.Entry<T> after))
                || !Objects.equals(part.apply(before), part.apply(after));
    }

    /**
     * That what is wanted changed: the generation, or that the object is marked for deletion, or what holds it then. What
     * happens to status, labels and annotations does not count. Of kinds that do not count generations, such as config
     * maps, all changes count: nobody can tell what changed.
     */
    static <T extends HasMetadata> Trigger<T> generation() {
        record Wanted(long generation, boolean deleted, List<String> finalizers) {}
        Trigger<T> uncounted = change -> change.object().generation() == 0;
        return uncounted.or(changed(object -> new Wanted(
                object.generation(),
                object.deleted(),
                object.deleted() ? object.encoded().header().finalizers() : List.of())));
    }

    /** That labels changed. */
    static <T extends HasMetadata> Trigger<T> labels() {
        return changed(Cache.Entry::labels);
    }

    /** That annotations changed. */
    static <T extends HasMetadata> Trigger<T> annotations() {
        return changed(Cache.Entry::annotations);
    }

    /** That an object is, or was before the change, one of those that are looked for. */
    static <T extends HasMetadata> Trigger<T> where(Predicate<Cache.Entry<T>> wanted) {
        return change -> switch (change) {
            case Informer.Change.Updated<T>(Cache.Entry<T> before, Cache.Entry<T> after) ->
                wanted.test(before) || wanted.test(after);
            default -> wanted.test(change.object());
        };
    }

    /** Both. */
    default Trigger<T> and(Trigger<T> other) {
        return change -> test(change) && other.test(change);
    }

    /** One of them, or both. */
    default Trigger<T> or(Trigger<T> other) {
        return change -> test(change) || other.test(change);
    }

    /** All but these. */
    default Trigger<T> not() {
        return change -> !test(change);
    }
}
