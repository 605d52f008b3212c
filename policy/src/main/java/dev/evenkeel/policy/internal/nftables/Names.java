package dev.evenkeel.policy.internal.nftables;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * Names of chains, sets and maps. They depend on what they stand for only, so that they are the same after a restart, and
 * are readable where the limits of nft allow it: letters, digits, {@code . _ - /}, and 255 characters. Other names are
 * replaced by a digest.
 */
final class Names {
    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._/-]{1,180}");

    private Names() {}

    /** Returns the name of these parts; the first one is a fixed word. */
    static String of(String word, String... parts) {
        String rest = String.join("/", parts);
        return word + "/" + (VALID.matcher(rest).matches() ? rest : digest(rest));
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-224").digest(text.getBytes(StandardCharsets.UTF_8));
            return "digest-" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-224 is missing in this Java runtime", e);
        }
    }

    /** Returns a text between quotation marks, safe and of limited length. */
    static String quoted(String text, int longest) {
        return quoted(text, longest, "");
    }

    /** Returns a text between quotation marks, safe and of limited length, with an end. */
    static String quoted(String text, int longest, String end) {
        String safe = text.replaceAll("[^ !#-\\[\\]-~]", "?");
        return "\"" + safe.substring(0, Math.min(longest, safe.length())) + end + "\"";
    }
}
