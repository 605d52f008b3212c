package dev.evenkeel.server.internal.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests of texts and documents. */
public final class Digests {
    private Digests() {}

    /** Returns the SHA-256 digest of a text. */
    public static byte[] sha256(String text) {
        return digest("SHA-256", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the SHA-512 digest of a document, by which clients know it: upper case hex. */
    public static String hex(byte[] document) {
        return HexFormat.of().withUpperCase().formatHex(digest("SHA-512", document));
    }

    private static byte[] digest(String algorithm, byte[] bytes) {
        try {
            return MessageDigest.getInstance(algorithm).digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }
}
