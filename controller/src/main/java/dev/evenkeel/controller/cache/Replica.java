package dev.evenkeel.controller.cache;

import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes one line of states for each key out of what comes on three ways: lists, watch events, and answers to this
 * process's own writes.
 *
 * <h2>The problem</h2>
 *
 * <p>A reconciler writes, is woken, reads its cache, and does not find what it wrote: the watch is behind. It creates a
 * second child, or undoes its own status. So the answer to a write is put into the cache as well. But answers, events and
 * lists overtake each other: an event from before the write must not bring back the old state, an answer that comes late
 * must not hide what others did since, and a deleted object must not rise from an old list. And nothing that others did
 * may be lost: to drop events because they look like one's own is how updates of others were swallowed elsewhere.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>After the answer of a write, the cache never shows a state of that key from before the write.
 *   <li>When the watch has caught up, the cache is what the server has, whatever came in which order.
 *   <li>Handlers are told of every move of the cache, once, and of nothing else. So a state of others that nothing
 *       follows is always told, and one's own write is told once, when it is answered.
 * </ol>
 *
 * <h2>How</h2>
 *
 * <p>Versions of one kind are one line, and the watch tells them in order. So the position of the watch divides all
 * states into those it has told and those it has not: an answer at or before the position brings nothing new; one after
 * it is newer than anything told, becomes the state shown, and is pinned: see {@link Pins}. No event is ever dropped but
 * one that is older than the state shown. An answer to a delete has no version. If the cache shows the deleted uid, a
 * tombstone takes its place; if it showed it when the delete began and does not any more, the deletion was told; if it
 * never did, or selects objects by something, the key is {@linkplain #absent read again} with a version before the
 * delete returns.
 *
 * <p>A relist puts in what comes page by page, remembers the keys, and then takes out what was not listed. So it needs
 * memory for the keys and one page, where building a second collection would need all objects twice. Readers meanwhile
 * see some objects newer than others, as they do when events come. Of one key a deletion is told before what came after
 * it; but that an object which was not listed is gone is known, and told, only when the list has ended, after what was
 * listed.
 *
 * <p>Several replicas may fill one cache, each with the keys of a namespace of its own: it is told of no others, and takes
 * out no others. The versions of a kind are one line in all namespaces, but each watch has its own position on it, so each
 * replica has its own pins.
 *
 * <h2>Concurrency and cost</h2>
 *
 * <p>All is done under the lock of the cache, and calls nobody's code. A state costs one lookup and one change of the
 * cache; pins cost nothing while there are none, which is nearly always.
 *
 * @param <T> class of the objects
 */
final class Replica<T extends HasMetadata> {
    /** Is told of moves, with the lock. */
    interface Teller<T extends HasMetadata> {
        /**
         * The state of a key moved.
         *
         * @param before what was shown; null for nothing
         * @param last the last state of {@code before}'s object, when that is over; null otherwise
         * @param after what is shown; null for nothing
         */
        void moved(
                Cache.@Nullable Entry<T> before,
                Cache.@Nullable Entry<T> last,
                Cache.@Nullable Entry<T> after,
                boolean initial,
                boolean finalStateUnknown);
    }

    /** What is to be done about an answer. */
    enum Verdict {
        /** Nothing. */
        DONE,
        /** The key must be read again, with a version. */
        READ,
        /** Versions cannot be compared: wait for the watch. */
        WAIT
    }

    private final Cache<T> cache;
    private final ReentrantLock lock;
    private final ListOptions selection;
    private final Teller<T> teller;
    private final Pins pins = new Pins();
    private @Nullable Set<ObjectKey> listed;
    private boolean complete;
    private long turn;

    Replica(Cache<T> cache, ReentrantLock lock, ListOptions selection, Teller<T> teller) {
        this.cache = cache;
        this.lock = lock;
        this.selection = selection;
        this.teller = teller;
    }

    private boolean selects() {
        return !selection.labels().isEverything() || !selection.fields().isEverything();
    }

    /** Whether a later turn has begun, so that what comes with this one does not count. With the lock. */
    private boolean isOver(long which) {
        turn = Math.max(turn, which);
        return which < turn;
    }

    // ---- what lists tell

    /**
     * A list begins.
     *
     * @param which turn of the {@link Reflector}
     * @param latest whether it shows at least everything that was answered before
     */
    void listBegins(long which, boolean latest) {
        lock.lock();
        try {
            if (isOver(which)) {
                return;
            }
            listed = new HashSet<>();
            pins.listBegins(latest);
        } finally {
            lock.unlock();
        }
    }

    /** The list has this state. */
    void listed(long which, Cache.Entry<T> object) {
        locked(object, prepared -> {
            if (isOver(which)) {
                return;
            }
            if (listed != null) {
                listed.add(prepared.key());
            }
            if (pins.admitsListed(prepared.key(), prepared.uid(), prepared.version())) {
                show(prepared, !complete);
            }
        });
    }

    /** The list had a state of this object, and it went before the list ended. */
    void unlisted(long which, ObjectKey key, String uid, Cache.@Nullable Entry<T> last, long version) {
        lock.lock();
        try {
            if (isOver(which)) {
                return;
            }
            if (listed != null) {
                listed.remove(key);
            }
            hide(key, uid, last, version);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The list ended, and shows the state at a version.
     *
     * @return whether it counts
     */
    boolean listEnds(long which, String version) {
        lock.lock();
        try {
            if (isOver(which)) {
                return false;
            }
            Set<ObjectKey> present = listed == null ? Set.of() : listed;
            listed = null;
            long number = Cache.Entry.version(version);
            // also of a first list: one before it may not have come to its end
            for (Cache.Entry<T> object : cache.list(selection.namespace())) {
                if (!present.contains(object.key()) && pins.admitsAbsence(object.key(), number)) {
                    cache.replace(object, null);
                    teller.moved(object, object, null, false, true);
                }
            }
            pins.listEnds(present, number);
            complete = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    // ---- what the watch tells

    /** A watch begins; what the one before it has still to say does not count. */
    void watchBegins(long which) {
        lock.lock();
        try {
            boolean unused = isOver(which);
        } finally {
            lock.unlock();
        }
    }

    /** A state came, by an event of this version. */
    void changed(long which, Cache.Entry<T> object, String version) {
        locked(object, prepared -> {
            if (isOver(which)) {
                return;
            }
            if (pins.admits(prepared.key(), prepared.uid(), prepared.version())) {
                show(prepared, false);
            }
            pins.reached(Cache.Entry.version(version));
        });
    }

    /** An object went, by an event of this version. */
    void deleted(long which, ObjectKey key, String uid, Cache.@Nullable Entry<T> last, String version) {
        lock.lock();
        try {
            if (isOver(which)) {
                return;
            }
            hide(key, uid, last, Cache.Entry.version(version));
            pins.reached(Cache.Entry.version(version));
        } finally {
            lock.unlock();
        }
    }

    /** Nothing happened up to a version. */
    void reached(long which, String version) {
        lock.lock();
        try {
            if (isOver(which)) {
                return;
            }
            pins.reached(Cache.Entry.version(version));
        } finally {
            lock.unlock();
        }
    }

    // ---- what answers tell

    /** The uid of a key as shown; empty when nothing is. To be asked for before a delete. */
    String uid(ObjectKey key) {
        Cache.Entry<T> object = cache.at(key);
        return object == null ? "" : object.uid();
    }

    /** A write was answered with this state; or it was read, after all that was answered before. */
    Verdict written(Cache.Entry<T> object) {
        long version = object.version();
        if (version < 0) {
            return Verdict.WAIT;
        }
        locked(object, prepared -> {
            ObjectKey key = prepared.key();
            Cache.Entry<T> before = cache.at(key);
            boolean unknown = before == null && !selection.fields().isEverything();
            if (unknown
                    || !pins.news(key, prepared.uid(), version)
                    || (before != null && before.version() >= version)) {
                return;
            }
            if (prepared.matches(selection.labels())) {
                show(prepared, false);
            } else if (before != null) {
                boolean same = before.uid().equals(prepared.uid());
                cache.replace(before, null);
                teller.moved(before, same ? prepared : before, null, false, !same);
            }
            pins.floor(key, version);
        });
        return Verdict.DONE;
    }

    /**
     * A delete was answered: the object is gone.
     *
     * @param uidBefore of the key when the delete began, see {@link #uid}
     * @param uid of the deleted object; empty when the server did not say
     */
    Verdict gone(ObjectKey key, String uidBefore, String uid) {
        lock.lock();
        try {
            if (selects() || uid.isEmpty()) {
                return Verdict.READ;
            }
            Cache.Entry<T> object = cache.at(key);
            if (object != null && object.uid().equals(uid)) {
                cache.replace(object, null);
                teller.moved(object, object, null, false, true);
                pins.tombstone(key, uid, object.version());
                return Verdict.DONE;
            }
            return uidBefore.equals(uid) || pins.isDead(key, uid) ? Verdict.DONE : Verdict.READ;
        } finally {
            lock.unlock();
        }
    }

    /** An object was deleted of which this state is known, though perhaps not here. */
    Verdict gone(Cache.Entry<T> known) {
        if (selects() || known.version() < 0) {
            return Verdict.READ;
        }
        Verdict unused = written(known);
        return gone(known.key(), "", known.uid());
    }

    /** At this version the key was read, and nothing was there. */
    Verdict absent(ObjectKey key, String version) {
        long number = Cache.Entry.version(version);
        if (number < 0) {
            return Verdict.WAIT;
        }
        lock.lock();
        try {
            Cache.Entry<T> before = cache.at(key);
            if (!pins.news(key, "", number) || (before != null && before.version() >= number)) {
                return Verdict.DONE;
            }
            if (before != null) {
                cache.replace(before, null);
                teller.moved(before, before, null, false, true);
            }
            pins.floor(key, number);
            return Verdict.DONE;
        } finally {
            lock.unlock();
        }
    }

    /** How many keys are ahead of the watch. */
    int ahead() {
        lock.lock();
        try {
            return pins.size();
        } finally {
            lock.unlock();
        }
    }

    // ---- moves

    private interface Move<T extends HasMetadata> {
        void with(Cache.Entry<T> prepared);
    }

    /** Does something with a state that has what the indexes say of it, which somebody's code may have to find first. */
    private void locked(Cache.Entry<T> object, Move<T> move) {
        Cache.Entry<T> prepared = object;
        while (true) {
            prepared = cache.prepared(prepared);
            lock.lock();
            try {
                if (cache.isPrepared(prepared)) {
                    move.with(prepared);
                    return;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void show(Cache.Entry<T> object, boolean initial) {
        Cache.Entry<T> before = cache.at(object.key());
        cache.replace(before, object);
        boolean same = before != null
                && before.uid().equals(object.uid())
                && before.resourceVersion().equals(object.resourceVersion());
        if (!same) {
            boolean other = before != null && !before.uid().equals(object.uid());
            teller.moved(before, other ? before : null, object, initial, other);
        }
    }

    private void hide(ObjectKey key, String uid, Cache.@Nullable Entry<T> last, long version) {
        Cache.Entry<T> before = cache.at(key);
        if (pins.admitsDeletion(key, uid, version)
                && before != null
                && (uid.isEmpty() || before.uid().equals(uid))) {
            cache.replace(before, null);
            teller.moved(before, last == null ? before : last, null, false, last == null);
        }
    }
}
