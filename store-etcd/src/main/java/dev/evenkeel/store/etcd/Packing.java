package dev.evenkeel.store.etcd;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The form of values in etcd: as they are, but large ones compressed with gzip.
 *
 * <p>The problem: an object may be as large as Kubernetes can store, and that is counted in protobuf, in which most objects
 * of built-in kinds are smaller than in the JSON stored here: a Secret by a quarter. etcd refuses requests above 1.5 MiB,
 * so what is near that limit in protobuf must not exceed it here. Values up to {@value #PLAIN} bytes stay readable for
 * {@code etcdctl}.
 */
final class Packing {
    /** The size of the largest value that is stored as it is, in bytes. */
    static final int PLAIN = 1 << 20;

    private static final int LARGEST = 64 << 20;

    private Packing() {}

    /** Returns the bytes to store for a value, the same for the same value; those of the value if it is not large. */
    static byte[] packed(byte[] bytes) {
        if (bytes.length <= PLAIN) {
            return bytes;
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream(bytes.length);
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new IllegalStateException("written to memory", e);
        }
        return packed.size() < bytes.length ? packed.toByteArray() : bytes;
    }

    /**
     * Returns the value of stored bytes.
     *
     * @throws IllegalArgumentException when they begin like compressed ones, and are not, or are longer than 64 MiB
     */
    static byte[] unpacked(byte[] stored) {
        if (stored.length < 2 || stored[0] != 0x1f || stored[1] != (byte) 0x8b) {
            return stored;
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(stored))) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new IllegalArgumentException("more than " + LARGEST + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw new IllegalArgumentException("not compressed as it says: " + e.getMessage(), e);
        }
    }
}
