package dev.evenkeel.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.engine.spi.Store;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A change of one key as it is stored.
 *
 * @param revision of its commit
 * @param key the key
 * @param previous revision of the entry that it replaced or deleted; 0 for none
 * @param size the number of changes of its commit
 * @param time of the commit, in milliseconds since 1970
 * @param value the encoded object; null for a deletion
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Row(long revision, Store.Key key, long previous, int size, long time, byte @Nullable [] value) {
    /** Returns the checksum of all components. */
    int checksum() {
        CRC32C sum = new CRC32C();
        byte[] collection = key.collection().getBytes(UTF_8);
        byte[] namespace = key.namespace().getBytes(UTF_8);
        byte[] name = key.name().getBytes(UTF_8);
        ByteBuffer numbers = ByteBuffer.allocate(44)
                .putLong(revision)
                .putLong(previous)
                .putInt(size)
                .putLong(time)
                .putInt(collection.length)
                .putInt(namespace.length)
                .putInt(name.length)
                .putInt(value == null ? -1 : value.length);
        sum.update(numbers.flip());
        sum.update(collection);
        sum.update(namespace);
        sum.update(name);
        if (value != null) {
            sum.update(value);
        }
        return (int) sum.getValue();
    }
}
