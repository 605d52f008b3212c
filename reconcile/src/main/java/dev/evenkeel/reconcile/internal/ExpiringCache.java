package dev.evenkeel.reconcile.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers values, such as results of writes, by the uids of objects. An entry may be lost.
 *
 * <p>Invariants: an entry is not returned after its time; there are at most {@link #MOST}, or the given limit, of which
 * the oldest are dropped first. Safe for use by several threads; an entry needs some 300 bytes.
 */
public final class ExpiringCache<V> {
    public static final int MOST = 100_000;

    private record Entry<V>(V value, Instant until) {}

    private final int limit;
    private final Map<String, Entry<V>> entries = new LinkedHashMap<>();

    public ExpiringCache() {
        this(MOST);
    }

    public ExpiringCache(int limit) {
        this.limit = limit;
    }

    public synchronized Optional<V> of(String uid, Instant now) {
        return Optional.ofNullable(entries.get(uid))
                .filter(entry -> now.isBefore(entry.until()))
                .map(Entry::value);
    }

    public synchronized void keep(String uid, V value, Instant now, Instant until) {
        entries.remove(uid);
        // the oldest first: expired ones, and one beyond the limit
        Iterator<Entry<V>> oldest = entries.values().iterator();
        while (oldest.hasNext()) {
            if (now.isBefore(oldest.next().until()) && entries.size() < limit) {
                break;
            }
            oldest.remove();
        }
        entries.put(uid, new Entry<>(value, until));
    }

    public synchronized void forget(String uid) {
        entries.remove(uid);
    }

    public synchronized int size() {
        return entries.size();
    }

    /** Returns a short text that is equal for equal texts, and different for others. */
    public static String fingerprint(String... texts) {
        byte[][] encoded = new byte[texts.length][];
        Arrays.setAll(encoded, i -> texts[i].getBytes(StandardCharsets.UTF_8));
        return fingerprint(encoded);
    }

    /** Returns the same for texts in UTF-8. */
    public static String fingerprint(byte[]... texts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] text : texts) {
                for (int shift = 24; shift >= 0; shift -= 8) {
                    digest.update((byte) (text.length >> shift));
                }
                digest.update(text);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
