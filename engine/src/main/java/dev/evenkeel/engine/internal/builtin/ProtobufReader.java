package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the fields of protobuf messages out of an array. The reader of a nested message ends where the message ends.
 *
 * <p>Every length is checked before it is used. Errors are MalformedObjectExceptions in the words of Go's generated code.
 */
final class ProtobufReader {
    private static final int START_GROUP = 3;
    private static final int END_GROUP = 4;
    private static final int FIXED32 = 5;

    private final byte[] bytes;
    private final int end;
    private int next;

    ProtobufReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private ProtobufReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.next = start;
        this.end = end;
    }

    /** Returns a reader of the rest after some bytes, which must exist. */
    ProtobufReader after(int skipped) {
        return new ProtobufReader(bytes, next + skipped, end);
    }

    boolean atEnd() {
        return next == end;
    }

    /**
     * Reads a tag.
     *
     * @param message name of the message, for errors
     * @return the number of the field, shifted by three, and its wire type
     */
    int tag(String message) {
        long tag = varint();
        int number = (int) (tag >>> 3);
        int type = (int) tag & 7;
        if (type == END_GROUP) {
            throw new MalformedObjectException("proto: " + message + ": wiretype end group for non-group");
        }
        if (number <= 0 || number >= 1 << 29) {
            throw new MalformedObjectException(
                    "proto: " + message + ": illegal tag " + number + " (wire type " + type + ")");
        }
        return number << 3 | type;
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte b = one();
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new MalformedObjectException("proto: integer overflow");
    }

    long fixed64() {
        int at = advance(8);
        long value = 0;
        for (int i = 7; i >= 0; i--) {
            value = value << 8 | (bytes[at + i] & 0xff);
        }
        return value;
    }

    /** Returns a reader of the delimited content that follows. */
    ProtobufReader content() {
        int length = length();
        int at = advance(length);
        return new ProtobufReader(bytes, at, at + length);
    }

    byte[] bytes() {
        int length = length();
        int at = advance(length);
        return Arrays.copyOfRange(bytes, at, at + length);
    }

    String text() {
        int length = length();
        int at = advance(length);
        return new String(bytes, at, length, StandardCharsets.UTF_8);
    }

    /** Skips the value of a field that is not known, with the groups in it. */
    void skip(int wireType) {
        int groups = 0;
        int type = wireType;
        while (true) {
            switch (type) {
                case BackwardWriter.VARINT -> varint();
                case BackwardWriter.FIXED64 -> advance(8);
                case BackwardWriter.DELIMITED -> advance(length());
                case START_GROUP -> groups++;
                case END_GROUP -> {
                    if (groups == 0) {
                        throw new MalformedObjectException("proto: unexpected end of group");
                    }
                    groups--;
                }
                case FIXED32 -> advance(4);
                default -> throw new MalformedObjectException("proto: illegal wireType " + type);
            }
            if (groups == 0) {
                return;
            }
            type = (int) varint() & 7;
        }
    }

    private int length() {
        long length = varint();
        if (length < 0) {
            throw new MalformedObjectException("proto: negative length found during unmarshaling");
        }
        return (int) Math.min(length, Integer.MAX_VALUE);
    }

    private byte one() {
        return bytes[advance(1)];
    }

    /** Steps over some bytes; returns where they start. */
    private int advance(int count) {
        if (count > end - next) {
            throw new MalformedObjectException("unexpected EOF");
        }
        int at = next;
        next += count;
        return at;
    }
}
