package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import java.util.List;
import java.util.Optional;

/**
 * Objects of a partition that are kept in its store, and that no resource serves. Backups contain them.
 */
public record PrivateObjects(WriteContext cluster) {
    private static final String COLLECTION = "private.evenkeel.dev";

    /** An object, and the revision that a replacement expects. */
    public record Revisioned(long revision, JsonObject content) {}

    /** Returns an object. */
    public Optional<Revisioned> read(String name) {
        Store store = cluster.store();
        Store.Entry entry = (store.shared() ? store.latest() : store.snapshot()).get(key(name));
        return Optional.ofNullable(entry)
                .map(found -> new Revisioned(
                        found.revision(), StoredObject.tree(found).object("content")));
    }

    /**
     * Creates or replaces an object.
     *
     * @param expectedRevision of the present object; 0 for none
     * @return false when the present object is another one
     */
    public boolean write(String name, long expectedRevision, JsonObject content) {
        JsonObject tree = JsonObject.of("apiVersion", "evenkeel.dev/v1", "kind", "PrivateObject")
                .set("metadata", JsonObject.of("name", name))
                .set("content", content);
        byte[] bytes = Json.write(tree);
        StoredObject object = StoredObject.decode(bytes, Encoded.Header.of(bytes), null);
        Store.Change change = new Store.Change(key(name), expectedRevision, object);
        try {
            return cluster.store().commit(List.of(change)) instanceof Store.Committed;
        } catch (StoreException e) {
            throw Refusal.notWritten(e);
        }
    }

    private Store.Key key(String name) {
        return new Store.Key(cluster.collection(COLLECTION), "", name);
    }
}
