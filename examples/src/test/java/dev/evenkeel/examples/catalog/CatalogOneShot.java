package dev.evenkeel.examples.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The one-shot body: publishes everything in a random order, and verifies the end only. */
final class CatalogOneShot {
    private CatalogOneShot() {}

    /** Creates all objects of a load, in an order that the seed decides. */
    static void publish(Catalog catalog, CatalogLoad load, long seed) {
        record Write(Client client, HasMetadata object) {}
        List<Write> writes = new ArrayList<>();
        load.genres().forEach(genre -> writes.add(new Write(catalog.system(), genre)));
        load.objects().forEach(object -> writes.add(new Write(catalog.client(), object)));
        Collections.shuffle(writes, new Random(seed));
        writes.forEach(write -> create(write.client(), write.object()));
    }

    @SuppressWarnings("unchecked") // of its own class
    private static <T extends HasMetadata> void create(Client client, T object) {
        var _ = client.create(Kind.of((Class<T>) object.getClass()), object, WriteOptions.DEFAULT);
    }

    /** Verifies that all statuses and listings are those that follow from the objects, however these were written. */
    static void verify(Catalog catalog) {
        catalog.eventually(
                () -> assertThat(CatalogCheck.problems(catalog.client())).isEmpty());
    }
}
