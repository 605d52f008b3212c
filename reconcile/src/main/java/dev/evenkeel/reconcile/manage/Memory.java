package dev.evenkeel.reconcile.manage;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was found out about objects by writing them, by their uids. It is an aid, and never a truth: what is forgotten costs
 * a write that changes nothing.
 *
 * <p>Invariants: an entry is not given out after its time; there are no more than {@link #MOST}, of which the oldest go
 * first. Safe for use by several threads; an entry needs some 300 bytes.
 *
 * @param <V> what is remembered
 */
final class Memory<V> {
    static final int MOST = 100_000;

    private record Entry<V>(V value, Instant until) {}

    private final Map<String, Entry<V>> entries = new LinkedHashMap<>();

    synchronized Optional<V> of(String uid, Instant now) {
        return Optional.ofNullable(entries.get(uid))
                .filter(entry -> now.isBefore(entry.until()))
                .map(Entry::value);
    }

    synchronized void keep(String uid, V value, Instant now, Instant until) {
        entries.remove(uid);
        // the oldest first: those whose time is over, and one for which there is no room
        Iterator<Entry<V>> oldest = entries.values().iterator();
        while (oldest.hasNext()) {
            if (now.isBefore(oldest.next().until()) && entries.size() < MOST) {
                break;
            }
            oldest.remove();
        }
        entries.put(uid, new Entry<>(value, until));
    }

    synchronized void forget(String uid) {
        entries.remove(uid);
    }

    synchronized int size() {
        return entries.size();
    }

    /** A short text that is the same for the same texts, and for no others. */
    static String fingerprint(String... texts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String text : texts) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
