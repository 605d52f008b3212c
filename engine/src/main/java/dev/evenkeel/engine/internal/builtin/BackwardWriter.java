package dev.evenkeel.engine.internal.builtin;

import java.nio.charset.StandardCharsets;

/**
 * Writes a protobuf message from its end to its start.
 *
 * <p>The length of a nested message stands before it and is known after it was written. Written backwards, each byte is
 * written once, without computing sizes first. Hence callers write fields and items in reverse order. Used by one thread.
 */
final class BackwardWriter {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int DELIMITED = 2;

    private byte[] buffer;
    /** The bytes from here to the end of the buffer are written. */
    private int start;

    BackwardWriter(int expected) {
        buffer = new byte[expected];
        start = expected;
    }

    /** Returns the number of bytes written so far, for {@link #delimit}. */
    int size() {
        return buffer.length - start;
    }

    byte[] toByteArray() {
        byte[] bytes = new byte[size()];
        System.arraycopy(buffer, start, bytes, 0, bytes.length);
        return bytes;
    }

    void tag(int number, int wireType) {
        varint(((long) number << 3) | wireType);
    }

    void varint(int number, long value) {
        varint(value);
        tag(number, VARINT);
    }

    void fixed64(int number, long bits) {
        reserve(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            buffer[--start] = (byte) (bits >>> shift);
        }
        tag(number, FIXED64);
    }

    void text(int number, String text) {
        bytes(number, text.getBytes(StandardCharsets.UTF_8));
    }

    void bytes(int number, byte[] bytes) {
        int before = size();
        raw(bytes);
        delimit(number, before);
    }

    /** Writes bytes without a tag. */
    void raw(byte[] bytes) {
        reserve(bytes.length);
        start -= bytes.length;
        System.arraycopy(bytes, 0, buffer, start, bytes.length);
    }

    /** Makes everything that was written since {@code before} the content of a field. */
    void delimit(int number, int before) {
        varint(size() - before);
        tag(number, DELIMITED);
    }

    /** Writes a number without a tag. */
    void varint(long value) {
        int length = Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
        reserve(length);
        start -= length;
        long rest = value;
        for (int i = 0; i < length - 1; i++) {
            buffer[start + i] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[start + length - 1] = (byte) rest;
    }

    private void reserve(int bytes) {
        if (bytes > start) {
            int used = size();
            byte[] larger = new byte[Math.max(used + bytes, 2 * buffer.length)];
            System.arraycopy(buffer, start, larger, larger.length - used, used);
            start = larger.length - used;
            buffer = larger;
        }
    }
}
