package dev.evenkeel.engine.internal.cel;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Bytes as a value.
 *
 * @param bytes must not be changed
 */
record Octets(byte[] bytes) implements Comparable<Octets> {
    /** Returns the bytes as text, if they are valid UTF-8. */
    Optional<String> text() {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    Octets plus(Octets other) {
        byte[] both = Arrays.copyOf(bytes, bytes.length + other.bytes.length);
        System.arraycopy(other.bytes, 0, both, bytes.length, other.bytes.length);
        return new Octets(both);
    }

    @Override
    public int compareTo(Octets other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Octets octets && Arrays.equals(bytes, octets.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
