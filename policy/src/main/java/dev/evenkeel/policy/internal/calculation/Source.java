package dev.evenkeel.policy.internal.calculation;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.cache.GraphSource;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.graph.Feed;
import dev.evenkeel.graph.Graph;
import dev.evenkeel.graph.Input;
import dev.evenkeel.graph.Table;
import dev.evenkeel.graph.Transaction;
import dev.evenkeel.policy.internal.sharing.Shared;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The objects of a kind, converted before they reach the graph: it keeps the model, not the objects.
 *
 * @param <T> objects
 * @param <K> keys in the model
 * @param <V> the model
 */
public final class Source<T extends HasMetadata, K, V> {
    private final Class<T> type;
    private final Input<K, Converted<V>> input;
    private final Table<K, V> rows;
    private final Table<K, List<String>> problems;
    private final Function<ObjectKey, K> key;
    private final BiFunction<T, Consumer<String>, Optional<V>> conversion;

    Source(
            Graph graph,
            Class<T> type,
            Function<ObjectKey, K> key,
            BiFunction<T, Consumer<String>, Optional<V>> conversion) {
        this.type = type;
        this.key = object -> Shared.of(key.apply(object));
        this.conversion = conversion;
        String kind = HasMetadata.getKind(type);
        input = graph.<K, Converted<V>>input(kind + " objects");
        rows = input.<V>view((name, converted) -> converted.value()).rename(kind);
        problems = input.<List<String>>view(
                        (name, converted) -> converted.problems().isEmpty() ? null : converted.problems())
                .rename(kind + " problems");
    }

    Input<K, Converted<V>> input() {
        return input;
    }

    Table<K, V> rows() {
        return rows;
    }

    Table<K, List<String>> problems() {
        return problems;
    }

    /** Returns an informer, not yet started, whose objects are those of this kind. */
    public Informer<T> informer(Client client, Scheduler scheduler, InformerOptions options, Feed feed) {
        Informer<T> informer = new Informer<>(client, Kind.of(type), ListOptions.ALL, scheduler, options);
        Informer.Registration unused = GraphSource.attach(informer, feed, input, key, entry -> convert(entry.object()));
        return informer;
    }

    private Converted<V> convert(T object) {
        List<String> found = new ArrayList<>();
        return new Converted<>(conversion.apply(object, found::add).orElse(null), List.copyOf(found));
    }

    /** Sets an object. */
    public void put(Transaction transaction, HasMetadata object) {
        change(object).accept(transaction);
    }

    /** Converts an object, which the function then sets. */
    public Consumer<Transaction> change(HasMetadata object) {
        Converted<V> converted = convert(type.cast(object));
        K name = key.apply(ObjectKey.of(object));
        return transaction -> transaction.put(input, name, converted);
    }

    /** Removes an object. */
    public void remove(Transaction transaction, ObjectKey object) {
        transaction.remove(input, key.apply(object));
    }

    /** Replaces all objects. */
    public void replace(Transaction transaction, Collection<? extends HasMetadata> objects) {
        Map<K, Converted<V>> all = new HashMap<>();
        objects.forEach(object -> all.put(key.apply(ObjectKey.of(object)), convert(type.cast(object))));
        transaction.replace(input, all);
    }

    /** Notes that all objects are there. */
    public void synced(Transaction transaction) {
        transaction.synced(input);
    }
}
