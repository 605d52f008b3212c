package dev.evenkeel.controller;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Index;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A reference of objects of one kind, the sources, to objects of another kind, the targets: by name, or by a label
 * selector. Controllers of both kinds can be triggered by it, with {@link Controller#refersTo} and
 * {@link Controller#referredBy}.
 *
 * <pre>{@code
 * static final Reference<Album, Artist> ARTIST =
 *         Reference.of("artist", ALBUMS, ARTISTS, album -> Stream.of(album.getSpec().artist()));
 *
 * Controller.of(ALBUMS, albums).refersTo(ARTIST)      // also triggered by the artist of an album
 * Controller.of(ARTISTS, artists).referredBy(ARTIST)  // also triggered by the albums of an artist
 * }</pre>
 *
 * <h2>The problem</h2>
 *
 * <p>A reference is a field that changes: an album moves from artist A to B. Its present state names B only, while the
 * number of albums in the status of A is wrong. And a target may be missing, appear later, or be replaced.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>When a source starts or ceases to refer to a target, changes, or is deleted, the target is reconciled: the
 *       former one and the present one, and each one in between that a reader of the cache could have seen.
 *   <li>When a target is created, changes or is deleted, the sources that refer to it are reconciled. It need not exist
 *       before.
 *   <li>Finding the sources of a target costs a lookup, not a walk over all sources.
 * </ol>
 *
 * <p>A dependency that is computed during a reconciliation is not a field, and is {@linkplain Tracker tracked} instead.
 *
 * @param <S> class of the sources
 * @param <T> class of the targets
 */
public final class Reference<S extends HasMetadata, T extends HasMetadata> {
    /** Finds the sources of a target, and the targets of a source. */
    private interface Lookup<S extends HasMetadata, T extends HasMetadata> {
        Index<S, ?> index();

        List<Cache.Entry<S>> sources(ObjectKey target, Map<String, String> labels, Cache<S> sources);

        Stream<ObjectKey> targets(Cache.Entry<S> source, Cache<T> targets);
    }

    private final String name;
    private final Kind<S> source;
    private final Kind<T> target;
    private final Lookup<S, T> lookup;

    private Reference(String name, Kind<S> source, Kind<T> target, Lookup<S, T> lookup) {
        this.name = name;
        this.source = source;
        this.target = target;
        this.lookup = lookup;
    }

    /**
     * Returns a reference by name: to targets in the namespace of the source, or to cluster-scoped ones.
     *
     * @param name name for display and of the index of the sources, unique among those of the kind
     * @param names function to the names of the targets; empty names are ignored
     * @throws IllegalArgumentException when sources are cluster-scoped and targets are not: use {@link #ofKeys}
     */
    public static <S extends HasMetadata, T extends HasMetadata> Reference<S, T> of(
            String name, Kind<S> source, Kind<T> target, Function<? super S, ? extends Stream<String>> names) {
        if (target.namespaced() && !source.namespaced()) {
            throw new IllegalArgumentException("reference " + name + ": " + target.id() + " are namespaced and "
                    + source.id() + " are not, so a name is not enough: use Reference.ofKeys");
        }
        return ofKeys(
                name,
                source,
                target,
                object -> names.apply(object)
                        .filter(one -> !one.isEmpty())
                        .map(one -> new ObjectKey(
                                target.namespaced() ? ObjectKey.of(object).namespace() : "", one)));
    }

    /**
     * Returns a reference by namespace and name.
     *
     * @param name name for display and of the index of the sources, unique among those of the kind
     * @param keys function to the keys of the targets
     */
    public static <S extends HasMetadata, T extends HasMetadata> Reference<S, T> ofKeys(
            String name, Kind<S> source, Kind<T> target, Function<? super S, ? extends Stream<ObjectKey>> keys) {
        return new Reference<>(name, source, target, new ByKey<>(Index.of("reference " + name, keys), keys));
    }

    /**
     * Returns a reference by a label selector: to targets in the namespace of the source, or in all when one of the kinds
     * is cluster-scoped.
     *
     * @param name name for display and of the index of the sources, unique among those of the kind
     * @param selector function to the selector; empty for no target
     */
    public static <S extends HasMetadata, T extends HasMetadata> Reference<S, T> selecting(
            String name,
            Kind<S> source,
            Kind<T> target,
            Function<? super S, ? extends Optional<LabelSelector>> selector) {
        boolean local = source.namespaced() && target.namespaced();
        Index<S, String> index = Index.of(
                "reference " + name, object -> selector.apply(object).stream().map(BySelector::pinned));
        return new Reference<>(name, source, target, new BySelector<>(index, selector, local));
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the kind of the sources. */
    public Kind<S> source() {
        return source;
    }

    /** Returns the kind of the targets. */
    public Kind<T> target() {
        return target;
    }

    /** Returns the index of the sources. {@link Controller#refersTo} and {@link Controller#referredBy} declare it. */
    public Index<S, ?> index() {
        return lookup.index();
    }

    /**
     * Returns the sources that refer to a target, by the {@link #index}.
     *
     * @throws IllegalArgumentException when the index is not declared
     */
    public List<Cache.Entry<S>> sourcesOf(T object, Cache<S> sources) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return lookup.sources(ObjectKey.of(object), labels == null ? Map.of() : labels, sources);
    }

    /** Returns the mapper of a controller of the sources, which watches the targets. The {@link #index} is required. */
    public Mapper<S, T> toSources() {
        return new Mapper<>(
                name, (watched, caches) -> keys(lookup.sources(watched.key(), watched.labels(), caches.primaries())));
    }

    private static Collection<ObjectKey> keys(List<? extends Cache.Entry<?>> found) {
        return found.stream().map(Cache.Entry::key).toList();
    }

    /**
     * Returns the mapper of a controller of the targets, which watches the sources. The {@link #index} is not used, but
     * without it a source that moves several times in a row triggers the first and the last target only.
     */
    public Mapper<T, S> toTargets() {
        return new Mapper<>(
                name,
                (watched, caches) -> lookup.targets(watched, caches.primaries()).toList());
    }

    @Override
    public String toString() {
        return name + " of " + source.id() + " to " + target.id();
    }

    private record ByKey<S extends HasMetadata, T extends HasMetadata>(
            Index<S, ObjectKey> index, Function<? super S, ? extends Stream<ObjectKey>> keys) implements Lookup<S, T> {
        @Override
        public List<Cache.Entry<S>> sources(ObjectKey target, Map<String, String> labels, Cache<S> sources) {
            return sources.by(index, target);
        }

        @Override
        public Stream<ObjectKey> targets(Cache.Entry<S> source, Cache<T> targets) {
            return keys.apply(source.object());
        }
    }

    /** Sources are indexed by one label that their selector requires; those that require none are tried one by one. */
    private record BySelector<S extends HasMetadata, T extends HasMetadata>(
            Index<S, String> index, Function<? super S, ? extends Optional<LabelSelector>> selector, boolean local)
            implements Lookup<S, T> {
        private static final String NONE = "";

        static String pinned(LabelSelector selector) {
            return selector.requirements().stream()
                    .flatMap(one -> selector.exactValue(one.key()).stream().map(value -> label(one.key(), value)))
                    .findFirst()
                    .orElse(NONE);
        }

        private static String label(String key, String value) {
            return key + "=" + value;
        }

        @Override
        public List<Cache.Entry<S>> sources(ObjectKey target, Map<String, String> labels, Cache<S> sources) {
            Stream<String> pins = labels.entrySet().stream().map(one -> label(one.getKey(), one.getValue()));
            return Stream.concat(Stream.of(NONE), pins)
                    .flatMap(pin -> sources.by(index, pin).stream())
                    .filter(source -> !local || source.key().namespace().equals(target.namespace()))
                    .filter(source -> selector.apply(source.object())
                            .filter(one -> one.matches(labels))
                            .isPresent())
                    .toList();
        }

        @Override
        public Stream<ObjectKey> targets(Cache.Entry<S> source, Cache<T> targets) {
            String namespace = local ? source.key().namespace() : "";
            return selector.apply(source.object()).stream()
                    .flatMap(one -> targets.list(ListOptions.in(namespace).labels(one)).stream())
                    .map(Cache.Entry::key);
        }
    }
}
