package dev.evenkeel.controller.cache;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.graph.Feed;
import dev.evenkeel.graph.Input;
import dev.evenkeel.graph.Transaction;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Informers as sources of a graph's inputs: the rows of an input follow the objects of an informer, of whichever {@link
 * dev.evenkeel.client.Client}. A gap in the watch changes only the rows that differ after it.
 */
public final class GraphSource {
    private static final Logger LOG = LoggerFactory.getLogger(GraphSource.class);

    private GraphSource() {}

    /**
     * Adds a handler to an informer that writes its objects to an input, which is {@linkplain
     * Transaction#synced in sync} when it has those of the first list.
     *
     * @param value computes the value of a row on the thread of the handler, null for no row; it should keep only what the
     *     graph uses. If it throws, the object has no row until its next change, and the informer counts and logs the
     *     problem
     * @return the handler; after it is closed, the rows stay as they are
     */
    public static <T extends HasMetadata, V> Informer.Registration attach(
            Informer<T> informer,
            Feed feed,
            Input<ObjectKey, V> input,
            Function<? super Cache.Entry<T>, ? extends @Nullable V> value) {
        return attach(informer, feed, input, key -> key, value);
    }

    /**
     * Adds a handler to an informer that writes its objects to an input with keys of another type.
     *
     * @param key computes the key of a row from that of the object: a different one for each object
     * @see #attach(Informer, Feed, Input, Function)
     */
    public static <T extends HasMetadata, K, V> Informer.Registration attach(
            Informer<T> informer,
            Feed feed,
            Input<K, V> input,
            Function<? super ObjectKey, ? extends K> key,
            Function<? super Cache.Entry<T>, ? extends @Nullable V> value) {
        Informer.Registration handler = informer.handle("graph input " + input.name(), change -> {
            if (!(change instanceof Informer.Change.Resync<T>)) {
                apply(change, feed, input, key.apply(change.key()), value);
            }
        });
        var unused = handler.synced().thenRun(() -> submit(feed, input, tx -> tx.synced(input)));
        return handler;
    }

    private static <T extends HasMetadata, K, V> void apply(
            Informer.Change<T> change,
            Feed feed,
            Input<K, V> input,
            K key,
            Function<? super Cache.Entry<T>, ? extends @Nullable V> value) {
        if (change instanceof Informer.Change.Deleted<T>) {
            submit(feed, input, tx -> tx.remove(input, key));
            return;
        }
        @Nullable V row;
        try {
            row = value.apply(change.object());
        } catch (RuntimeException e) {
            submit(feed, input, tx -> tx.remove(input, key));
            throw e;
        }
        submit(feed, input, row == null ? tx -> tx.remove(input, key) : tx -> tx.put(input, key, row));
    }

    private static void submit(Feed feed, Input<?, ?> input, Consumer<Transaction> change) {
        var unused = feed.submit(change).whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.atWarn()
                        .addKeyValue("input", input.name())
                        .setCause(failure)
                        .log("a change failed a step of the graph, and was left out");
            }
        });
    }
}
