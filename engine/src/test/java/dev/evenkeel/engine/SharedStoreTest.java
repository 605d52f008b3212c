package dev.evenkeel.engine;

import dev.evenkeel.engine.contract.StoreCompatibilityKit;
import dev.evenkeel.engine.internal.ObjectCodec;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import java.time.InstantSource;

/** The store with which engines are tested together keeps the contract. */
class SharedStoreTest extends StoreCompatibilityKit {
    @Override
    protected Store open() {
        Store.Context context =
                new Store.Context(ObjectCodec.INSTANCE, InstantSource.system(), Thread::startVirtualThread);
        return new SharedStore(new MemoryStore(), context, 1);
    }

    @Override
    protected int many() {
        return 300;
    }
}
