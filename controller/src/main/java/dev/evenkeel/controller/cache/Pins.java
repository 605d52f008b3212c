package dev.evenkeel.controller.cache;

import dev.evenkeel.client.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The effects of this process's own writes that the watch has not delivered yet.
 *
 * <p>A pin of a key is one of two:
 *
 * <ul>
 *   <li>a <em>floor</em>: at this version the state of the key was the one that the cache shows. Earlier events of the
 *       key are outdated. When the watch has reached the version, the floor is dropped.
 *   <li>a <em>tombstone</em>: the object of this uid, last known at this version, is deleted; the version of the
 *       deletion is unknown. Any event of that uid is outdated, and so is one of another uid up to the version: there
 *       the key was that of the deleted object. Another uid at a later version was created after the deletion. The
 *       event of the deletion ends the tombstone.
 * </ul>
 *
 * <p>Pure: no time, no threads; called with the lock of the cache.
 */
final class Pins {
    /**
     * A pin.
     *
     * @param version version of the floor; of a tombstone the last known of its object, -1 when versions are not
     *     numbers
     * @param dead uid of a tombstone; empty for a floor
     * @param lists number of lists that had begun when it was created
     * @param unseen whether an object was deleted that the cache has never shown
     */
    private record Pin(long version, String dead, long lists, boolean unseen) {}

    private final Map<ObjectKey, Pin> pins = new HashMap<>();

    /** A lower bound of the floors; when the watch passes it, floors have to be checked. */
    private long lowest = Long.MAX_VALUE;

    /** The position of the watch: all events up to here were delivered; -1 when it is unknown. */
    private long position = -1;

    private long lists;
    private boolean consistent;

    int size() {
        return pins.size();
    }

    void floor(ObjectKey key, long version) {
        floor(key, version, false);
    }

    /** Adds the floor of a key that has no object, where the cache has shown none either. */
    void absent(ObjectKey key, long version) {
        floor(key, version, true);
    }

    private void floor(ObjectKey key, long version, boolean unseen) {
        pins.put(key, new Pin(version, "", lists, unseen));
        lowest = Math.min(lowest, version);
    }

    void tombstone(ObjectKey key, String uid, long version) {
        pins.put(key, new Pin(version, uid, lists, false));
    }

    /** Returns whether an object of this key may have been deleted that the cache has never shown. */
    boolean isUnseen(ObjectKey key) {
        Pin pin = pins.get(key);
        return pin != null && pin.unseen();
    }

    /** Returns whether the state in an answer is newer than the known one. */
    boolean news(ObjectKey key, String uid, long version) {
        if (version <= position) {
            return false;
        }
        Pin pin = pins.get(key);
        if (pin == null) {
            return true;
        }
        if (!pin.dead().equals(uid) || uid.isEmpty()) {
            return version > pin.version();
        }
        learn(key, pin, version);
        return false;
    }

    /** Returns whether an answered deletion is known already. */
    boolean isDead(ObjectKey key, String uid) {
        Pin pin = pins.get(key);
        return pin != null && pin.dead().equals(uid);
    }

    private void learn(ObjectKey key, Pin pin, long version) {
        if (version > pin.version()) {
            pins.put(key, new Pin(version, pin.dead(), pin.lists(), pin.unseen()));
        }
    }

    /** Returns whether a state from a watch or list is to be shown. */
    boolean admits(ObjectKey key, String uid, long version) {
        Pin pin = pins.get(key);
        if (pin == null) {
            return true;
        }
        if (pin.dead().isEmpty()) {
            return version < 0 || version >= pin.version();
        }
        if (pin.dead().equals(uid)) {
            learn(key, pin, version);
            return false;
        }
        if (version >= 0 && version <= pin.version()) {
            return false;
        }
        pins.remove(key);
        return true;
    }

    /** Returns whether a deletion from the watch is to be shown. */
    boolean admitsDeletion(ObjectKey key, String uid, long version) {
        Pin pin = pins.get(key);
        if (pin == null) {
            return true;
        }
        if (pin.dead().isEmpty()) {
            return version < 0 || version >= pin.version();
        }
        if (pin.dead().equals(uid)) {
            pins.remove(key);
        }
        return false;
    }

    void reached(long version) {
        position = version;
        if (version >= lowest) {
            lowest = Long.MAX_VALUE;
            pins.values().removeIf(pin -> pin.dead().isEmpty() && pin.version() <= version);
            pins.values().stream()
                    .filter(pin -> pin.dead().isEmpty())
                    .forEach(pin -> lowest = Math.min(lowest, pin.version()));
        }
    }

    /** Begins a list; see {@link Replica#listBegins}. */
    void listBegins(boolean latest) {
        lists++;
        consistent = latest;
    }

    /** Returns whether a listed state is to be shown. */
    boolean admitsListed(ObjectKey key, String uid, long version) {
        Pin pin = pins.get(key);
        if (pin != null && knownToList(pin)) {
            pins.remove(key);
        }
        return admits(key, uid, version);
    }

    private boolean knownToList(Pin pin) {
        return consistent && pin.lists() < lists;
    }

    /** Returns whether a key that is shown and was not listed is to be removed. */
    boolean admitsAbsence(ObjectKey key, long version) {
        Pin pin = pins.get(key);
        return pin == null || knownToList(pin) || !pin.dead().isEmpty() || version < 0 || pin.version() <= version;
    }

    /** Ends the list at this version. */
    void listEnds(Set<ObjectKey> listed, long version) {
        pins.entrySet().removeIf(entry -> {
            Pin pin = entry.getValue();
            boolean tombstoneOver = !pin.dead().isEmpty()
                    && !listed.contains(entry.getKey())
                    && (version < 0 || pin.version() <= version);
            return knownToList(pin) || tombstoneOver;
        });
        reached(version);
    }
}
