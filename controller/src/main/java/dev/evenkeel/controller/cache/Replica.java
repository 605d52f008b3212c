package dev.evenkeel.controller.cache;

import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Merges the states of each key from three sources into one sequence: lists, watch events, and answers to this
 * process's own writes.
 *
 * <h2>The problem</h2>
 *
 * <p>A reconciler writes, is triggered again, reads its cache, and does not find its write, since the watch lags
 * behind. It creates a second child, or undoes its own status. So the answer to a write is put into the cache as well.
 * But answers, events and lists overtake each other: an event from before the write must not restore the old state, a
 * late answer must not hide later changes by other clients, and a deleted object must not reappear from an old list.
 * And no change by another client may be lost: implementations that drop events which look like their own writes have
 * swallowed updates of other clients.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>After the answer of a write, the cache never shows a state of that key from before the write.
 *   <li>When the watch has caught up, the cache equals the server's state, whatever the order of arrival.
 *   <li>Handlers receive every transition of the cache, once, and nothing else but the deletions of the next rule. So a
 *       state from another client that is not followed by a later one is always reported, and an own write is reported
 *       once, when it is answered.
 *   <li>If this process deletes an object before the watch has delivered it, the cache never shows it, but handlers
 *       receive it and its deletion when the watch delivers that: a reconciler that has read the object from the server
 *       may wait for the deletion, and nothing else would call it.
 * </ol>
 *
 * <h2>How</h2>
 *
 * <p>Versions of one kind are ordered, and the watch delivers them in order. So the position of the watch divides all
 * states into those it has delivered and those it has not: an answer at or before the position is not new; one after it
 * is newer than anything delivered, becomes the state shown, and is pinned: see {@link Pins}. The only events that are
 * dropped are older than the state shown. An answer to a delete has no version. If the cache shows the deleted uid, a
 * tombstone replaces it; if it showed it when the delete began and does not any more, the deletion was reported; if it
 * never did, or selects objects by labels or fields, the key is {@linkplain #absent read again} with a version before
 * the delete returns.
 *
 * <p>A relist stores objects page by page, remembers the keys, and then removes what was not listed. So it needs memory
 * for the keys and one page, where building a second collection would need all objects twice. Readers meanwhile see
 * some objects newer than others, as with events. A deletion of a key is reported before later states of it; but the
 * deletion of an object that was not listed is known, and reported, only when the list has ended, after the listed
 * objects.
 *
 * <p>Several replicas may fill one cache, each with the keys of a namespace of its own, which are the only ones it
 * receives and removes. The versions of a kind are ordered over all namespaces, but each watch has its own position, so
 * each replica has its own pins.
 *
 * <h2>Concurrency and cost</h2>
 *
 * <p>All is done under the lock of the cache, and calls no foreign code. A state costs one lookup and one change of the
 * cache; pins cost nothing while there are none, which is nearly always.
 */
final class Replica<T extends HasMetadata> {
    /** Receives transitions, with the lock. */
    interface Receiver<T extends HasMetadata> {
        /**
         * Called when the state of a key changed.
         *
         * @param before state that was shown; null for none
         * @param last last state of {@code before}'s object, when that was deleted; null otherwise
         * @param after state that is shown; null for none
         */
        void moved(
                Cache.@Nullable Entry<T> before,
                Cache.@Nullable Entry<T> last,
                Cache.@Nullable Entry<T> after,
                boolean initial,
                boolean finalStateUnknown);
    }

    enum Verdict {
        /** Nothing is to be done. */
        DONE,
        /** The key must be read again, with a version. */
        READ,
        /** Versions cannot be compared: wait for the watch. */
        WAIT
    }

    private final Cache<T> cache;
    private final Object lock;
    private final ListOptions selection;
    private final Receiver<T> receiver;
    private final Pins pins = new Pins();
    private @Nullable Set<ObjectKey> listed;
    private boolean complete;
    private long turn;

    Replica(Cache<T> cache, Object lock, ListOptions selection, Receiver<T> receiver) {
        this.cache = cache;
        this.lock = lock;
        this.selection = selection;
        this.receiver = receiver;
    }

    private boolean selects() {
        return !selection.labels().isEverything() || !selection.fields().isEverything();
    }

    private void remove(Cache.Entry<T> shown, Cache.Entry<T> last, boolean finalStateUnknown) {
        cache.replace(shown, null);
        receiver.moved(shown, last, null, false, finalStateUnknown);
    }

    /** Returns whether a later turn has begun, so that results of this one do not count. With the lock. */
    private boolean isOver(long which) {
        turn = Math.max(turn, which);
        return which < turn;
    }

    private void inTurn(long which, Runnable body) {
        synchronized (lock) {
            if (!isOver(which)) {
                body.run();
            }
        }
    }

    // ---- lists

    /**
     * Begins a list.
     *
     * @param which turn of the {@link Reflector}
     * @param latest whether it shows at least everything that was answered before
     */
    void listBegins(long which, boolean latest) {
        inTurn(which, () -> {
            listed = new HashSet<>();
            pins.listBegins(latest);
        });
    }

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

    /** Removes an object of the list that was deleted before the list ended. */
    void unlisted(long which, ObjectKey key, String uid, Cache.@Nullable Entry<T> last, long version) {
        inTurn(which, () -> {
            if (listed != null) {
                listed.remove(key);
            }
            hide(key, uid, last, version);
        });
    }

    /** Ends the list, which shows the state at a version; returns whether it counts. */
    boolean listEnds(long which, String version) {
        synchronized (lock) {
            if (isOver(which)) {
                return false;
            }
            Set<ObjectKey> present = listed == null ? Set.of() : listed;
            listed = null;
            long number = Cache.Entry.version(version);
            // also for a first list: an earlier one may have been incomplete
            for (Cache.Entry<T> object : cache.snapshot().list(selection.namespace())) {
                if (!present.contains(object.key()) && pins.admitsAbsence(object.key(), number)) {
                    remove(object, object, true);
                }
            }
            pins.listEnds(present, number);
            complete = true;
            return true;
        }
    }

    // ---- the watch

    /** Begins a watch; later events of the previous one do not count. */
    void watchBegins(long which) {
        inTurn(which, () -> {});
    }

    /** Takes a state from an event of this version. */
    void changed(long which, Cache.Entry<T> object, String version) {
        locked(object, prepared -> {
            if (!isOver(which)) {
                if (pins.admits(prepared.key(), prepared.uid(), prepared.version())) {
                    show(prepared, false);
                }
                pins.reached(Cache.Entry.version(version));
            }
        });
    }

    /** Takes a deletion from an event of this version. */
    void deleted(long which, ObjectKey key, String uid, Cache.@Nullable Entry<T> last, String version) {
        inTurn(which, () -> {
            hide(key, uid, last, Cache.Entry.version(version));
            pins.reached(Cache.Entry.version(version));
        });
    }

    /** Records that nothing happened up to a version. */
    void reached(long which, String version) {
        inTurn(which, () -> pins.reached(Cache.Entry.version(version)));
    }

    // ---- answers

    /** Returns the uid of a key as shown; empty when nothing is. To be called before a delete. */
    String uid(ObjectKey key) {
        Cache.Entry<T> object = cache.at(key);
        return object == null ? "" : object.uid();
    }

    /** Takes the state with which a write was answered, or one that was read after all earlier answers. */
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
                remove(before, same ? prepared : before, !same);
            }
            pins.floor(key, version);
        });
        return Verdict.DONE;
    }

    /**
     * Takes the answer to a delete: the object does not exist any more.
     *
     * @param uidBefore uid of the key when the delete began, see {@link #uid}
     * @param uid uid of the deleted object; empty when the server did not send it
     */
    Verdict gone(ObjectKey key, String uidBefore, String uid) {
        synchronized (lock) {
            if (selects() || uid.isEmpty()) {
                return Verdict.READ;
            }
            Cache.Entry<T> object = cache.at(key);
            if (object != null && object.uid().equals(uid)) {
                remove(object, object, true);
                pins.tombstone(key, uid, object.version());
                return Verdict.DONE;
            }
            return uidBefore.equals(uid) || pins.isDead(key, uid) ? Verdict.DONE : Verdict.READ;
        }
    }

    /** Takes the deletion of an object of which this state is known, though perhaps not here. */
    Verdict gone(Cache.Entry<T> known) {
        if (selects() || known.version() < 0) {
            return Verdict.READ;
        }
        Verdict unused = written(known);
        return gone(known.key(), "", known.uid());
    }

    /** Takes the absence of a key, which was read at this version. */
    Verdict absent(ObjectKey key, String version) {
        long number = Cache.Entry.version(version);
        if (number < 0) {
            return Verdict.WAIT;
        }
        synchronized (lock) {
            Cache.Entry<T> before = cache.at(key);
            if (!pins.news(key, "", number) || (before != null && before.version() >= number)) {
                return Verdict.DONE;
            }
            if (before == null) {
                pins.absent(key, number);
            } else {
                remove(before, before, true);
                pins.floor(key, number);
            }
            return Verdict.DONE;
        }
    }

    int ahead() {
        synchronized (lock) {
            return pins.size();
        }
    }

    // ---- transitions

    /**
     * Makes a transition with a state that has the values of the indexes, which foreign code may have to compute first.
     */
    private void locked(Cache.Entry<T> object, Consumer<Cache.Entry<T>> move) {
        Cache.Entry<T> prepared = object;
        while (true) {
            prepared = cache.prepared(prepared);
            synchronized (lock) {
                if (cache.isPrepared(prepared)) {
                    move.accept(prepared);
                    return;
                }
            }
        }
    }

    private void show(Cache.Entry<T> object, boolean initial) {
        Cache.Entry<T> before = cache.at(object.key());
        cache.replace(before, object);
        boolean other = before != null && !before.uid().equals(object.uid());
        if (before == null || other || !before.resourceVersion().equals(object.resourceVersion())) {
            receiver.moved(before, other ? before : null, object, initial, other);
        }
    }

    private void hide(ObjectKey key, String uid, Cache.@Nullable Entry<T> last, long version) {
        Cache.Entry<T> before = cache.at(key);
        if (before == null && last != null && pins.isUnseen(key) && last.matches(selection.labels())) {
            receiver.moved(null, null, last, false, false);
            receiver.moved(last, last, null, false, false);
        }
        if (pins.admitsDeletion(key, uid, version)
                && before != null
                && (uid.isEmpty() || before.uid().equals(uid))) {
            remove(before, last == null ? before : last, last == null);
        }
    }
}
