package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.Fence;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.NameGenerator;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.strategy.Strategies;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Types;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The shared context of a partition's verbs: its store, its types, its clock, and the one way to commit.
 *
 * @param random the source of uids and generated names
 * @param limits the limits of parsers
 * @param maxObjectBytes the largest object that is stored, in bytes
 * @param services notified of every change after it is committed
 */
public record WriteContext(
        String partition,
        Store store,
        Supplier<Types> types,
        Strategies strategies,
        ResourceStrategy.Context context,
        Decoder decoder,
        InstantSource clock,
        RandomGenerator random,
        JsonLimits limits,
        int maxObjectBytes,
        Services services) {

    /** Receives changes once they are committed, on the thread that committed. */
    public interface Services {
        void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current);
    }

    /** Returns the collection of a type's objects. */
    public String collection(ResourceType type) {
        return collection(strategies.of(type, type.storageVersion()).storage());
    }

    /** Returns the collection of an id, which is that of a type or of its storage. */
    public String collection(String id) {
        return partition + "/" + id;
    }

    public Store.Key key(Target target) {
        return target.key(collection(target.type()));
    }

    /** Returns the present object of a target; null when there is none. */
    public Store.@Nullable Entry read(Target target) {
        return store.snapshot().get(key(target));
    }

    /**
     * Returns the present object of a target.
     *
     * @throws dev.evenkeel.client.NotFoundException when there is none
     */
    public Store.Entry require(Target target) {
        Store.Entry entry = read(target);
        if (entry == null) {
            throw Refusal.notFound(target.type(), target.name());
        }
        return entry;
    }

    /** Refuses a revision that the store has not reached yet. */
    public void requireReached(long revision) {
        long current = store.revision();
        if (Long.compareUnsigned(revision, current) > 0) {
            throw Refusal.tooNew(revision, current);
        }
    }

    /** Passes the present objects of a collection, in all namespaces or in one, to a consumer. */
    public void each(String collection, String namespace, Consumer<Store.Entry> consumer) {
        store.snapshot().range(collection, namespace, null, entry -> {
            consumer.accept(entry);
            return true;
        });
    }

    /** Returns the time in the format of the API: seconds, UTC. */
    public String now() {
        return time(clock.instant());
    }

    public static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    public String uuid() {
        return NameGenerator.uuid(random);
    }

    /** Encodes an object in the storage version of its type; it must be in the target's version. */
    public StoredObject encode(JsonObject tree, Target target) {
        ResourceType.Version storage = target.type().storageVersion();
        boolean same = storage.name().equals(target.version().name());
        JsonObject stored = same ? tree : strategies.of(target.type(), storage).convert(tree.copy());
        StoredObject object = StoredObject.encode(stored, storage);
        if (object.bytes().length > maxObjectBytes) {
            throw Refusal.tooLarge("the object takes " + object.bytes().length + " bytes: limit is " + maxObjectBytes);
        }
        return object;
    }

    /**
     * Writes or, with null, deletes an object, and notifies the services.
     *
     * @param target for messages
     * @param previous the expected present entry; null for none
     * @param fence a lease that must hold at the commit; empty for none
     * @return the revision of the commit; 0 when the present entry was another one
     * @throws dev.evenkeel.client.ConflictException when the fence does not hold
     */
    public long commit(
            Target target,
            Store.Key key,
            Store.@Nullable Entry previous,
            @Nullable StoredObject value,
            Optional<Fence> fence) {
        long expected = previous == null ? 0 : previous.revision();
        List<Store.Change> changes = List.of(new Store.Change(key, expected, value));
        while (true) {
            List<Store.Condition> conditions =
                    fence.isEmpty() ? List.of() : Fences.conditions(this, fence.get(), target, key, previous);
            switch (commit(changes, conditions)) {
                case Store.Committed committed -> {
                    Store.Entry current = value == null ? null : new Store.Entry(key, committed.revision(), value);
                    services.changed(key, previous, current);
                    return committed.revision();
                }
                case Store.Conflict conflict -> {
                    if (conflict.key().equals(key)) {
                        return 0;
                    }
                    // the lease changed, perhaps only by a renewal: check it again
                }
            }
        }
    }

    private Store.Outcome commit(List<Store.Change> changes, List<Store.Condition> conditions) {
        try {
            return store.commit(changes, conditions);
        } catch (StoreException e) {
            throw Refusal.notWritten(e);
        }
    }

    /** Returns the object of an entry as a tree in the version of the target. */
    public JsonObject tree(Store.Entry entry, Target target) {
        JsonObject tree = StoredObject.tree(entry);
        return entry.value().isEncodedFor(target.version())
                ? tree
                : strategies.of(target).convert(tree);
    }

    public Document document(Store.Entry entry, Target target) {
        return Documents.of(entry, entry.revision(), target, strategies.of(target));
    }
}
