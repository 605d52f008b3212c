package dev.evenkeel.engine.internal.json;

import java.io.OutputStream;
import java.util.Arrays;

/**
 * Collects an encoding that mostly comes as a whole, since a generator has a buffer of its own: then it is copied once, to an
 * array of its size.
 */
final class WholeOutput extends OutputStream {
    private byte[] bytes = {};
    private int length;

    @Override
    public void write(byte[] some, int from, int count) {
        if (length == 0) {
            bytes = Arrays.copyOfRange(some, from, from + count);
        } else {
            grow(length + count);
            System.arraycopy(some, from, bytes, length, count);
        }
        length += count;
    }

    @Override
    public void write(int next) {
        grow(length + 1);
        bytes[length++] = (byte) next;
    }

    private void grow(int least) {
        if (least > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(least, 2 * bytes.length));
        }
    }

    /** Returns the encoding, after which nothing may be written. */
    byte[] toByteArray() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }
}
