package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.engine.internal.builtin.kinds.ServiceAddresses;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.spi.Store;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Allocates cluster addresses and node ports for one write of a service, on a store that several engines write to.
 *
 * <p>What is free is read from the services of a snapshot. So that two simultaneous writes do not take the same, a write
 * that takes something also changes a RangeAllocation, an object outside all types, at the revision that the snapshot
 * has: the second commit fails, and its write starts again from a newer snapshot.
 *
 * <p>Cost: all services are parsed for each write that needs an address.
 */
public final class SharedAddresses implements ResourceStrategy.Addresses {
    private static final byte[] ALLOCATION = Json.write(
            JsonObject.of("apiVersion", "v1", "kind", "RangeAllocation", "metadata", JsonObject.of("name", "services"))
                    .set("range", "10.0.0.0/8")
                    .set("data", ""));

    private final Store store;
    private final String partition;
    private final Write write;
    private ResourceStrategy.@Nullable Addresses free;
    private long revision;
    private boolean changed;

    /** Creates the allocation of a write in a partition. */
    public SharedAddresses(Store store, String partition, Write write) {
        this.store = store;
        this.partition = partition;
        this.write = write;
    }

    private Store.Key key() {
        return new Store.Key(partition + "/rangeallocations", "", "services");
    }

    private ResourceStrategy.Addresses free() {
        ResourceStrategy.Addresses known = free;
        if (known == null) {
            Store.Snapshot snapshot = store.snapshot();
            ServiceAddresses services = new ServiceAddresses();
            snapshot.range(partition + "/services", "", null, entry -> {
                services.changed(
                        entry.key(), new JsonObject(), StoredObject.tree(entry).object("spec"));
                return true;
            });
            Store.Entry allocation = snapshot.get(key());
            revision = allocation == null ? 0 : allocation.revision();
            known = services.forWrite(
                    unused -> {}, isDryRun(), address -> ServiceIpAddresses.isReserved(snapshot, partition, address));
            free = known;
        }
        return known;
    }

    @Override
    public boolean isDryRun() {
        return write.options().dryRun();
    }

    private void change() {
        if (!changed) {
            changed = true;
            StoredObject value = StoredObject.decode(ALLOCATION, Encoded.Header.of(ALLOCATION), null);
            write.alsoChange(new Store.Change(key(), revision, value));
        }
    }

    @Override
    public String address() {
        String address = free().address();
        change();
        return address;
    }

    @Override
    public OptionalInt nodePort() {
        OptionalInt port = free().nodePort();
        change();
        return port;
    }

    @Override
    public boolean take(String address) {
        boolean taken = free().take(address);
        change();
        return taken;
    }

    @Override
    public boolean take(int nodePort) {
        boolean taken = free().take(nodePort);
        change();
        return taken;
    }
}
