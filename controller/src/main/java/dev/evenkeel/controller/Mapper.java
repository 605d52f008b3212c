package dev.evenkeel.controller;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Index;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Finds the primary objects that a change of a watched object affects.
 *
 * <p>It is called for the state before a change and the state after it, so that primary objects are found that only the
 * former state affects. It must be quick: it should read from caches only. A {@link Reference} has mappers for both of
 * its sides.
 *
 * @param name name for display in the causes of reconciliations and in the dependency graph
 * @param keys function to keys of primary objects; when it throws, that is logged, and all primary objects are
 *     reconciled
 * @param <T> class of the primary objects
 * @param <W> class of the watched objects
 */
public record Mapper<T extends HasMetadata, W extends HasMetadata>(String name, Keys<T, W> keys) {
    /** The function of a mapper. */
    @FunctionalInterface
    public interface Keys<T extends HasMetadata, W extends HasMetadata> {
        /**
         * Returns keys of primary objects.
         *
         * @param watched a state of the watched object
         * @param caches caches of the controller
         */
        Collection<ObjectKey> of(Cache.Entry<W> watched, ControllerCaches<T> caches);
    }

    /** Maps to the controlling owner of the watched object. */
    public static <T extends HasMetadata, W extends HasMetadata> Mapper<T, W> controller(Kind<T> primary) {
        return new Mapper<>("controller", (watched, caches) -> owners(primary, watched, true));
    }

    /** Maps to all owners of the watched object. */
    public static <T extends HasMetadata, W extends HasMetadata> Mapper<T, W> owners(Kind<T> primary) {
        return new Mapper<>("owners", (watched, caches) -> owners(primary, watched, false));
    }

    private static List<ObjectKey> owners(Kind<?> primary, Cache.Entry<?> watched, boolean controllersOnly) {
        String namespace = primary.namespaced() ? watched.key().namespace() : "";
        return watched.owners().stream()
                .filter(owner -> (owner.controller() || !controllersOnly) && isOf(primary, owner))
                .map(owner -> ObjectKey.of(namespace, owner.name()))
                .toList();
    }

    /** Compares group and kind: a reference may have another served version. */
    private static boolean isOf(Kind<?> kind, Encoded.Header.Owner owner) {
        int slash = owner.apiVersion().indexOf('/');
        String group = slash < 0 ? "" : owner.apiVersion().substring(0, slash);
        return owner.kind().equals(kind.kind()) && group.equals(kind.group());
    }

    /** Maps to the object in the same namespace whose name is the value of a label; to none without the label. */
    public static <T extends HasMetadata, W extends HasMetadata> Mapper<T, W> label(String label) {
        return new Mapper<>("label " + label, (it, caches) -> {
            String name = it.labels().getOrDefault(label, "");
            return name.isEmpty() ? List.of() : List.of(ObjectKey.of(it.key().namespace(), name));
        });
    }

    /** Maps to the object of the same namespace and name. */
    public static <T extends HasMetadata, W extends HasMetadata> Mapper<T, W> sameName() {
        return new Mapper<>("same name", (watched, caches) -> List.of(watched.key()));
    }

    /**
     * Maps to all objects that refer to the watched one: those that an index of the primary objects has under a value.
     *
     * @param index index of the primary objects by their references
     * @param value value by which the watched object is referred to
     */
    public static <T extends HasMetadata, W extends HasMetadata, V extends Comparable<? super V>> Mapper<T, W> index(
            Index<T, V> index, Function<Cache.Entry<W>, V> value) {
        return new Mapper<>(
                "index " + index.name(),
                (watched, caches) -> caches.primaries().by(index, value.apply(watched)).stream()
                        .map(Cache.Entry::key)
                        .toList());
    }

    /** Maps to the keys that a function returns. */
    public static <T extends HasMetadata, W extends HasMetadata> Mapper<T, W> of(
            String name, Function<Cache.Entry<W>, Stream<ObjectKey>> keys) {
        return new Mapper<>(name, (watched, caches) -> keys.apply(watched).toList());
    }
}
