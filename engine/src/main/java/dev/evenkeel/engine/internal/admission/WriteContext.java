package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.builtin.RawFields;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shared context of a partition's verbs: its store, its types, its clock, and the one way to commit.
 *
 * @param context the services for strategies outside writes
 * @param addresses returns the allocation of addresses for a write
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
        Function<Write, ResourceStrategy.Addresses> addresses,
        Decoder decoder,
        InstantSource clock,
        RandomGenerator random,
        JsonLimits limits,
        int maxObjectBytes,
        Services services) {

    /** Receives changes once they are committed, in the order of the commits of each object. */
    public interface Services {
        void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current);
    }

    /** Returns the services for the strategy of a write. */
    public ResourceStrategy.Context context(Write write) {
        return context.with(
                write.options().requester().user(),
                addresses.apply(write),
                warning -> write.warnings().add(warning));
    }

    /** Returns the collection of a type's objects. */
    public String collection(ResourceType type) {
        ResourceStrategy strategy = strategies.of(type, type.storageVersion());
        return strategy.partition().orElse(partition) + "/" + strategy.storage();
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
        return require(store.snapshot(), target);
    }

    /**
     * Returns the object of a target in a state.
     *
     * @throws dev.evenkeel.client.NotFoundException when there is none
     */
    public Store.Entry require(Store.Snapshot state, Target target) {
        Store.Entry entry = state.get(key(target));
        if (entry == null) {
            throw Refusal.notFound(target.type(), target.name());
        }
        return entry;
    }

    /**
     * Returns a state that has every write which was answered before, by any engine on the store.
     *
     * @throws dev.evenkeel.client.ApiException with code 504 when the store cannot tell
     */
    public Store.Snapshot latest() {
        try {
            return store.latest();
        } catch (StoreException e) {
            throw Refusal.notRead(e);
        }
    }

    /**
     * Returns the state that {@link #latest} returns, to judge a write.
     *
     * @throws dev.evenkeel.client.ApiException with the code of a write that the store did not make
     */
    public Store.Snapshot latestForWrite() {
        try {
            return store.latest();
        } catch (StoreException e) {
            throw Refusal.notWritten(e);
        }
    }

    /** Refuses a revision that the store has not reached yet. */
    public void requireReached(long revision) {
        long current = store.revision();
        if (Long.compareUnsigned(revision, current) > 0) {
            current = latest().revision();
        }
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

    /** Returns the present objects of a type in its storage version, in all namespaces or in one. */
    public List<JsonObject> objects(String id, String namespace) {
        ResourceType type = types.get().type(id).orElseThrow();
        Target target = Target.of(type, type.storageVersion(), "", "");
        List<JsonObject> objects = new ArrayList<>(0);
        each(collection(type), namespace, entry -> objects.add(tree(entry, target)));
        return objects;
    }

    /** Returns the present object of a type in its storage version. */
    public Optional<JsonObject> object(String id, String namespace, String name) {
        ResourceType type = types.get().type(id).orElseThrow();
        Target target = Target.of(type, type.storageVersion(), namespace, name);
        return Optional.ofNullable(read(target)).map(entry -> tree(entry, target));
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
        JsonObject stored = same ? tree : stored(tree, target.type(), storage);
        return StoredObject.encode(
                stored,
                storage,
                rawFields(target.type(), storage)
                        .map(raw -> raw.isMarked(stored))
                        .orElse(false));
    }

    /**
     * Encodes the object of a write. As upstream, an object that is too large to be stored with its managed fields loses
     * them, unless it is applied.
     *
     * @throws ApiException when it is too large
     */
    public StoredObject encode(Write write) {
        JsonObject tree = write.tree();
        StoredObject encoded = encode(tree, write.target());
        if (!StorageSize.isSuspect(encoded.bytes(), maxObjectBytes)) {
            return encoded;
        }
        boolean create = write.present() == null;
        Optional<ApiException> refusal = StorageSize.refusal(encoded, write.target(), create, maxObjectBytes);
        if (refusal.isPresent() && !write.owned() && write.metadata().remove("managedFields") != null) {
            encoded = encode(tree, write.target());
            refusal = StorageSize.refusal(encoded, write.target(), create, maxObjectBytes);
        }
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        return encoded;
    }

    /** Returns a custom resource with the defaults of its storage version: stored objects are read with them. */
    private JsonObject stored(JsonObject tree, ResourceType type, ResourceType.Version storage) {
        ResourceStrategy strategy = strategies.of(type, storage);
        JsonObject stored = strategy.convert(tree.copy());
        if (type.origin() != ResourceType.Origin.BUILT_IN) {
            strategy.applyDefaults(stored);
        }
        return stored;
    }

    /**
     * Writes or, with null, deletes an object, and notifies the services.
     *
     * @param previous the expected present entry; null for none
     * @param others changes of other keys, in the same commit
     * @param conditions returns conditions on other keys, which hold now; called again when one of them does not hold
     *     any more at the commit
     * @return the revision of the commit; 0 when an entry that is changed was not the expected one
     */
    public long commit(
            Store.Key key,
            Store.@Nullable Entry previous,
            @Nullable StoredObject value,
            List<Store.Change> others,
            Supplier<List<Store.Condition>> conditions) {
        List<Store.Change> changes = changes(key, previous, value, others);
        Store.@Nullable Snapshot state = others.isEmpty() ? null : store.snapshot();
        while (true) {
            switch (commit(changes, conditions.get())) {
                case Store.Committed committed -> {
                    Store.Entry current = value == null ? null : new Store.Entry(key, committed.revision(), value);
                    services.changed(key, previous, current);
                    if (state != null) {
                        others.forEach(other -> notify(other, state, committed.revision()));
                    }
                    return committed.revision();
                }
                case Store.Conflict conflict -> {
                    if (changes.stream().anyMatch(change -> change.key().equals(conflict.key()))) {
                        return 0;
                    }
                }
            }
        }
    }

    /** Notifies the services of another object that is new or deleted. */
    private void notify(Store.Change change, Store.Snapshot before, long revision) {
        if (change.value() != null && change.expectedRevision() == 0) {
            services.changed(change.key(), null, new Store.Entry(change.key(), revision, change.value()));
        } else if (change.value() == null) {
            services.changed(change.key(), before.get(change.key()), null);
        }
    }

    private static List<Store.Change> changes(
            Store.Key key, Store.@Nullable Entry previous, @Nullable StoredObject value, List<Store.Change> others) {
        Store.Change change = new Store.Change(key, previous == null ? 0 : previous.revision(), value);
        return others.isEmpty()
                ? List.of(change)
                : Stream.concat(Stream.of(change), others.stream()).toList();
    }

    /** Returns true if the present entry of a key is still the expected one, in the latest state. */
    public boolean isCurrent(Store.Key key, Store.@Nullable Entry expected) {
        Store.Entry present = latestForWrite().get(key);
        return (present == null ? 0 : present.revision()) == (expected == null ? 0 : expected.revision());
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
        JsonObject shown = entry.value().isEncodedFor(target.version())
                ? tree
                : strategies.of(target).convert(tree);
        if (entry.value() instanceof StoredObject stored && stored.verbatim()) {
            rawFields(target.type(), target.version()).ifPresent(raw -> raw.mark(shown));
        }
        return shown;
    }

    /** Returns the fields of a version that upstream keeps as text, if the type is a built-in one. */
    private static Optional<RawFields> rawFields(ResourceType type, ResourceType.Version version) {
        return type.origin() == ResourceType.Origin.BUILT_IN
                ? Optional.of(RawFields.of(version.schema().reference()))
                : Optional.empty();
    }

    /** Returns the fields of a target that upstream keeps as text, if it is of a built-in type. */
    public static Optional<RawFields> rawFields(Target target) {
        return rawFields(target.type(), target.version());
    }

    public Document document(Store.Entry entry, Target target) {
        return Documents.of(entry, entry.revision(), target, strategies.of(target));
    }
}
