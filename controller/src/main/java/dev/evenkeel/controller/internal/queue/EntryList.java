package dev.evenkeel.controller.internal.queue;

import org.jspecify.annotations.Nullable;

/** A list that runs through the entries; each is in one list at most. */
class EntryList<K> {
    @Nullable
    Entry<K> first;

    private @Nullable Entry<K> last;

    final void append(Entry<K> entry) {
        Entry<K> before = last;
        entry.previous = before;
        if (before == null) {
            first = entry;
        } else {
            before.next = entry;
        }
        last = entry;
    }

    final void unlink(Entry<K> entry) {
        Entry<K> before = entry.previous;
        Entry<K> after = entry.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        // a popped entry must not keep its neighbours reachable
        entry.previous = null;
        entry.next = null;
    }
}
