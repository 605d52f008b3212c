package dev.evenkeel.examples.stream;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes the annotation of pods that restarts them when their inputs change. */
final class Checksum {
    /** The annotation with the checksum. */
    static final String ANNOTATION = "stream.evenkeel.dev/checksum";

    private Checksum() {}

    /** Returns the checksum of a text, which may be secret: it does not reveal it. */
    static String of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
