package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A message of gnostic, in which clients read OpenAPI documents as protobuf; fields are written in the order of calls. */
final class ProtobufMessage {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Writes a text, unless it is empty or something else. */
    ProtobufMessage text(int field, @Nullable Object value) {
        return value instanceof String text && !text.isEmpty() ? string(field, text) : this;
    }

    /** Writes a text, empty or not: one of several forms of a value. */
    ProtobufMessage string(int field, String value) {
        return delimited(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a boolean, unless it is false. */
    ProtobufMessage flag(int field, @Nullable Object value) {
        return Boolean.TRUE.equals(value) ? bool(field, true) : this;
    }

    /** Writes a boolean, true or false: one of several forms of a value. */
    ProtobufMessage bool(int field, boolean value) {
        varint((long) field << 3);
        varint(value ? 1 : 0);
        return this;
    }

    /** Writes an integer, unless it is zero. */
    ProtobufMessage integer(int field, @Nullable Object value) {
        if (value instanceof Number number && number.longValue() != 0) {
            varint((long) field << 3);
            varint(number.longValue());
        }
        return this;
    }

    /** Writes a number with a fraction, unless it is zero. */
    ProtobufMessage number(int field, @Nullable Object value) {
        return value instanceof Number number && number.doubleValue() != 0 ? fixed(field, number.doubleValue()) : this;
    }

    /** Writes a number of eight bytes, zero or not: one of several forms of a value. */
    ProtobufMessage fixed(int field, double value) {
        varint(((long) field << 3) | 1);
        long bits = Double.doubleToLongBits(value);
        for (int shift = 0; shift < 64; shift += 8) {
            out.write((int) (bits >>> shift));
        }
        return this;
    }

    ProtobufMessage message(int field, ProtobufMessage value) {
        return delimited(field, value.bytes());
    }

    /** Writes an entry of a map. */
    void named(int field, String name, ProtobufMessage value) {
        message(field, new ProtobufMessage().text(1, name).message(2, value));
    }

    /** Writes any value as YAML. */
    ProtobufMessage any(int field, @Nullable Object value) {
        String yaml = new String(Yaml.write(value), StandardCharsets.UTF_8);
        return message(field, new ProtobufMessage().text(2, yaml));
    }

    /** Writes the members that are named {@code x-}. */
    ProtobufMessage extensions(int field, @Nullable Object tree) {
        Json.object(tree).orElse(new JsonObject()).forEach((name, value) -> {
            if (name.startsWith("x-")) {
                message(field, new ProtobufMessage().text(1, name).any(2, value));
            }
        });
        return this;
    }

    private ProtobufMessage delimited(int field, byte[] bytes) {
        varint(((long) field << 3) | 2);
        varint(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
