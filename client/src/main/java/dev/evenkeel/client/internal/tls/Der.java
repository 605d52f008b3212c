package dev.evenkeel.client.internal.tls;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The distinguished encoding (DER) of ASN.1, as far as certificates and keys need it. */
public final class Der {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final String FIRST_LONG_YEAR = "2050";

    private Der() {}

    /** Encodes an element of at most 65,535 bytes. */
    public static byte[] tagged(int tag, byte[]... contents) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (byte[] content : contents) {
            body.writeBytes(content);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.size() + 4);
        out.write(tag);
        int length = body.size();
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        out.writeBytes(body.toByteArray());
        return out.toByteArray();
    }

    public static byte[] sequence(byte[]... items) {
        return tagged(0x30, items);
    }

    static byte[] set(byte[]... items) {
        return tagged(0x31, items);
    }

    static byte[] explicit(int number, byte[]... contents) {
        return tagged(0xA0 | number, contents);
    }

    public static byte[] integer(byte[] value) {
        return tagged(0x02, value);
    }

    static byte[] bool(boolean value) {
        return tagged(0x01, new byte[] {(byte) (value ? 0xFF : 0)});
    }

    public static byte[] octets(byte[] value) {
        return tagged(0x04, value);
    }

    /** Encodes whole octets, no unused bits. */
    static byte[] bits(byte[] value) {
        return tagged(0x03, new byte[] {0}, value);
    }

    static byte[] utf8(String text) {
        return tagged(0x0C, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] time(Instant instant) {
        String text = TIME.format(instant);
        // RFC 5280: two digits of the year before 2050
        return text.compareTo(FIRST_LONG_YEAR) < 0
                ? tagged(0x17, text.substring(2).getBytes(StandardCharsets.US_ASCII))
                : tagged(0x18, text.getBytes(StandardCharsets.US_ASCII));
    }

    public static byte[] oid(String dotted) {
        String[] parts = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(parts[0]) * 40 + Integer.parseInt(parts[1]));
        for (int i = 2; i < parts.length; i++) {
            long value = Long.parseLong(parts[i]);
            for (int shift = 28; shift >= 0; shift -= 7) {
                if (value >> shift != 0 || shift == 0) {
                    out.write((int) ((value >> shift & 0x7F) | (shift == 0 ? 0 : 0x80)));
                }
            }
        }
        return tagged(0x06, out.toByteArray());
    }
}
